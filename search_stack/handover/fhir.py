"""A cohort as a Group of FHIR R4, which holds its own Provenance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from fhir.resources.R4B.group import Group, GroupMember

from search_stack.handover.cover import Cover, Told
from search_stack.handover.files import private_file
from search_stack.handover.row import Row

_ID = re.compile(r"[A-Za-z0-9\-.]{1,64}", re.ASCII)
"""What FHIR takes for the id of a resource."""


def write_group(path: Path, patients: Iterable[Row], cover: Cover, references: bool) -> Told:
    """One resource, its members written one by one.

    Args:
        patients: a row of each.
        references: whether patients are referred to as Patient/ID too, where their id can be one.
    """
    head = group(cover).model_dump_json()
    told = Told()
    number = left = 0
    with private_file(path) as file:
        file.write(head.removesuffix("}").encode())
        for number, row in enumerate(patients, 1):
            file.write(b',"member":[\n' if number == 1 else b",\n")
            file.write(member(row, references).model_dump_json().encode())
            left += references and not _ID.fullmatch(row.patient_id)
        file.write(b"\n]}\n" if number else b"}\n")
    told.rows[path.name] = number
    told.remarks.append("Patients are given by identifier, which has no system: the source names none.")
    if left:
        told.remarks.append(f"{left} patients have an id that FHIR allows no resource: they have no reference.")
    return told


def group(cover: Cover) -> Group:
    """The Group without its members."""
    found = cover.found
    ledger = f"urn:uuid:{UUID(found.provenance.ledger)}"
    given: dict[str, Any] = {
        "contained": [_provenance(cover, ledger)],
        "identifier": [{"system": ledger, "value": cover.name}],
        "type": "person",
        "actual": True,
        "name": cover.name,
        "quantity": len(found.patients),
    }
    if asked := cover.asked():
        given["characteristic"] = [
            {"code": {"text": "criterion"}, "valueCodeableConcept": {"text": said}, "exclude": excluded}
            for said, excluded in asked
        ]
    return Group(**given)


def _provenance(cover: Cover, ledger: str) -> dict[str, Any]:
    p = cover.found.provenance
    sources = [
        {"identifier": {"system": ledger}, "display": "ledger of notes"},
        {"display": f"index generation {p.generation or 'none'}, labels {' '.join(p.labels) or 'none'}"},
        {"display": f"lexicon {p.lexicon or 'none'}, rules {p.rules or 'none'}"},
        {"display": f"encoder {p.encoder or 'none'}, reranker {p.reranker or 'none'}"},
    ]
    return {
        "resourceType": "Provenance",
        "target": [{"reference": "#"}],
        "occurredDateTime": p.seen.isoformat(),
        "recorded": cover.began.isoformat(),
        "activity": {"text": "cohort by query, exported"},
        "agent": [
            {"type": {"text": "author"}, "who": {"display": cover.by}},
            {"type": {"text": "assembler"}, "who": {"display": f"Aspectra {cover.program}"}},
        ],
        "entity": [{"role": "source", "what": what} for what in sources],
    }


def member(row: Row, references: bool) -> GroupMember:
    entity: dict[str, Any] = {"type": "Patient", "identifier": {"value": row.patient_id}}
    if references and _ID.fullmatch(row.patient_id):
        entity["reference"] = f"Patient/{row.patient_id}"
    return GroupMember(**{"entity": entity})
