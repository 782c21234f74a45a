"""What no passage says itself, made clauses over passages: people, structured facts and time, by bitmap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from search_stack.cohorts.clauses import Clause, among
from search_stack.cohorts.evaluate import Evaluation, Inside, People, Source
from search_stack.cohorts.plan import Filters, Plan, within_filters
from search_stack.query.fields import BY_KEY, age_range
from search_stack.query.nodes import AllOf, AtAge, AtLeast, During, Fact, FieldIs, Near, Node, Pick, Timed, Together
from search_stack.query.tree import QueryError, every, fields_of, is_filter, is_timed, leaves, parts


class Known(People, Protocol):
    """What the ledger knows of patients."""

    def of_sex(self, sex: str) -> Iterable[int]:
        """Numbers of patients."""

    def newest_of(self, cohort: str) -> str:
        """The version that NAME or NAME@3 names, as NAME@3.

        Raises:
            QueryError: no such cohort is kept.
        """

    def in_cohort(self, version: str) -> Iterable[int]:
        """Numbers of the patients of NAME@3."""

    def stays(self, patient_id: str) -> str:
        """The id of the patient as whom that one counts, which mostly is itself."""

    def by_sex(self) -> Mapping[str, Sequence[int]]:
        """Numbers of patients by sex, where it is known."""

    def said(self) -> tuple[bool, bool, bool]:
        """Whether any patient has a sex, any note an age, any note a date."""

    def at_age(self, least: int | None, most: int | None) -> Iterable[int]:
        """Keys of notes written at that age."""


BRING = "Bring them in: aspectra ingest patients.csv --format patients"


def check_said(node: Node, known: Known) -> None:
    """
    Raises:
        QueryError: it asks for sexes, ages or days where the sources tell of none.
    """
    if not needs_people_or_days(node):
        return
    asked = fields_of(node)
    aged = "age" in asked or any(isinstance(n, AtAge) for n in every(node))
    sexes, ages, days = known.said()
    if "sex" in asked and not sexes:
        raise QueryError("No patient's sex is known here.", BRING)
    if aged and not ages:
        raise QueryError("No patient's age is known here.", BRING)
    if not days and any(map(_needs_days, every(node))):
        raise QueryError("No note here has a date, so nothing can be compared in time.", "Leave the time out.")


def needs_people_or_days(node: Node) -> bool:
    """Whether it asks for what a source may not tell: sex, age, time."""
    return bool(fields_of(node) & {"sex", "age"}) or is_timed(node)


def _needs_days(node: Node) -> bool:
    of_days = isinstance(node, AtLeast) and node.unit == "days"
    of_days |= isinstance(node, Together) and node.by in ("day", "year")
    return of_days or isinstance(node, Near | Pick | During)


def with_people(plan: Plan, known: Known) -> Plan:
    """``plan`` with its sexes, ages and kept cohorts resolved."""
    found: dict[object, Clause] = {
        leaf: _of_person(leaf, plan, known)
        for leaf in set(leaves(plan.node))
        if isinstance(leaf, FieldIs) and BY_KEY[leaf.field].of_person
    }
    return replace(plan, standing={**plan.standing, **found})


def _of_person(leaf: FieldIs, plan: Plan, known: Known) -> Clause:
    if leaf.field == "age":
        return among("note_key", known.at_age(*age_range(leaf.value)))
    if leaf.field == "cohort":
        return among("patient_no", known.in_cohort(plan.cohorts.get(leaf.value) or known.newest_of(leaf.value)))
    return among("patient_no", known.of_sex(leaf.value))


def with_versions(plan: Plan, known: Known) -> Plan:
    """``plan`` with the versions that its kept cohorts stand for, so that all of an answer comes from the same ones,
    and the patients as whom those count whom it names.

    Raises:
        QueryError: one is not kept.
    """
    fields = [leaf for leaf in leaves(plan.node) if isinstance(leaf, FieldIs)]
    names = {leaf.value for leaf in fields if leaf.field == "cohort"}
    stays = {leaf.value: known.stays(leaf.value) for leaf in fields if leaf.field == "patient"}
    return replace(plan, cohorts={name: known.newest_of(name) for name in sorted(names)}, stays=stays)


def with_facts(plan: Plan, read: Source, known: People) -> Plan:
    """``plan`` with the patients of its structured facts."""
    facts = {leaf for leaf in leaves(plan.node) if isinstance(leaf, Fact)}
    evaluation = Evaluation(plan, "patient", read, known)
    found: dict[object, Clause] = {
        leaf: among("patient_no", evaluation.rows(leaf).patients().tolist()) for leaf in facts
    }
    return replace(plan, standing={**plan.standing, **found})


def with_times(plan: Plan, evaluation: Evaluation) -> Plan:
    """``plan`` with the notes of the evidence of each criterion in time."""
    standing = dict(plan.standing)

    def walk(node: Node, inside: Inside, outer: Filters) -> None:
        if isinstance(node, Timed):
            standing[node, outer] = among("note_key", evaluation.rows(node, inside).notes().tolist())
        if isinstance(node, AllOf):
            inside = evaluation.inside([c for c in node.children if is_filter(c)], inside)
            outer = within_filters(node, outer)
        for part in parts(node):
            walk(part, inside, outer)

    walk(plan.node, Inside(), ())
    return replace(plan, standing=standing)
