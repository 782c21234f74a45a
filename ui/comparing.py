"""What has changed from one version of a cohort to another, and two versions side by side."""

from __future__ import annotations

import re

from flask import Blueprint, render_template, request

from ingest.cohorts.finding import difference
from ingest.cohorts.plain import Listing
from ingest.cohorts.profiles import compared
from search_stack.cohorts.changes import QUERY, circumstances, need_in_order, need_two
from search_stack.cohorts.version import Asked, Found, Version
from search_stack.core.errors import AspectraError
from ui import kept
from ui.asked_page import asked_page, number
from ui.changes_page import NOW, PAGE_SIZE, ChangesPage, ToldChanges, kinds, moved_patients, sentence
from ui.cohort_head import head
from ui.compare_page import Chosen, ComparePage, chosen, compared_page
from ui.frame import frame
from ui.seen import about, saw_numbers
from ui.services import services

blueprint = Blueprint("comparing", __name__)
_VERSION = re.compile(r"(?P<cohort>[1-9]\d{0,17})\.(?P<number>[1-9]\d{0,8})", re.ASCII)
"""Of a form or an address: the id of a cohort and the number of a version."""


@blueprint.get("/cohorts/<int:cohort>/changes")
def changed(cohort: int) -> str:
    """From one version to another, or to what its query finds now; without two, what can be chosen."""
    of, editions = kept.cohort(cohort), kept.store().editions(cohort)
    newest = editions[-1].number
    old_number = number("old", max(1, newest - 1))
    new_number = number("new", newest if newest > 1 or "new" in request.args else NOW)
    old = kept.version(cohort, old_number)
    new = kept.version(cohort, new_number) if new_number != NOW else None
    can_run = isinstance(old.origin, Asked)
    told, problem = None, ""
    try:
        if new or "new" in request.args:  # nothing is run that was not asked for
            told = _told(old, new)
    except AspectraError as e:
        problem = f"{e.message} {e.remedy}".strip()
    page = ChangesPage(
        frame=frame(),
        head=head(of, new or old, "Changes"),
        editions=tuple(reversed(editions)),
        can_run=can_run,
        old=old_number,
        new=new_number,
        told=told,
        problem=problem,
    )
    return render_template("cohort_changes.html", page=page)


def _told(old: Version, later: Version | None) -> ToldChanges:
    """
    Args:
        later: None for what the query finds now.

    Raises:
        AspectraError: it is older, or the query cannot be run now.
    """
    if later:
        need_in_order(old, later)
    name, to = (later.name, later.number) if later else ("now", NOW)
    new: Found = later or kept.finder().again(old)
    found = difference(old, new, services().ledger)
    pages = asked_page(
        "comparing.changed",
        len(found.everyone),
        PAGE_SIZE,
        cohort=old.cohort_id,
        old=old.number,
        new=to,
    )
    start = (pages.page - 1) * PAGE_SIZE
    shown = found.everyone[start : start + PAGE_SIZE]
    saw_numbers(shown)
    about(**{"from": old.number, "to": to})
    besides = circumstances(old, new)
    another = QUERY in besides
    listed = Listing(services().ledger.people, found).of(shown)
    return ToldChanges(
        sentence(old.name, name, len(old.patients), len(new.patients)),
        besides,
        kinds(found, another),
        moved_patients(listed, found, shown, another),
        pages,
    )


@blueprint.get("/cohorts/compare")
def compare() -> str | tuple[str, int]:
    """Two versions; where none are named, what can be chosen."""
    first, second = named("a"), named("b")
    told, problem = None, ""
    if first and second:
        about(cohort=first.cohort_id, number=first.number, with_cohort=second.cohort_id, with_number=second.number)
        if problem := _problem(first, second):
            second = None
        else:
            found = compared(first, second, services().searcher, services().ledger)
            told = compared_page(first, second, found)
    chosen_ids = {version.cohort_id for version in (first, second) if version}
    a, b = ("" if version is None else reference(version) for version in (first, second))
    page = ComparePage(frame(), tuple(_choices(chosen_ids)), a, b, told, problem)
    return render_template("compare.html", page=page), 400 if problem else 200


def _problem(first: Version, second: Version) -> str:
    """Why the two cannot be compared; empty where they can."""
    try:
        need_two(first, second)
    except AspectraError as e:
        return f"{e.message} {e.remedy}"
    return ""


def named(field: str) -> Version | None:
    """The version that a field of the form or address names; None where it names none.

    Raises:
        NotKept: there is none.
    """
    found = _VERSION.fullmatch(request.values.get(field, ""))
    return kept.version(int(found["cohort"]), int(found["number"])) if found else None


def reference(version: Version) -> str:
    """What `named` reads."""
    return f"{version.cohort_id}.{version.number}"


def _choices(of: set[int]) -> list[Chosen]:
    """The newest version of each cohort; of the cohorts ``of`` all."""
    out = []
    for cohort in kept.store().cohorts():
        editions = reversed(kept.store().editions(cohort.id)) if cohort.id in of else [cohort.newest]
        out += [chosen(cohort.id, edition) for edition in editions]
    return out
