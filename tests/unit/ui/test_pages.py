"""Pages that need no engine: the start page, every error page, and the headers of all of them."""

from __future__ import annotations

import io
import logging
import re
from datetime import date
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.test import TestResponse

from ingest.ledger import Ledger
from search_stack.core.logs import TextLines
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.query.asked import EXAMPLES as FIELDS
from search_stack.query.asked import NAMES
from search_stack.query.nodes import (
    ANY,
    AllOf,
    During,
    Fact,
    FieldIs,
    Finding,
    Near,
    Node,
    Not,
    Phrase,
    Pick,
    Topic,
    Words,
)
from search_stack.query.tree import all_of, any_of
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import Answer, Counts, FacetValue, Scope
from search_stack.retrieval.counting import MOST_PAIRS, facet_scope
from ui.app import create_app
from ui.builder_page import EXAMPLES as BUILT
from ui.home_page import DEMO_EXAMPLES, EXAMPLES, SYNTAX
from ui.request_ids import HEADER
from ui.security import CONTENT_SECURITY_POLICY, LARGEST_BODY

SECRET = "gossamer"


@pytest.fixture(scope="module")
def note_key(ledger: Ledger) -> int:
    text = f"FINDINGS: <b>{SECRET}</b> & effusion.\n\n  IMPRESSION: none.\n"
    ledger.put(
        [Note("demo-0001", text, "P-1", "clinic letter", date(2021, 2, 3), "", "demo")], ledger.start_run("x", "x")
    )
    return 1


def _hardened(response: TestResponse) -> bool:
    return (
        response.headers.getlist("Content-Security-Policy") == [CONTENT_SECURITY_POLICY]
        and response.headers["X-Content-Type-Options"] == "nosniff"
        and response.headers["Referrer-Policy"] == "same-origin"
        and "Set-Cookie" not in response.headers
    )


def test_the_start_page_teaches_fields_and_ingestion(client: FlaskClient) -> None:
    response = client.get("/")
    page = response.get_data(as_text=True)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "There are no notes to search yet." in page
    assert "aspectra ingest PATH" in page
    for name, (_, told) in NAMES.items():
        assert f"<code>{name}:" in page
        assert str(escape(told)) in page


@pytest.mark.parametrize("line", [line for line, _ in EXAMPLES])
def test_every_example_can_be_asked(client: FlaskClient, line: str) -> None:
    assert line in client.get("/").get_data(as_text=True).replace("&#34;", '"')
    assert client.post("/search", data={"line": line}).status_code == 303


def test_the_builder_begins_with_questions_to_try(client: FlaskClient) -> None:
    page = client.get("/build").get_data(as_text=True)
    for line, _ in BUILT:
        assert f'name="meant" value="{line}"' in page
        tried = client.post("/build", data={"line": "", "meant": line})  # the engine is away: the line is kept
        assert f'value="{line}"' in tried.get_data(as_text=True)


def test_where_nobody_signs_in_every_page_leads_to_administration(client: FlaskClient) -> None:
    for path in ("/", "/build", "/nowhere"):
        assert 'How it does: <a href="/admin">administration</a>' in client.get(path).get_data(as_text=True)


PNEUMOTHORAX, EFFUSION, COUGH = Finding("pneumothorax"), Finding("pleural effusion"), Finding("cough")
NOT_FEVER = all_of([COUGH, Not(Finding("fever"))])
TAUGHT: dict[str, Node] = {
    "pneumothorax within 30 days after pacemaker": Near(0, 30, Finding("pneumothorax"), Finding("pacemaker")),
    "first stroke since 2019": During("2019-01-01", "", Pick("first", Finding("stroke"))),
    "women over 60 with atrial fibrillation": AllOf(
        (FieldIs("sex", "female"), FieldIs("age", ">60"), Finding("atrial fibrillation"))
    ),
    "fact:icd10:I48": Fact("icd10", "I48"),
    "sex:female": FieldIs("sex", "female"),
    "age:>60": FieldIs("age", ">60"),
    "cohort:copd": FieldIs("cohort", "copd"),
    "pleural effusion": EFFUSION,
    "no fever": Finding("fever", "absent"),
    "cough -fever": NOT_FEVER,
    "embolism OR thrombosis": any_of([Finding("embolus", "present"), Finding("thrombus", "present")]),
    '"chest pain"': Phrase("chest pain"),
    "pneumothorax": PNEUMOTHORAX,
    "no pneumothorax": Finding("pneumothorax", "absent"),
    "pleural effusion without pneumothorax": all_of([EFFUSION, Not(PNEUMOTHORAX)]),
    "treatment of heart failure": Topic("congestive heart failure", "treatment"),
    '"shortness of breath" type:"discharge summary"': all_of(
        [Phrase("shortness of breath"), FieldIs("type", "discharge summary")]
    ),
    "women over 60 with pneumothorax within 30 days after pacemaker": AllOf(
        (
            FieldIs("sex", "female"),
            FieldIs("age", ">60"),
            Near(0, 30, Finding("pneumothorax"), Finding("pacemaker")),
        )
    ),
    "heart failure fact:icd10:I48": AllOf((Finding("congestive heart failure"), Fact("icd10", "I48"))),
    "trouble breathing": Finding("shortness of breath"),
    "finding:pneumothorax absent": Finding("pneumothorax", "absent"),
    "entity:asthma": Topic("asthma"),
    'words:"left lower lobe"': Words("left lower lobe"),
    "section:impression": FieldIs("section", "impression"),
    'type:"radiology report"': FieldIs("type", "radiology report"),
    "aspect:treatment": FieldIs("aspect", "treatment"),
    "after:2019-01-01": FieldIs("after", "2019-01-01"),
    "before:2024-01-01": FieldIs("before", "2024-01-01"),
    "patient:P-00317": FieldIs("patient", "P-00317"),
    "note:demo-0001": FieldIs("note", "demo-0001"),
    "collection:demo": FieldIs("collection", "demo"),
}
"""What the start page teaches, as the text beside it says it is read."""
BESIDE: dict[str, Node] = {
    "possible fever": Finding("fever", "possible"),
    "fever historical": Finding("fever", "historical"),
    "fever family": Finding("fever", "family"),
    "cough NOT fever": NOT_FEVER,
    "cough without fever": NOT_FEVER,
    "finding:fever any": Finding("fever", ANY),
    'entity:"asthma; treatment"': Topic("asthma", "treatment"),
    "words:fever": Words("fever"),
    "dyspnea": Finding("shortness of breath"),
    "SOB": Finding("shortness of breath"),
    "after:2019": FieldIs("after", "2019-01-01"),
    "after:2019-03": FieldIs("after", "2019-03-01"),
}
"""What the texts name besides their examples."""


def test_the_syntax_that_is_taught_is_the_parser_s(understanding: Understanding) -> None:
    taught = [*(line for line, _ in (*SYNTAX, *EXAMPLES, *DEMO_EXAMPLES)), *FIELDS.values()]
    assert sorted(taught) == sorted(TAUGHT)
    for line, node in (TAUGHT | BESIDE).items():
        found = understanding.understand(line)
        assert (line, found.query) == (line, node)
        assert not found.notices


@pytest.mark.parametrize("path", ["/", "/nowhere", "/results/unknown", "/static/aspectra.css", "/notes/7"])
def test_every_response_is_hardened(client: FlaskClient, path: str) -> None:
    assert _hardened(client.get(path))


@pytest.mark.parametrize("path", ["/", "/nowhere", "/results/unknown"])
def test_no_page_holds_inline_script_style_or_foreign_addresses(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script>", page)
    assert not re.search(r"""(?:href|src|action)="(?:https?:)?//""", page)


def test_the_shell_around_the_policy_has_no_hole() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'")


@pytest.mark.parametrize("host", ["localhost", "localhost:8600", "LOCALHOST:1", "127.0.0.1:9", "[::1]:8600", "[::1]"])
def test_names_of_this_machine_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:80", "127.0.0.1.nip.io", "[::2]", "x@localhost"]
)
def test_foreign_names_are_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_a_search_moves_the_line_out_of_the_address(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": SECRET, "scope": ["passage", "patient"]})
    assert response.status_code == 303
    assert re.fullmatch(r"/results/[\w-]{22}\?scope=patient", response.headers["Location"])


def test_a_link_with_a_query_does_the_same(client: FlaskClient) -> None:
    response = client.get("/", query_string={"q": SECRET})
    assert response.status_code == 303
    assert SECRET not in response.headers["Location"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"chest pain', "A quote (&#34;) is not closed."),
        ("", "The query is empty."),
        ("sectoin:impression", "There is no field sectoin."),
        ("after:soon", "after:soon is not a date."),
    ],
)
def test_a_line_that_cannot_be_read_is_explained_and_kept(client: FlaskClient, line: str, message: str) -> None:
    response = client.post("/search", data={"line": line})
    page = response.get_data(as_text=True)
    assert response.status_code == 400
    assert message in page
    assert f'value="{line.replace(chr(34), "&#34;")}"' in page
    assert FIELDS["section"] in page


def test_a_line_far_too_long_gets_its_own_message(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": "a" * 100_000})
    assert response.status_code == 400
    assert "The query has 100,000 characters; at most 2,000 are read." in response.get_data(as_text=True)


def test_a_body_beyond_all_measure_is_refused(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": "a" * LARGEST_BODY})
    assert response.status_code == 413
    assert "This is too much to read" in response.get_data(as_text=True)


def test_an_unknown_token_has_expired(client: FlaskClient) -> None:
    response = client.get("/results/AAAAAAAAAAAAAAAAAAAAAA")
    assert response.status_code == 410
    page = response.get_data(as_text=True)
    assert "This search has expired" in page
    assert 'type="search" value=""' in page


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere", 404), ("GET", "/notes/999", 404), ("GET", f"/notes/{10**30}", 404), ("POST", "/notes/1", 405)],
)
def test_other_errors_are_pages_too(client: FlaskClient, method: str, path: str, status: int) -> None:
    response = client.open(path, method=method)
    assert response.status_code == status
    assert "Aspectra" in response.get_data(as_text=True)
    assert ("Allow" in response.headers) == (status == 405)


@pytest.mark.parametrize(("path", "gone"), [("/notes/999", True), ("/patients/999", True), ("/nowhere", False)])
def test_that_a_note_may_be_gone_is_said_where_notes_are(client: FlaskClient, path: str, gone: bool) -> None:
    assert ("The note may have been deleted" in client.get(path).get_data(as_text=True)) == gone


def test_a_note_is_shown_whole(client: FlaskClient, note_key: int) -> None:
    response = client.get(f"/notes/{note_key}")
    page = response.get_data(as_text=True)
    assert response.status_code == 200
    assert f"&lt;b&gt;{SECRET}&lt;/b&gt; &amp; effusion.\n\n  " in page
    assert '<time datetime="2021-02-03">' in page


@pytest.mark.parametrize("path", ["/", "/nowhere", "/notes/1", "/results/unknown"])
def test_the_demo_notice_is_on_every_page(client: FlaskClient, note_key: int, path: str) -> None:
    assert "Synthetic demonstration notes – no real patients." in client.get(path).get_data(as_text=True)


@pytest.mark.parametrize("arguments", ["scope=galaxy&page=x", "page=-1", "page=0", f"page={'9' * 5000}", "page=²"])
def test_odd_arguments_do_no_harm(client: FlaskClient, note_key: int, arguments: str) -> None:
    assert client.get(f"/notes/{note_key}?from=x&{arguments}").status_code == 200


def test_an_unforeseen_error_shows_and_logs_no_text(settings: Settings, ledger: Ledger) -> None:
    app = _failing(settings, ledger)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(TextLines())
    logging.getLogger().addHandler(handler)
    try:
        response = app.test_client().get("/fails", headers={HEADER: "mine"})
    finally:
        logging.getLogger().removeHandler(handler)
    page, log = response.get_data(as_text=True), written.getvalue()
    assert response.status_code == 500
    assert "Something went wrong on our side" in page
    reference = re.search(r"<code>([0-9a-f]{12})</code>", page)
    assert reference
    assert reference[1] == response.headers[HEADER]
    assert f"request={reference[1]}" in log
    assert "RuntimeError" in log
    assert SECRET not in page + log
    assert "Traceback" not in page + log


def test_every_answer_has_an_id_of_its_own(client: FlaskClient) -> None:
    ids = {client.get(path).headers[HEADER] for path in ("/", "/nowhere", "/static/aspectra.css", "/")}
    assert len(ids) == 4


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"start":' * 20_000,
        b"{",
        b"",
        b"null",
        b"[]",
        b'"eff"',
        b'{"start": 1}',
        b'{"start": null}',
        b'{"stop": "eff"}',
        b"\xff\xfe\x00",
    ],
)
def test_a_body_that_is_no_start_of_a_word_is_refused(client: FlaskClient, body: bytes) -> None:
    response = client.post("/complete", data=body, content_type="application/json")
    assert response.status_code == 400


@pytest.mark.parametrize("path", ["/", "/notes/1", "/results/x"])
def test_an_address_of_stray_bytes_is_refused(client: FlaskClient, path: str) -> None:
    assert client.get(path, environ_overrides={"QUERY_STRING": "q=\xa5\xff"}).status_code == 400


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_said_to_be_json_is_refused(client: FlaskClient, content_type: str) -> None:
    response = client.post("/complete", data=b'{"start": "eff"}', content_type=content_type)
    assert response.status_code in (400, 415)


def _results(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    criteria: tuple[int, ...],
    number: int,
    pages: int = 0,
    facets: dict[str, tuple[FacetValue, ...]] | None = None,
    scope: Scope = "passage",
    patients: int = 0,
) -> str:
    """The page of ``line`` over an answer with these numbers, of each criterion and of all together; ``patients`` have
    all of it, where no passage has."""
    searcher = app.extensions["aspectra"].searcher
    query = searcher.understand(line).query
    counts = Counts(number, number, number, 0)
    answer = Answer(scope, (), 1, pages, number, 0, 0, counts, facets or {}, {}, 0, criteria, query=query)
    monkeypatch.setattr(searcher, "search", lambda *_, **__: answer)
    monkeypatch.setattr(searcher, "cohort", lambda *_: (SimpleNamespace(patients=range(patients)), ()))
    client = app.test_client()
    return client.get(client.post("/search", data={"line": line}).headers["Location"]).get_data(as_text=True)


def test_the_results_show_what_was_understood(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    page = _results(app, monkeypatch, "Could you find tuburculosis without cough", (1204, 7), 7)
    assert ">7 passages say that tuberculosis is present, without cough, in 7 notes of 7 patients.<" in page
    assert '1,204<span class="visually-hidden"> passages by itself</span>' in page
    assert 'value="-finding:cough present" title="Take it off"' in page
    assert "<q>Could you find</q>" in page
    assert "&#34;tuburculosis&#34; was understood as tuberculosis." in page
    offered = 'value="Could you find &#34;tuburculosis&#34; without cough">Search for the word as typed<span'
    assert offered + ' class="visually-hidden">: <q>… find &#34;tuburculosis&#34; without …</q></span></button>' in page
    assert 'aria-pressed="true">\n          <span class="way-name">not present<' in page


def test_where_nothing_was_found_it_is_said_what_has_none(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    page = _results(app, monkeypatch, "fever section:impression", (3, 0), 0)
    assert "Nothing was found" in page
    assert "have been ingested" not in page  # some say fever
    assert "have been ingested" in _results(app, monkeypatch, "fever section:impression", (0, 0), 0)
    offered = re.search(r"No passage is in the section impression. <button[^>]* value=\"([^\"]*)\"", page)
    assert offered
    assert offered[1] == "fever"
    together = _results(app, monkeypatch, "fever cough", (5, 3), 0)
    assert "Each criterion is met somewhere" in together
    assert "Each criterion is met somewhere" not in page


def test_where_there_is_nobody_nothing_is_offered_to_be_done_with_them(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = (">Save cohort<", ">Compare<", ">Export<")
    nobody = _results(app, monkeypatch, "fever cough", (5, 3), 0)
    assert "Nobody is found, so there is nothing to save, compare or export." in nobody
    assert not any(act in nobody for act in acts)
    assert "List the patients" not in nobody
    # A cohort is of patients, who may have in several notes what no passage has.
    apart = _results(app, monkeypatch, "fever cough", (5, 3), 0, patients=2)
    assert all(act in apart for act in acts)
    assert "2 patients have it all, but in no one passage." in apart
    assert 'name="scope" value="patient">List the patients' in apart
    found = _results(app, monkeypatch, "fever cough", (5, 3), 2)
    assert all(act in found for act in acts)
    assert "List the patients" not in found


def test_a_page_beyond_the_last_leads_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "There is only 1 page" in _results(app, monkeypatch, "fever", (3,), 3, pages=1)


def test_what_no_line_can_ask_for_cannot_be_pressed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    facets: dict[str, tuple[FacetValue, ...]] = {"year": (FacetValue("2020", 2),), "type": (FacetValue("", 2),)}
    page = _results(app, monkeypatch, "after:2020 before:2021", (2, 2), 2, facets=facets)
    buttons = re.findall(r'<button class="(?:year|facet-row)"[^>]*>', page)
    assert len(buttons) == 2
    assert all('value=""' in b and " disabled" in b for b in buttons)
    assert "none given" in page


@pytest.mark.parametrize(("scope", "told"), [("passage", False), ("patient", True)])
def test_facets_that_count_something_else_say_what(
    app: Flask, monkeypatch: pytest.MonkeyPatch, scope: Scope, told: bool
) -> None:
    facets: dict[str, tuple[FacetValue, ...]] = {"type": (FacetValue("letter", 2),)}
    page = _results(app, monkeypatch, "fever", (3,), 3, facets=facets, scope=scope)
    assert ("Counted in passages" in page) is told


def test_very_many_passages_make_facets_count_those() -> None:
    assert [facet_scope("patient", n) for n in (MOST_PAIRS, MOST_PAIRS + 1)] == ["patient", "passage"]


def _failing(settings: Settings, ledger: Ledger) -> Flask:
    app = create_app(settings, ledger=ledger)

    @app.get("/fails")
    def fails() -> str:
        raise RuntimeError(SECRET)

    return app


def test_without_accounts_nothing_asks_for_them(client: FlaskClient) -> None:
    assert client.get("/").status_code == 200
    assert "form_key" not in client.get("/").text
    assert client.get("/api/v1/notes").status_code == 200
    assert client.get("/sign-in").status_code == 404
    assert client.post("/password").status_code == 404
