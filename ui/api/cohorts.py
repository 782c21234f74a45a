"""Kept cohorts by id and number: their names may tell of somebody, so they stand in bodies only."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import Response, make_response
from pydantic import BaseModel, Field
from werkzeug.http import parse_etags

from ingest.cohorts.finding import difference
from ingest.cohorts.plain import (
    changes_json,
    cohort_json,
    contrast_json,
    edition_json,
    evidence_json,
    members_json,
    version_json,
)
from ingest.cohorts.profiles import compared
from ingest.cohorts.records import Cohort
from ingest.cohorts.store import LONGEST_PERIOD, SHORTEST_PERIOD
from search_stack.cohorts.changes import need_in_order, need_two
from search_stack.cohorts.version import Found, Version
from ui.api import answers
from ui.api.blueprints import part
from ui.api.shapes import GREATEST, MOST, Body, Cohorted, From, Reference, Versioned, shown_by
from ui.kept import finder, store
from ui.seen import about, saw_numbers, saw_patients
from ui.services import services

blueprint = part("cohorts", "Cohorts that are kept, and their versions, which never change.", 400, 404, 409)


class Known(BaseModel):
    if_none_match: str = Field("", alias="If-None-Match", description="ETags of what is known already.")


class Every(Body):
    model_config = shown_by(every=86400)
    every: int | None = Field(
        ge=SHORTEST_PERIOD, le=LONGEST_PERIOD, description="Seconds from one run to the next; null ends the schedule."
    )


class Since(Body):
    model_config = shown_by(**{"from": {"cohort": 1, "version": 1}})
    old: Reference = Field(alias="from")
    new: Reference | None = Field(None, alias="to", description="A later version; where it is left out, now.")
    after: int = Field(0, ge=0, le=GREATEST, description="The `next` of the page before.")
    limit: int = Field(100, ge=1, le=MOST, description="Patients of a page.")


class Pair(Body):
    model_config = shown_by(first={"cohort": 1}, second={"cohort": 2})
    first: Reference
    second: Reference


@blueprint.get("/cohorts", responses={200: answers.KeptCohortPage})
def cohorts(query: From) -> dict[str, Any]:
    """All kept cohorts, in order of id."""
    found = store().page(query.after, query.limit)
    return {"items": [_plain(c) for c in found], "next": found[-1].id if len(found) == query.limit else None}


@blueprint.get("/cohorts/<int:cohort>", responses={200: answers.CohortWithVersions})
def cohort(path: Cohorted) -> dict[str, Any]:
    """A kept cohort with all its versions."""
    versions = [edition_json(e) for e in store().editions(path.cohort)]
    return {**_plain(store().cohort(path.cohort)), "versions": versions}


@blueprint.delete("/cohorts/<int:cohort>", responses={204: None})
def delete(path: Cohorted) -> tuple[str, int]:
    """Forget a cohort with all its versions and the keys of the requests that made them."""
    store().delete(path.cohort)
    return "", 204


@blueprint.put("/cohorts/<int:cohort>/schedule", responses={200: answers.KeptCohort})
def schedule(path: Cohorted, body: Every) -> dict[str, Any]:
    """Have the worker run a cohort's query every so often; it keeps a version where something has changed."""
    return _plain(store().schedule(path.cohort, body.every))


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>", responses={200: answers.KeptVersion, 304: None})
def version(path: Versioned, header: Known) -> Response:
    """A version: what was asked, how many each step left, by what it was found."""
    digest = store().edition(path.cohort, path.number).digest
    if parse_etags(header.if_none_match).contains_weak(digest):
        response = make_response("", 304)
    else:
        response = make_response(version_plain(store().version(path.cohort, path.number)))
    response.set_etag(digest)
    return response


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>/patients", responses={200: answers.MemberPage})
def members(path: Versioned, query: From) -> dict[str, Any]:
    """Its patients, in order of number."""
    found = members_json(_version(path), services().ledger.people, query.after, query.limit)
    saw_patients(one["patient_id"] for one in found if one["patient_id"])
    return {"items": found, "next": found[-1]["no"] if len(found) == query.limit else None}


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>/evidence", responses={200: answers.EvidencePage})
def evidence(path: Versioned, query: From) -> dict[str, Any]:
    """Its evidence, row by row, in order of patient, day and note."""
    found = evidence_json(_version(path), query.after, query.limit)
    saw_numbers(np.unique([one["patient_no"] for one in found]))
    return {"items": found, "next": query.after + len(found) if len(found) == query.limit else None}


@blueprint.post("/cohorts/changes", responses={200: answers.Changes})
def changed(body: Since) -> dict[str, Any]:
    """Who is new, gone or in by other evidence, and why: in order of number."""
    old = referred(body.old)
    new: Found
    if body.new:
        new = referred(body.new)
        need_in_order(old, new)
    else:
        new = finder().again(old)
    found = difference(old, new, services().ledger)
    page = found.everyone[np.searchsorted(found.everyone, body.after, "right") :][: body.limit]
    told = changes_json(old, new, found, services().ledger.people, page)
    saw_numbers(page)
    about(cohort=old.cohort_id, **{"from": old.number})
    return {**told, "next": int(page[-1]) if len(page) == body.limit else None}


@blueprint.post("/cohorts/compare", responses={200: answers.Comparison})
def compare(body: Pair) -> dict[str, Any]:
    """How many patients are in both, and how they differ."""
    first, second = referred(body.first), referred(body.second)
    need_two(first, second)
    about(cohort=first.cohort_id, number=first.number, with_cohort=second.cohort_id, with_number=second.number)
    found = compared(first, second, services().searcher, services().ledger)
    return contrast_json(first, second, found)


def referred(reference: Reference) -> Version:
    """
    Raises:
        NotKept: there is no such version.
    """
    return store().version(reference.cohort, reference.version)


def version_plain(of: Version) -> dict[str, Any]:
    return {"cohort": of.cohort_id, **version_json(of)}


def _version(path: Versioned) -> Version:
    return store().version(path.cohort, path.number)


def _plain(kept: Cohort) -> dict[str, Any]:
    return {"id": kept.id, **cohort_json(kept)}
