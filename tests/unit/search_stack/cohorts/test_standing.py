"""Kept cohorts inside a query: which version each name stands for, and who is in."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from search_stack.cohorts.clauses import among
from search_stack.cohorts.cohort import NobodyKnown
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.standing import with_people, with_versions
from search_stack.query.nodes import AllOf, FieldIs, Node, Not
from search_stack.query.tree import QueryError, all_of

COPD, OLDER, ASTHMA = (FieldIs("cohort", value) for value in ("copd", "copd@1", "asthma"))
KEPT = {"copd@1": [1], "copd@2": [1, 2], "asthma@1": [3]}


class Known(NobodyKnown):
    """A ledger with kept cohorts, one of which gets a version while it is asked."""

    newest = 2

    def newest_of(self, cohort: str) -> str:
        return cohort if "@" in cohort else {"copd": f"copd@{self.newest}", "asthma": "asthma@1"}[cohort]

    def in_cohort(self, version: str) -> Iterable[int]:
        return KEPT[version]


def plan(node: Node, known: Known) -> Plan:
    return with_versions(Plan.of(node, None), known)


def test_each_name_stands_for_one_version_all_the_while() -> None:
    known = Known()
    found = plan(AllOf((COPD, Not(ASTHMA), OLDER)), known)
    assert found.cohorts == {"asthma": "asthma@1", "copd": "copd@2", "copd@1": "copd@1"}
    known.newest = 3
    said = with_people(found, known).standing
    assert said == {
        COPD: among("patient_no", [1, 2]),
        OLDER: among("patient_no", [1]),
        ASTHMA: among("patient_no", [3]),
    }


def test_a_patient_who_was_merged_is_the_one_who_stays() -> None:
    class Merged(NobodyKnown):
        def stays(self, patient_id: str) -> str:
            return {"old": "new"}.get(patient_id, patient_id)

    old, other = (FieldIs("patient", id) for id in ("old", "other"))
    found = with_versions(Plan.of(AllOf((old, Not(other))), None), Merged())
    for leaf, id in ((old, "new"), (other, "other")):
        assert found.holds(leaf) == found.of_facts(leaf) == {"term": {"patient_id": id}}


def test_two_cohorts_narrow_each_other() -> None:
    assert all_of([COPD, ASTHMA]) == AllOf((COPD, ASTHMA))


def test_structured_facts_are_those_of_its_patients() -> None:
    known = Known()
    assert with_people(plan(COPD, known), known).of_facts(COPD) == among("patient_no", [1, 2])


def test_an_index_without_a_ledger_keeps_none() -> None:
    with pytest.raises(QueryError, match="There is no cohort copd"):
        with_versions(Plan.of(COPD, None), NobodyKnown())
