"""Findings with which not all narrower ones count: how they are written, and what is refused."""

from __future__ import annotations

import pytest

from search_stack.cohorts.plan import NARROWER, Plan
from search_stack.core.schema import STATED
from search_stack.query.nodes import ANY, Finding
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write
from tests.trees.collection import lexicon

PNEUMONIA = Finding("pneumonia", "absent", ("aspiration pneumonia", "lobar pneumonia"))


def test_a_line_and_json_say_it(understanding: Understanding) -> None:
    line = 'finding:"pneumonia; not aspiration pneumonia; not lobar pneumonia" absent'
    assert write(PNEUMONIA) == line
    assert understanding.understand(line).query == PNEUMONIA
    assert readable(PNEUMONIA) == "pneumonia (except aspiration pneumonia, lobar pneumonia) ruled out"
    assert to_json(PNEUMONIA)["except"] == ["aspiration pneumonia", "lobar pneumonia"]
    assert from_json(to_json(PNEUMONIA)) == PNEUMONIA


def test_names_are_those_of_the_lexicon(understanding: Understanding) -> None:
    found = understanding.understand('finding:"pneumonias; NOT Lobar Pneumonias; not lobar pneumonia"').query
    assert found == Finding("pneumonia", "present", ("lobar pneumonia",))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('finding:"pneumonia; not fever"', "does not count with"),
        ('finding:"pneumonia; not pneumonia"', "does not count with"),
        ('finding:"lobar pneumonia; not pneumonia"', "does not count with"),
        ('finding:"pneumonia; not xqxq"', "There is no finding"),
        ('finding:"pneumonia; lobar pneumonia"', "is not understood"),
        ('finding:"pneumonia; not "', "is not understood"),
        ('finding:"; not fever"', "is not understood"),
    ],
)
def test_what_makes_no_sense_is_refused(understanding: Understanding, line: str, says: str) -> None:
    with pytest.raises(QueryError, match=says):
        understanding.understand(line)


@pytest.mark.parametrize("given", ["lobar pneumonia", [1], [""], {}])
def test_json_of_another_shape_is_refused(given: object) -> None:
    with pytest.raises(QueryError, match="except"):
        from_json({"finding": "pneumonia", "except": given})


def test_who_lacks_a_narrower_finding_is_listed_but_not_counted_as_lacking_it() -> None:
    known = lexicon()
    ids = {c.name: c.id for c in known.concepts.values()}
    plan = Plan.of(Finding("pneumonia", "absent"), known)
    assert plan.passages() == {"term": {"own": f"absent {ids['pneumonia']}"}}
    assert plan.listed() == [{"term": {"absent": ids["pneumonia"]}}]
    assert plan.tier({"own": [f"absent {ids['pneumonia']}"], "absent": [ids["pneumonia"]]}) == 0
    assert plan.tier({"own": [f"absent {ids['viral pneumonia']}"], "absent": [ids["pneumonia"]]}) == NARROWER


def test_what_counts_is_the_concept_and_what_is_below_it_but_not_below_what_is_left_out() -> None:
    known = lexicon()
    ids = {c.name: c.id for c in known.concepts.values()}
    plan = Plan.of(Finding("infection", "absent", ("pneumonia",)), known)
    assert plan.passages() == {"terms": {"own": [f"absent {ids['infection']}"]}}
    plan = Plan.of(Finding("lung disease", "possible", ("viral pneumonia",)), known)
    left = sorted(ids[name] for name in ("lung disease", "pneumonia", "effusion"))
    assert plan.passages() == {"terms": {"own": [f"possible {i}" for i in left]}}
    assert plan.named == set(left)
    plan = Plan.of(Finding("pneumonia", ANY, ("viral pneumonia",)), known)
    assert plan.passages() == {"terms": {"own": [f"{said} {ids['pneumonia']}" for said in STATED]}}
    plan = Plan.of(Finding("pneumonia", "present", ("viral pneumonia",)), known)
    said = {"present": [ids["pneumonia"], ids["viral pneumonia"]], "own": [f"present {ids['viral pneumonia']}"]}
    assert plan.tier(said) == 3
    assert plan.tier({"own": [f"present {ids['pneumonia']}"]}) == 0
    assert plan.denied({"own": [f"absent {ids['pneumonia']}"]})
    assert not plan.denied({"absent": [ids["pneumonia"]], "own": [f"absent {ids['viral pneumonia']}"]})
