"""FHIR: which documents and reports bring a note, and which bring none."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.readers import Rejected, Skipped, Withdrawn, open_source
from search_stack.core.schema import Note
from tests.unit.ingest.readers.fhir_export import (
    BLANK,
    ELSEWHERE,
    EMPTY,
    LOINC,
    NONE_OF,
    PAGE,
    UNKNOWN_SET,
    UTF16,
    Resource,
    attached,
    base,
    concept,
    document,
    only,
    rejected,
    report,
    written,
)


def test_every_field_of_a_document_is_read(tmp_path: Path) -> None:
    more = {
        "type": {"coding": [{"code": "11506-3", "display": "Progress note"}]},
        "date": "2019-03-04T23:30:00+02:00",
        "content": [{"attachment": {"contentType": "text/plain", "title": "Visit", "data": base("No effusion.")}}],
        "context": {"encounter": [{"reference": "EpisodeOfCare/1"}, {"reference": "Encounter/e1"}]},
        "id": "a_b",
        "description": "",
        "extension": [{}],
        "unknown": {"field": 1},
    }
    assert only(tmp_path, document(**more)) == Note(
        "DocumentReference/a_b", "No effusion.", "p1", "Progress note", date(2019, 3, 4), "Visit", "x", "e1"
    )


@pytest.mark.parametrize(
    ("fields", "day"),
    [
        ({"date": "2019-03-04"}, date(2019, 3, 4)),
        ({"date": "2019-03", "context": {"period": {"start": "2019-03-02"}}}, date(2019, 3, 2)),
        ({"date": "2019"}, None),
        ({}, None),
    ],
)
def test_the_day_of_a_document(tmp_path: Path, fields: Resource, day: date | None) -> None:
    assert only(tmp_path, document(**fields)).date == day


def test_a_malformed_date_rejects_the_note(tmp_path: Path) -> None:
    assert only(tmp_path, document(date="4.3.2019")) == rejected("date", "not an ISO date")


@pytest.mark.parametrize(
    ("attachment", "text"),
    [
        ({"contentType": "text/plain", "data": base("fièvre")}, "fièvre"),
        ({"contentType": "text/plain; charset=ISO-8859-1", "data": base("fièvre".encode("latin-1"))}, "fièvre"),
        ({"contentType": 'TEXT/PLAIN;charset="windows-1252"', "data": base(b"\x93ok\x94")}, "\u201cok\u201d"),
        ({"contentType": "text/plain", "data": base("fièvre".encode("utf-16"))}, "fièvre"),
        ({"contentType": "text/plain", "data": base("\ufefffever")}, "fever"),
        ({"data": base("fever")}, "fever"),
        ({"contentType": "text/plain", "data": "ZmV2\n ZXI="}, "fever"),
        ({"contentType": "text/html", "data": base("<p>No <b>fever</b></p>")}, "No fever"),
        ({"contentType": "application/xhtml+xml", "data": base("<p>No fever</p>")}, "No fever"),
        ({"contentType": "text/html", "data": base(b'<meta charset="latin1"><p>fi\xe8vre</p>')}, "fièvre"),
    ],
)
def test_attachments_that_are_read(tmp_path: Path, attachment: Resource, text: str) -> None:
    assert only(tmp_path, attached(**attachment)).text == text


@pytest.mark.parametrize(
    ("attachment", "field", "reason"),
    [
        ({"url": "Binary/1"}, "url", ELSEWHERE),
        ({"contentType": "text/plain"}, "data", "empty"),
        (
            {"contentType": "application/pdf", "data": base("%PDF")},
            "contentType",
            "is none of text/plain, text/html, application/xhtml+xml",
        ),
        ({"contentType": "text/plain", "data": "%%%"}, "data", "not base64"),
        ({"contentType": "text/plain", "data": "ZmV"}, "data", "not base64"),
        (
            {"contentType": "text/plain", "data": base(b"\xff")},
            "data",
            "not in its character set, which is UTF-8 where none is named",
        ),
        ({"contentType": "text/plain; charset=rot13", "data": base("x")}, "contentType", UNKNOWN_SET),
        ({"contentType": "text/plain; charset=unicode_escape", "data": base("x")}, "contentType", UNKNOWN_SET),
        ({"contentType": "text/html", "data": base("<p> </p>")}, "text", "empty"),
        ({"contentType": "text/plain", "data": base("No fever".encode("utf-16-le"))}, "text", UTF16),
        ({"contentType": "text/html", "data": base("<p>No fever</p>".encode("utf-16-le"))}, "text", UTF16),
        ({"contentType": "text/plain", "data": 7.5}, "data", "not a string or a whole number"),
    ],
)  # fmt: skip
def test_attachments_that_are_not_read(tmp_path: Path, attachment: Resource, field: str, reason: str) -> None:
    assert only(tmp_path, attached(**attachment)) == rejected(field, reason)


def test_of_several_forms_the_plainest_is_read(tmp_path: Path) -> None:
    forms = [
        {"contentType": "application/pdf", "data": base("%PDF")},
        {"contentType": "text/html", "data": base("<p>page</p>")},
        {"contentType": "text/plain", "data": base("plain")},
        {"contentType": "text/html", "url": "Binary/1"},
    ]
    assert only(tmp_path, document(content=[{"attachment": a} for a in forms])).text == "plain"
    assert only(tmp_path, document(content=[{"attachment": a} for a in forms[:2]])).text == "page"


def binary(type: str = "text/plain", data: str | bytes = "No effusion.", id: str = "b1") -> Resource:
    return {"resourceType": "Binary", "id": id, "contentType": type, "data": base(data)}


@pytest.mark.parametrize(
    "url", ["Binary/b1", "Binary/b1/_history/2", "https://server.example/fhir/Binary/b1", "urn:uuid:b1", "#b1"]
)
def test_an_attachment_in_a_binary_of_the_export(tmp_path: Path, url: str) -> None:
    pointing = attached(contentType="text/plain", url=url, title="Visit")
    inside, beside = ([binary()], []) if url == "#b1" else ([], [binary()])
    found = only(tmp_path, pointing | {"contained": inside}, *beside)
    assert (found.text, found.title) == ("No effusion.", "Visit")
    assert only(tmp_path, report(presentedForm=[{"url": url}], contained=inside), *beside).text == "No effusion."


def test_a_binary_in_another_file_of_the_folder(tmp_path: Path) -> None:
    written(tmp_path / "Binary.ndjson", binary(id="b0", data="of another"), binary())
    written(tmp_path / "DocumentReference.ndjson", attached(contentType="text/plain", url="Binary/b1"))
    found = [r.item for r in open_source(tmp_path, "fhir")]
    assert [i.text for i in found if isinstance(i, Note)] == ["No effusion."]


@pytest.mark.parametrize(
    ("told", "own", "data", "text"),
    [
        ("text/plain", "application/octet-stream", "<p>", "<p>"),
        ("", "text/html", "<p>ok</p>", "ok"),
        ("", "application/octet-stream", "<html><p>ok</p></html>", "ok"),
        ("text/plain; charset=latin1", "text/plain", b"fi\xe8vre", "fi\xe8vre"),
        ("text/plain", "text/plain; charset=latin1", b"fi\xe8vre", "fi\xe8vre"),
    ],
)
def test_the_content_type_of_an_attachment_in_a_binary(
    tmp_path: Path, told: str, own: str, data: str | bytes, text: str
) -> None:
    assert only(tmp_path, attached(contentType=told, url="Binary/b1"), binary(own, data)).text == text


@pytest.mark.parametrize(
    ("attachment", "field", "reason"),
    [
        ({"url": "Binary/b2"}, "url", ELSEWHERE),
        ({"url": "#b1"}, "url", ELSEWHERE),
        ({"url": "https://files.example/letters/b1"}, "url", ELSEWHERE),
        ({"url": "Patient/b1"}, "url", ELSEWHERE),
        ({"contentType": "text/plain", "url": "Binary/b1"}, "contentType", NONE_OF),
    ],
)
def test_binaries_that_are_not_there_or_no_text(tmp_path: Path, attachment: Resource, field: str, reason: str) -> None:
    assert only(tmp_path, attached(**attachment), binary("application/pdf", "%PDF")) == rejected(field, reason)


def test_texts_in_the_same_form_are_parts_of_the_note(tmp_path: Path) -> None:
    plain = [{"contentType": "text/plain", "data": base(text)} for text in ("First.", "Second.", "First.", " ")]
    page = {"contentType": "text/html", "data": base("<p>page</p>")}
    content = [{"attachment": a} for a in (page, *plain)]
    assert only(tmp_path, document(content=content)).text == "First.\n\nSecond."
    damaged = {"attachment": {"contentType": "text/plain", "data": "%"}}
    assert only(tmp_path, document(content=[*content, damaged])).text == "page"
    assert only(tmp_path, document(content=[*content[1:], damaged])) == rejected("data", "not base64")


def test_a_part_that_is_elsewhere_is_missed(tmp_path: Path) -> None:
    first = {"contentType": "text/plain", "data": base("First.")}
    other = {"contentType": "text/plain; charset=utf-8", "url": "Binary/b1"}
    page = {"contentType": "text/html", "data": base("<p>page</p>")}

    def read(*attachments: Resource, beside: tuple[Resource, ...] = ()) -> Any:
        return only(tmp_path, document(content=[{"attachment": a} for a in attachments]), *beside)

    assert read(first, other, beside=(binary(data="Second."),)).text == "First.\n\nSecond."
    assert read(first, other) == read(other, first) == read(other) == rejected("url", ELSEWHERE)
    assert read(first, other, page).text == "page"  # the whole of it in another form
    for no_part in ({"url": "Binary/b1"}, {"contentType": "application/pdf", "url": "Binary/b1"}, page | {"data": ""}):
        assert read(first, no_part).text == "First."


@pytest.mark.parametrize(
    ("begins", "item"),
    [
        ("{\\rtf1 No fever}", "contentType"),
        ("%PDF-1.7", "contentType"),
        ("<html><body>No fever</body></html>", "No fever"),
        ("\ufeff\n<!DOCTYPE HTML><p>No fever", "No fever"),
        ("<5 mg. No fever", "<5 mg. No fever"),
    ],
)
def test_without_a_content_type_the_first_bytes_tell(tmp_path: Path, begins: str, item: str) -> None:
    found = only(tmp_path, attached(data=base(begins)))
    assert (found.field if isinstance(found, Rejected) else found.text) == item


@pytest.mark.parametrize("status", ["additional", None])
def test_a_narrative_stands_in_for_an_attachment_elsewhere(tmp_path: Path, status: str | None) -> None:
    told = {"text": {"status": status, "div": "<div>No fever.</div>"}, "content": [{"attachment": {"url": "x"}}]}
    assert only(tmp_path, document(**told)).text == "No fever."


@pytest.mark.parametrize("status", ["generated", "extensions", "empty"])
def test_a_narrative_of_the_fields_is_no_document(tmp_path: Path, status: str) -> None:
    told = {"text": {"status": status, "div": "<div>Document d1</div>"}, "content": [{"attachment": {"url": "x"}}]}
    assert only(tmp_path, document(**told)) == rejected("url", ELSEWHERE)


@pytest.mark.parametrize(
    "fields", [{"status": "entered-in-error"}, {"status": "superseded"}, {"docStatus": "entered-in-error"}]
)
def test_a_document_that_was_withdrawn_is_named(tmp_path: Path, fields: Resource) -> None:
    assert only(tmp_path, document(**fields)) == Withdrawn("DocumentReference/d1", "x")
    assert only(tmp_path, document(**fields, content=[], subject={})) == Withdrawn("DocumentReference/d1", "x")


def test_a_report_that_was_withdrawn_is_named(tmp_path: Path) -> None:
    assert only(tmp_path, report(status="cancelled")) == Withdrawn("DiagnosticReport/r1", "x")


def test_every_field_of_a_report_is_read(tmp_path: Path) -> None:
    more = {
        "category": [{"text": "Radiology"}, {"text": "Imaging"}],
        "code": concept("36643-5", LOINC, "Chest X-ray"),
        "encounter": {"reference": "https://server.example/Encounter/e1"},
        "effectivePeriod": {"start": "2019-03-04T10:00:00Z"},
        "presentedForm": [{"contentType": "text/plain", "data": base("No effusion.")}],
    }
    assert only(tmp_path, report(**more)) == Note(
        "DiagnosticReport/r1", "No effusion.", "p1", "Radiology", date(2019, 3, 4), "Chest X-ray", "x", "e1"
    )


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"conclusion": "No effusion."}, "No effusion."),
        ({"text": {"status": "generated", "div": "<div>Clear.</div>"}}, "Clear."),
        ({"text": {"div": "<div>Clear.</div>"}, "conclusion": "No effusion."}, "Clear.\n\nCONCLUSION:\nNo effusion."),
        ({"text": {"div": "<div>Clear. No  effusion.</div>"}, "conclusion": "No effusion."}, "Clear. No effusion."),
        ({"conclusion": "No effusion.", "presentedForm": [{"url": "Binary/1"}]}, "No effusion."),
        ({"conclusion": "No effusion.", "presentedForm": [EMPTY]}, "No effusion."),
        ({"text": {"div": "<div>Clear.</div>"}, "presentedForm": [EMPTY]}, "Clear."),
        ({"conclusion": "Clear.", "presentedForm": [BLANK, EMPTY, PAGE]}, "No effusion."),
    ],
)
def test_a_report_without_a_form_that_can_be_read(tmp_path: Path, fields: Resource, text: str) -> None:
    assert only(tmp_path, report(**fields)).text == text


def test_a_report_without_words(tmp_path: Path) -> None:
    results = {"result": [{"reference": "Observation/1"}]}
    assert only(tmp_path, report(**results)) == Skipped("DiagnosticReport without a text")
    elsewhere = report(presentedForm=[{"contentType": "application/pdf", "url": "Binary/1"}])
    assert only(tmp_path, elsewhere) == rejected("url", ELSEWHERE)
