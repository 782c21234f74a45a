"""Findings with which not all narrower ones or names count: how they are written, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.cohorts.plan import Plan
from search_stack.core.schema import STATED
from search_stack.core.schema import Finding as Mention
from search_stack.query.nodes import ANY, Finding
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write
from search_stack.retrieval.tiers import NARROWER, denied, tier_of
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
    assert plan.passages() == {"terms": {"own": [f"absent {ids['pneumonia']}"]}}
    assert plan.listed() == [{"term": {"absent": ids["pneumonia"]}}]
    assert tier_of(plan, {"own": [f"absent {ids['pneumonia']}"], "absent": [ids["pneumonia"]]}) == 0
    assert tier_of(plan, {"own": [f"absent {ids['viral pneumonia']}"], "absent": [ids["pneumonia"]]}) == NARROWER


def test_what_counts_is_the_concept_and_what_is_below_it_but_not_below_what_is_left_out() -> None:
    known = lexicon()
    ids = {c.name: c.id for c in known.concepts.values()}
    plan = Plan.of(Finding("infection", "absent", ("pneumonia",)), known)
    assert plan.passages() == {"terms": {"own": [f"absent {ids['infection']}"]}}
    plan = Plan.of(Finding("lung disease", "possible", ("viral pneumonia",)), known)
    left = sorted(ids[name] for name in ("lung disease", "pneumonia", "effusion"))
    assert plan.passages() == {"terms": {"own": [f"possible {i}" for i in left]}}
    assert plan.counted(plan.node).concepts == set(left)
    plan = Plan.of(Finding("pneumonia", ANY, ("viral pneumonia",)), known)
    assert plan.passages() == {"terms": {"own": [f"{said} {ids['pneumonia']}" for said in STATED]}}
    plan = Plan.of(Finding("pneumonia", "present", ("viral pneumonia",)), known)
    said = {"present": [ids["pneumonia"], ids["viral pneumonia"]], "own": [f"present {ids['viral pneumonia']}"]}
    assert tier_of(plan, said) == 3
    assert tier_of(plan, {"own": [f"present {ids['pneumonia']}"]}) == 0
    assert denied(plan, {"own": [f"absent {ids['pneumonia']}"]})
    assert not denied(plan, {"absent": [ids["pneumonia"]], "own": [f"absent {ids['viral pneumonia']}"]})


OTHERWISE = Finding("pneumonia", "present", ("PNA",))


def test_names_that_do_not_count_are_said_like_narrower_findings(understanding: Understanding) -> None:
    line = 'finding:"pulmonary embolism; not PE; not pulmonary embolus" present'
    found = understanding.understand(line).query
    assert found == Finding("pulmonary embolism", "present", ("PE", "pulmonary embolus"))
    assert write(found) == line
    assert from_json(to_json(found)) == found
    assert readable(found) == "pulmonary embolism (except PE, pulmonary embolus)"
    # However it is spelt; and its own name is what is asked for.
    spelt = understanding.understand('finding:"pulmonary embolism; not pe; not Embolus, pulmonary"').query
    assert spelt == found
    with pytest.raises(QueryError, match="does not count with"):
        understanding.understand('finding:"pulmonary embolism; not pulmonary embolisms"')


def test_a_concept_of_which_not_all_names_count_is_asked_by_those_that_do() -> None:
    known = lexicon()
    ids = {c.name: c.id for c in known.concepts.values()}
    own, below = ids["pneumonia"], ids["viral pneumonia"]
    plan = Plan.of(OTHERWISE, known)
    by_name = [f"present {own}", f"present {own} inflammation lung", f"present {own} pneumonia"]
    assert plan.passages() == {
        "bool": {
            "should": [{"terms": {"own": [f"present {below}"]}}, {"terms": {"named": by_name}}],
            "minimum_should_match": 1,
        }
    }
    said = {"present": [own], "own": [f"present {own}"]}
    assert tier_of(plan, {**said, "named": [f"present {own} pna"]}) == 3
    assert tier_of(plan, {**said, "named": [f"present {own} inflammation lung"]}) == 0
    assert tier_of(plan, {**said, "named": [f"present {own}"]}) == 0, "no name says it"
    assert plan.by_name
    assert not Plan.of(Finding("pneumonia", "present", ("viral pneumonia",)), known).by_name
    absent = Plan.of(replace(OTHERWISE, assertion="absent"), known)
    assert absent.passages() == absent.listed()[0] == {"terms": {"named": [n.replace("pres", "abs") for n in by_name]}}


@pytest.mark.parametrize(
    ("concept", "names", "counts"),
    [
        ("pneumonia", ("pna",), False),
        ("pneumonia", ("pna", "pneumonia"), True),
        ("pneumonia", (), True),
        ("viral pneumonia", ("pna",), True),
        ("fever", ("fever",), False),
    ],
)
def test_a_mention_counts_by_a_name_that_counts(concept: str, names: tuple[str, ...], counts: bool) -> None:
    known = lexicon()
    id = next(c.id for c in known.concepts.values() if c.name == concept)
    mention = Mention(id, concept, "finding", 0, 3, "present", names=names)
    assert (mention in Plan.of(OTHERWISE, known).named) is counts
