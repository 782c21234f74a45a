"""Cohorts saved: a request that names itself by a key makes one version, however often it comes."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, url_for
from pydantic import Field, model_validator

from ingest.cohorts.finding import joined
from ingest.cohorts.lists import given_list, left_out_of
from ingest.cohorts.store import LONGEST_DESCRIPTION
from ingest.readers.record import Rejected
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Found, Operation, Version
from search_stack.core.cohort_names import checked_name
from search_stack.query.asked import LONGEST
from ui import who
from ui.api import answers
from ui.api.cohorts import blueprint, referred, version_plain
from ui.api.once import Idempotent, body_digest
from ui.api.shapes import Asked, Body, Reference, SourceText, shown_by
from ui.kept import finder, store
from ui.seen import about, asked_for
from ui.services import services

__all__ = ["blueprint"]


class Combination(Body):
    operation: Operation
    of: list[Reference] = Field(min_length=2, max_length=2)


class NewVersion(Body):
    """What is saved is exactly one of: line, query, again, combine, patient_ids."""

    model_config = shown_by(name="effusion-2027", line="pleural effusion, no pneumothorax")
    name: str = Field(description="Of the cohort, which is made where nothing is called so.")
    description: str | None = Field(
        None, max_length=LONGEST_DESCRIPTION, description="Of the cohort; where it is left out, it stays as it is."
    )
    line: str | None = Field(None, max_length=LONGEST, description="A query line, as on the page.")
    query: dict[str, Any] | None = Field(None, description="A tree, as in docs/query.md.")
    unit: Unit | None = Field(None, description="What must satisfy a line or query together: patient, where left out.")
    again: bool = Field(False, description="The query of the newest version, run anew.")
    combine: Combination | None = Field(None, description="The patients of two versions together.")
    patient_ids: list[SourceText] | None = Field(None, min_length=1, description="Ids in the source.")

    @model_validator(mode="after")
    def _one(self) -> NewVersion:
        asks = self.line is not None or self.query is not None
        parts = (self.line, self.query, self.again or None, self.combine, self.patient_ids)
        if sum(part is not None for part in parts) != 1:
            raise ValueError("give exactly one of line, query, again, combine and patient_ids")
        if self.unit and not asks:
            raise ValueError("unit goes with line or query only")
        return self


@blueprint.post("/cohorts", responses={201: answers.SavedVersion})
def save(header: Idempotent, body: NewVersion) -> Response:
    """Keep a cohort as the next version of its name."""
    checked_name(body.name)
    once = header.request()
    earlier = store().made_by(once) if once else None
    if earlier:
        return _answer(earlier, _told_again(body, earlier), replayed=True)
    found, told = _found(body)
    account = who.name()
    if once is None:
        return _answer(store().save(body.name, found, account, body.description), told)
    saved, replayed = store().save_once(once, body.name, found, account, body.description)
    return _answer(saved, told, replayed)


def _answer(saved: Version, told: dict[str, Any], replayed: bool = False) -> Response:
    about(cohort=saved.cohort_id, number=saved.number)
    response = make_response({**version_plain(saved), **told}, 201)
    response.set_etag(saved.digest)
    response.location = url_for("api_cohorts.version", cohort=saved.cohort_id, number=saved.number)
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _found(body: NewVersion) -> tuple[Found, dict[str, Any]]:
    """What ``body`` asks for now, and what else is told of it.

    Raises:
        AspectraError: it cannot be had.
    """
    ledger = services().ledger
    if body.patient_ids is not None:
        given = given_list(body.patient_ids, body_digest(), ledger)
        return given.found, _plain(given.left_out)
    if body.combine:
        first, second = map(referred, body.combine.of)
        return joined(body.combine.operation, first, second, ledger), {}
    if body.again:
        return finder().again(store().version(body.name)), {}
    asked = Asked(line=body.line, query=body.query)
    understood = asked.understood(services().searcher)
    asked_for(understood)
    found = finder().find(understood.query, body.unit or "patient", body.line or "", store().newest(body.name))
    said = understood.json()
    return found, {"aside": said["aside"], "notices": said["notices"]}


def _told_again(body: NewVersion, saved: Version) -> dict[str, Any]:
    return _plain(left_out_of(saved, body.patient_ids, services().ledger)) if body.patient_ids else {}


def _plain(left_out: tuple[Rejected, ...]) -> dict[str, Any]:
    return {"left_out": [{"position": r.line, "reason": r.reason} for r in left_out]}
