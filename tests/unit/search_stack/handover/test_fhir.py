"""A Group that the FHIR library takes as valid."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from fhir.resources.R4B.group import Group

from search_stack.cohorts.version import Imported
from search_stack.handover.cover import Cover
from search_stack.handover.fhir import write_group
from search_stack.handover.row import Row


def written(tmp_path: Path, cover: Cover, ids: list[str], references: bool = False) -> tuple[dict[str, Any], list[str]]:
    path = tmp_path / "group.json"
    rows = [Row(patient_id=name, patient_no=n, kind="patient") for n, name in enumerate(ids)]
    told = write_group(path, rows, cover, references)
    assert told.rows == {"group.json": len(ids)}
    data = json.loads(path.read_bytes())
    Group.model_validate(data)
    return data, told.remarks


def test_a_group_by_hand(tmp_path: Path, cover: Cover) -> None:
    data, _ = written(tmp_path, cover, ["12", "a/b", "ä"])
    ledger = "urn:uuid:01234567-89ab-cdef-0123-456789abcdef"
    (provenance,) = data.pop("contained")
    assert data == {
        "resourceType": "Group",
        "identifier": [{"system": ledger, "value": "query"}],
        "type": "person",
        "actual": True,
        "name": "query",
        "quantity": 3,
        "characteristic": [
            {
                "code": {"text": "criterion"},
                "valueCodeableConcept": {"text": "pleural effusion ruled out"},
                "exclude": False,
            },
            {"code": {"text": "criterion"}, "valueCodeableConcept": {"text": "fever"}, "exclude": True},
        ],
        "member": [{"entity": {"type": "Patient", "identifier": {"value": name}}} for name in ("12", "a/b", "ä")],
    }
    assert provenance["resourceType"] == "Provenance"
    assert provenance["target"] == [{"reference": "#"}]
    assert provenance["recorded"].startswith("2024-06-01T10:00:00")
    assert provenance["occurredDateTime"].startswith("2024-05-06T07:08:09")
    assert [a["who"]["display"] for a in provenance["agent"]] == ["mo", "Aspectra 0.1.0"]
    assert provenance["entity"][0]["what"]["identifier"] == {"system": ledger}
    assert [e["what"]["display"] for e in provenance["entity"][1:]] == [
        "index generation g1, labels v1",
        "lexicon lex, rules rules",
        "encoder bi@1, reranker none",
    ]


def test_references_only_where_fhir_allows_them(tmp_path: Path, cover: Cover) -> None:
    data, remarks = written(tmp_path, cover, ["p-1", "a/b"], references=True)
    assert [m["entity"].get("reference") for m in data["member"]] == ["Patient/p-1", None]
    assert any("1 patients have an id" in r for r in remarks)


def test_nobody_and_no_query_are_valid_too(tmp_path: Path, cover: Cover) -> None:
    listed = replace(cover, found=replace(cover.found, origin=Imported(3, 0, 0, "f" * 64)))
    data, _ = written(tmp_path, listed, [])
    assert "member" not in data
    assert "characteristic" not in data
