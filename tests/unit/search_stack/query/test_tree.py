from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Finding, Node, Not, Words
from search_stack.query.tree import QueryError, all_of, any_of, at, is_filter, leaves, not_, paths, replaced
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write
from tests.unit.search_stack.query.trees import TREES

FEVER, COUGH, IMPRESSION = Finding("fever"), Finding("cough"), FieldIs("section", "impression")


@settings(max_examples=400)
@given(TREES)
def test_a_tree_written_as_a_line_reads_as_itself(understanding: Understanding, tree: Node) -> None:
    line = write(tree)
    if len(line) <= 2000:
        assert understanding.understand(line).query == tree


def test_what_stands_between_two_quotes_is_not_in_quotes(understanding: Understanding) -> None:
    tree = all_of([Words("(x)"), FieldIs("age", "<30")])
    assert understanding.understand(write(tree)).query == tree


@given(TREES)
def test_json_reads_back(tree: Node) -> None:
    assert from_json(json.loads(json.dumps(to_json(tree)))) == tree


@given(TREES)
def test_a_tree_can_be_said(tree: Node) -> None:
    assert readable(tree)


@given(TREES, st.data())
def test_any_criterion_can_be_taken_out_or_put_back(tree: Node, data: st.DataObject) -> None:
    path, leaf = data.draw(st.sampled_from(list(paths(tree))))
    assert at(tree, path) == leaf
    assert replaced(tree, path, leaf) == tree
    rest = replaced(tree, path, None)
    assert rest is None or sum(1 for _ in leaves(rest)) < sum(1 for _ in leaves(tree))


def test_the_normal_form_has_no_brackets_that_say_nothing() -> None:
    assert all_of([FEVER]) == any_of([FEVER]) == not_(not_(FEVER)) == FEVER
    assert all_of([all_of([FEVER, COUGH]), FEVER]) == AllOf((FEVER, COUGH))
    assert any_of([FEVER, any_of([COUGH, FEVER])]) == AnyOf((FEVER, COUGH))


def test_a_filter_keeps_to_its_bracket() -> None:
    inner = all_of([FEVER, IMPRESSION])
    assert all_of([inner, COUGH]) == AllOf((inner, COUGH))
    assert is_filter(not_(IMPRESSION))
    assert not is_filter(inner)


def test_values_of_one_field_are_alternatives_but_days_are_not() -> None:
    findings = FieldIs("section", "findings")
    assert all_of([IMPRESSION, FEVER, findings]) == AllOf((AnyOf((IMPRESSION, findings)), FEVER))
    days = [FieldIs("after", "2019-01-01"), FieldIs("before", "2020-01-01")]
    assert all_of(days) == AllOf(tuple(days))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "query: an object is expected."),
        ({}, "query: it says nothing."),
        ({"all": []}, "query.all: a list of nodes is expected."),
        ({"any": [{"finding": "fever"}, {"finding": ""}]}, "query.any[1].finding: a text is expected."),
        ({"finding": "fever", "assertion": "maybe"}, "query.assertion: maybe is not known."),
        ({"finding": "fever", "sure": True}, "query: sure is not known."),
        ({"not": {"field": "mrn", "value": "7"}}, "query.not.field: there is no field mrn."),
        ({"field": "after", "value": "soon"}, "query.value: soon is not a date."),
    ],
)
def test_what_is_no_tree_is_told_where(data: object, said: str) -> None:
    with pytest.raises(QueryError) as told:
        from_json(data)
    assert told.value.message == said
    assert told.value.remedy


def test_a_tree_may_be_deep_and_large_only_so_far() -> None:
    deep: dict[str, object] = {"words": "x"}
    for _ in range(100):
        deep = {"not": {"all": [deep, {"words": "y"}]}}
    with pytest.raises(QueryError, match="levels deep"):
        from_json(deep)
    with pytest.raises(QueryError, match="256 criteria"):
        from_json({"any": [{"words": f"w{n}"} for n in range(300)]})


def test_a_day_in_json_is_written_out() -> None:
    assert from_json({"field": "after", "value": "2019"}) == FieldIs("after", "2019-01-01")
    assert from_json({"words": 'a  "b"'}) == Words("a b")
    assert from_json({"not": {"not": {"finding": "fever"}}}) == FEVER
    assert isinstance(from_json({"not": {"finding": "fever"}}), Not)
