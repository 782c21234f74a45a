"""Resources of an export in FHIR, and what reading them brings."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from ingest.readers import Rejected, open_source
from search_stack.core.schema import StructuredFact

Resource = dict[str, Any]
PATIENT = {"reference": "Patient/p1"}
UTF16 = "many NUL characters: UTF-16 without a byte order mark? Save it as UTF-8"
ELSEWHERE = "the text, or a part of it, is elsewhere and not in the export"
NONE_OF = "is none of text/plain, text/html, application/xhtml+xml"
UNKNOWN_SET = "a character set that is not known"
NO_SIDE_BY_SIDE = "of a Bundle, is none of collection, transaction, batch, searchset, document, history"
UCUM = "http://unitsofmeasure.org"
LOINC, ICD = "http://loinc.org", "http://hl7.org/fhir/sid/icd-10"


def written(path: Path, *resources: Resource | str) -> Path:
    lines = (r if isinstance(r, str) else json.dumps(r) for r in resources)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def items(tmp_path: Path, *resources: Resource | str) -> list[Any]:
    return [r.item for r in open_source(written(tmp_path / "x.ndjson", *resources), "fhir")]


def only(tmp_path: Path, *resources: Resource) -> Any:
    """What the first resource brings; the others stand beside it in the export."""
    first, *_ = items(tmp_path, *resources)
    return first


def base(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


BLANK = {"contentType": "text/plain", "data": base(" \n")}
EMPTY = {"contentType": "text/html", "data": base("<html></html>")}
PAGE = {"contentType": "application/xhtml+xml", "data": base("<p>No effusion.</p>")}


def concept(code: str, system: str = LOINC, display: str = "") -> Resource:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def document(**more: Any) -> Resource:
    attachment = {"contentType": "text/plain", "data": base("No effusion.")}
    return {
        "resourceType": "DocumentReference",
        "id": "d1",
        "status": "current",
        "subject": PATIENT,
        "content": [{"attachment": attachment}],
    } | more


def attached(**attachment: Any) -> Resource:
    return document(content=[{"attachment": attachment}])


def report(**more: Any) -> Resource:
    return {"resourceType": "DiagnosticReport", "id": "r1", "status": "final", "subject": PATIENT} | more


def condition(**more: Any) -> Resource:
    return {"resourceType": "Condition", "subject": PATIENT, "code": concept("I48", ICD)} | more


def observation(**more: Any) -> Resource:
    return {"resourceType": "Observation", "status": "final", "subject": PATIENT, "code": concept("718-7")} | more


def fact(code: str = "718-7", system: str = "loinc", **more: Any) -> StructuredFact:
    return StructuredFact("p1", system, code, collection="x", **more)


def rejected(field: str, reason: str, line: int = 1) -> Rejected:
    return Rejected("x.ndjson", line, field, reason)


def bundle(*entries: Resource, type: str = "collection") -> Resource:
    return {"resourceType": "Bundle", "type": type, "entry": list(entries)}
