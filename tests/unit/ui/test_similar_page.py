"""Passages like one: what says otherwise is told, and what is there several times is shown once."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from search_stack.core.schema import Finding, Hit, Scores
from search_stack.retrieval.similar import Near, Similar, otherwise
from ui.frame import Frame
from ui.place import Place
from ui.similar_page import SHOWN, kept, matched, similar_page

TEXT = "There is a small effusion at the left base, as it was on the film of the day before."


def passage(note: int, assertions: tuple[str, ...] = ("present",), patient: str = "p1", text: str = TEXT) -> Hit:
    findings = tuple(Finding("c1", "effusion", "finding", 17, 25, assertion) for assertion in assertions)
    return Hit(
        *(f"{note}.0", f"n{note}", note, patient, "letter", "2020-01-01", "", "", "", "", 0, len(text), text),
        highlights=(),
        scores=Scores(),
        matched="",
        findings=findings,
    )


def near(*hits: Hit) -> list[Near]:
    return [Near(hit, 1 - n / 100) for n, hit in enumerate(hits)]


def test_an_assertion_that_the_passage_does_not_make_is_told() -> None:
    here = passage(1)
    assert otherwise(here, passage(2)) == ()
    assert otherwise(here, passage(2, ())) == ()
    assert otherwise(here, passage(2, ("absent", "possible"))) == (("effusion", ("absent", "possible")),)
    assert otherwise(here, passage(2, ("present", "absent"))) == (("effusion", ("absent",)),)
    assert otherwise(passage(1, ("present", "absent")), here) == ()
    assert otherwise(passage(1, ()), passage(2, ("absent",))) == ()  # it names nothing that could be said otherwise
    assert matched(here, passage(2)).label == "close"
    found = matched(here, passage(2, ("absent",)))
    assert (found.label, "effusion: absent" in found.meaning) == ("says otherwise", True)


def test_near_copies_stand_behind_the_nearest_of_their_patient() -> None:
    found = near(passage(2), passage(3, patient="p2"), passage(4), passage(5, ("absent",)), passage(6, patient="p2"))
    shown = [(one.hit.note_key, [copy.hit.note_key for copy, _ in copies]) for one, copies in kept(found)]
    assert shown == [(2, [4]), (3, [6]), (5, [])]
    many = near(*(passage(n, patient=f"p{n}") for n in range(SHOWN + 5)))
    assert [one.hit.note_key for one, _ in kept(many)] == list(range(SHOWN))


def test_the_page_says_all_that_it_shows(app: Flask) -> None:
    found = Similar(
        passage(1), tuple(near(passage(2), passage(3))), tuple(near(passage(4, ("absent",), "p2"))), (passage(5),), 7
    )
    with app.test_request_context():
        page = similar_page(Frame("", "passage", False, True), found, Place("token"), {"p2": 7})
    assert [hit.note_key for hit in page.hits] == [1, 2, 3, 4, 5]
    assert ([one.hit.note_key for one in page.again], page.times) == ([5], 7)
    assert (page.passage.similar, page.back) == ("", "/results/token")
    (own,), (other,) = page.of_patient, page.of_others
    assert own.said == "1 near-copy, word for word"
    assert [copy.url for copy in own.copies] == ["/notes/3?passage=3.0&from=token#passage"]
    assert own.view.similar == "/notes/2/passages/0/similar?from=token"
    assert (other.view.record, other.view.stages[0].score) == ("/patients/7?from=token", "1.000")
    assert 'class="finding is-absent"' in other.view.text
    assert [one.assertion for one in other.view.said] == ["absent"]


def test_there_is_no_page_of_a_note_that_is_not_there(client: FlaskClient) -> None:
    for key in (1, 2**63, 2**70):
        assert client.get(f"/notes/{key}/passages/0/similar").status_code == 404
