"""Review over the page where people sign in: blind, kept, told in the trail. No engine answers here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from pyroaring import BitMap
from werkzeug.test import TestResponse

from access.audit.entry import Action
from access.purposes import Purposes
from access.roles import Role
from ingest.cohorts.store import Store
from ingest.review.store import Reviews
from search_stack.cohorts.rows import Rows
from search_stack.cohorts.version import Asked, Found, NoteStates, Provenance
from search_stack.core.schema import Merge, Note
from search_stack.review.queue import in_order
from tests.unit.ui.test_access import PASSWORD, SITE, form_key, get, post, sign_in
from tests.unit.ui.test_audit import Place
from ui.app import create_app

TEXT = "Large <left> effusion,\n  since the operation."


class Reviewed(Place):
    """With a cohort of three patients, by a note each, and two reviewers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name in ("dr.lee", "dr.kim"):
            once = self.accounts.add(name, Role.REVIEWER)
            self.accounts.change_password(self.accounts.named(name), once, PASSWORD)
            Purposes(self.ledger.engine).add(self.purpose, name)
        notes = [Note(f"r{n}", TEXT, f"q{n}", date=date(2020, 1, n)) for n in (1, 2, 3)]
        self.ledger.put(notes, self.ledger.start_run("y", "csv"))
        numbers = self.ledger.people.numbers(["q1", "q2", "q3"])
        self.patients = [numbers[f"q{n}"] for n in (1, 2, 3)]
        keys = {note.note_id: note.key for note in self.ledger.listing.notes(0, 100)}
        self.notes = [keys[f"r{n}"] for n in (1, 2, 3)]
        self.store = Store(self.ledger.engine, self.purpose.id)
        self.store.save("effusion", self.found(), "mo")
        self.reviews = Reviews(self.ledger.engine, 1)
        self.order = in_order(np.array(sorted(self.patients), dtype=np.int64), 1).tolist()

    def found(self, version: int = 1) -> Found:
        keys = np.array(self.notes, dtype=np.int64)
        same = np.ones_like(keys)
        return Found(
            unit="patient",
            origin=Asked({"finding": "pleural effusion", "assertion": "present"}, "effusion"),
            patients=BitMap(self.patients),
            provenance=Provenance(datetime(2027, 1, 1, tzinfo=UTC), self.ledger.identity, 0, 99),
            rows=Rows.of(np.array(self.patients), same * 18_262, keys),
            notes=NoteStates(keys, same * version, same * 0, same),
        )


class Reader:
    """Somebody who has signed in, and types forms."""

    def __init__(self, place: Place, name: str) -> None:
        self.client: FlaskClient = sign_in(place.app, name)
        self.key = form_key(self.client)

    def get(self, path: str) -> TestResponse:
        return get(self.client, path)

    def post(self, path: str, **fields: str) -> TestResponse:
        return post(self.client, path, form_key=self.key, **fields)

    def decide(self, patient: int, verdict: str, **fields: str) -> TestResponse:
        return self.post(f"/cohorts/1/review/{patient}", verdict=verdict, version="1", **fields)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Reviewed]:
    made = Reviewed(tmp_path)
    yield made
    made.ledger.engine.dispose()


def test_who_reviews_alone_is_led_to_the_export(place: Reviewed) -> None:
    """Where nobody signs in, and who runs it does all."""
    settings = place.app.extensions["aspectra"].settings.model_copy(update={"accounts": False})
    alone = create_app(settings, ledger=place.ledger).test_client()
    kept = Store(place.ledger.engine).save("alone", place.found(), "me")
    here = f"/cohorts/{kept.cohort_id}"
    for patient in place.patients:
        alone.post(f"{here}/review/{patient}", data={"verdict": "include", "version": "1"})
    done = alone.get(f"{here}/review").text
    assert "decided on every patient" in done
    assert f'href="{here}/versions/1/export"' in done


def test_one_patient_after_the_other_until_all_are_decided(place: Reviewed) -> None:
    lee = Reader(place, "dr.lee")
    for number, patient in enumerate(place.order):
        there = lee.get("/cohorts/1/review")
        assert (there.status_code, there.headers["Location"]) == (303, f"/cohorts/1/review/{patient}")
        shown = lee.get(there.headers["Location"])
        assert f"<span data-decided>{number}</span> of 3" in shown.text
        assert "What the notes say cannot be told now" in shown.text
        assert lee.decide(patient, "include").headers["Location"] == "/cohorts/1/review"
    done = lee.get("/cohorts/1/review")
    assert (done.status_code, "decided on every patient" in done.text) == (200, True)
    assert "/export" not in done.text  # which a reviewer may not do
    assert lee.get("/cohorts/2/review").status_code == 404
    assert lee.get(f"/cohorts/{2**70}/review").status_code == 404
    assert lee.get("/cohorts/1/review/1").status_code == 404  # a patient, and not of the cohort


def test_a_script_hears_whom_to_show_next(place: Reviewed) -> None:
    lee = Reader(place, "dr.lee")
    first, second, third = place.order
    page = lee.get(f"/cohorts/1/review/{first}").text
    assert f'data-next="/cohorts/1/review/{second}"' in page
    path, fields = f"/cohorts/1/review/{second}", {"verdict": "doubt", "version": "1", "form_key": lee.key}
    said = lee.client.post(path, base_url=SITE, data=fields, headers={"Accept": "application/json"})
    (made,) = place.reviews.standing().of("dr.lee").values()
    assert said.json == {"undo": made.id, "decided": 1, "next": f"/cohorts/1/review/{third}"}


def test_reviewers_hear_nothing_of_what_others_decide(place: Reviewed) -> None:
    lee, kim = Reader(place, "dr.lee"), Reader(place, "dr.kim")
    before = kim.get(f"/cohorts/1/review/{place.order[0]}").text
    lee.decide(place.order[0], "exclude", reason="canary-reason", comment="canary-comment")
    after = kim.get(f"/cohorts/1/review/{place.order[0]}").text
    assert "canary" not in after
    counted = re.compile(r'<div class="review-count-of">.*?</div>', re.DOTALL)
    strip = re.compile(r"\s+")
    assert strip.sub("", counted.sub("", after)) == strip.sub("", counted.sub("", before))
    assert re.search(r'dr\.lee</span>\s*<progress max="3" value="1"', after)
    for path in ("/cohorts/1/review/agreement", "/cohorts/1/adjudicate", f"/cohorts/1/adjudicate/{place.order[0]}"):
        assert kim.get(path).status_code == 403
    made = place.reviews.standing().of("dr.lee")[place.order[0]]
    assert kim.post("/cohorts/1/review/undo", decision=str(made.id)).status_code == 404
    assert place.reviews.standing().of("dr.lee")


def test_an_undo_shows_the_patient_again(place: Reviewed) -> None:
    lee = Reader(place, "dr.lee")
    first = place.order[0]
    lee.decide(first, "exclude", reason="wrong side")
    made = place.reviews.standing().of("dr.lee")[first]
    page = lee.get("/cohorts/1/review/" + str(place.order[1])).text
    assert f'name="decision" value="{made.id}"' in page
    assert '<option value="wrong side">' in page
    back = lee.post("/cohorts/1/review/undo", decision=str(made.id))
    assert (back.status_code, back.headers["Location"]) == (303, f"/cohorts/1/review/{first}")
    assert place.reviews.standing().of("dr.lee") == {}


def test_a_decision_outlives_a_new_version_and_says_that_the_evidence_changed(place: Reviewed) -> None:
    lee = Reader(place, "dr.lee")
    for patient in place.order:
        lee.decide(patient, "include")
    assert "has changed since" not in lee.get("/cohorts/1/review").text
    place.store.save("effusion", place.found(version=2), "mo")
    done = lee.get("/cohorts/1/review").text
    assert "The evidence of 3 patients has changed since you decided" in done
    again = lee.get(f"/cohorts/1/review/{place.order[0]}").text
    assert "by version 1. The evidence has changed since." in again
    lee.post(f"/cohorts/1/review/{place.order[0]}", verdict="include", version="2")
    assert "The evidence of 2 patients has changed" in lee.get("/cohorts/1/review").text


def test_fields_are_checked_and_quotes_must_stand_in_a_note(place: Reviewed) -> None:
    mo, lee = Reader(place, "manager"), Reader(place, "dr.lee")
    for name, kind, choices in (("Size", "number", ""), ("Side", "choice", "left\nright"), ("Cause", "text", "")):
        assert mo.post("/cohorts/1/review/fields", name=name, kind=kind, choices=choices).status_code == 303
    refused = mo.post("/cohorts/1/review/fields", name="Side", kind="choice", choices="one")
    assert (refused.status_code, "needs choices" in refused.text) == (400, True)
    first = place.order[0]
    wrong = lee.decide(first, "include", comment="kept <b>", **{"field-1": "large"})
    assert (wrong.status_code, "Size is no number." in wrong.text) == (400, True)
    assert "kept &lt;b&gt;" in wrong.text  # what was typed is not lost
    unfound = lee.decide(first, "include", **{"field-3": "heart", "quote-3": "small effusion"})
    assert (unfound.status_code, "stand in no note" in unfound.text) == (400, True)
    assert place.reviews.standing().of("dr.lee") == {}
    kept = lee.decide(
        first,
        "include",
        **{"field-1": "2.50", "field-2": "left", "field-3": "heart", "quote-3": "effusion, since  the"},
    )
    assert kept.status_code == 303
    values = place.reviews.standing().of("dr.lee")[first].given.values
    assert [values[n].said for n in (1, 2, 3)] == ["2.5", "left", "heart"]
    quote = values[3].quote
    assert quote is not None
    assert (quote.note, TEXT[quote.begin : quote.end]) == (
        place.notes[place.patients.index(first)],
        "effusion,\n  since the",
    )
    shown = lee.get(f"/cohorts/1/review/{first}").text
    assert 'value="2.5"' in shown
    assert "since the</textarea>" in shown
    mo.post("/cohorts/1/review/fields/1/retire")
    assert [field.name for field in place.reviews.fields()] == ["Side", "Cause"]


def test_nonsense_is_refused(place: Reviewed) -> None:
    lee = Reader(place, "dr.lee")
    first = place.order[0]
    assert lee.decide(first, "maybe").status_code == 400
    assert lee.post(f"/cohorts/1/review/{first}", verdict="include").status_code == 400
    assert lee.post(f"/cohorts/1/review/{first}", verdict="include", version="9").status_code == 400
    assert lee.post(f"/cohorts/1/review/{first}/mark", mark="x maybe", version="1").status_code == 400
    assert lee.decide(1, "include").status_code == 404  # a patient, and not of the cohort
    assert lee.decide(10**30, "include").status_code == 404
    assert lee.post("/cohorts/1/review/undo", decision="x").status_code == 400
    assert place.reviews.standing().reviewers == ()


def test_what_reviewers_differ_on_is_settled(place: Reviewed) -> None:
    lee, kim, mo = (Reader(place, name) for name in ("dr.lee", "dr.kim", "manager"))
    assert "Nobody has decided yet" in mo.get("/cohorts/1/review/agreement").text
    for reader, verdicts in ((lee, "include include exclude"), (kim, "include exclude exclude")):
        for patient, verdict in zip(place.order, verdicts.split(), strict=True):
            reader.decide(patient, verdict, reason=f"by {verdict}")
    told = mo.get("/cohorts/1/review/agreement").text
    # By hand: 2 of 3 alike, by chance 1/3 · 2/3 + 2/3 · 1/3 = 4/9, kappa (2/3 - 4/9) / (5/9) = 0.4.
    assert "0.40 (" in told
    assert "Settle 1 disagreement<" in told
    there = mo.get("/cohorts/1/adjudicate").headers["Location"]
    assert there == f"/cohorts/1/adjudicate/{place.order[1]}"
    page = mo.get(there).text
    assert "by include" in page
    assert "by exclude" in page
    assert mo.get(f"/cohorts/1/adjudicate/{place.patients[0] + 99}").status_code == 404
    assert mo.post(there, verdict="exclude", version="1", reason="none is seen").status_code == 303
    done = mo.get("/cohorts/1/adjudicate")
    assert (done.status_code, "none is seen" in done.text) == (200, True)
    settled = place.reviews.final()[place.order[1]]
    assert mo.post("/cohorts/1/adjudicate/undo", decision=str(settled.id)).headers["Location"] == there
    assert mo.get("/cohorts/1/adjudicate").status_code == 303
    assert mo.get("/cohorts/1/review").status_code == 403  # who adjudicates does not review


def test_the_trail_has_who_looked_and_who_decided(place: Reviewed) -> None:
    lee, mo = Reader(place, "dr.lee"), Reader(place, "manager")
    first = place.order[0]
    name = place.ledger.people.ids(np.array([first]))[first]
    lee.get(f"/cohorts/1/review/{first}")
    kept = place.last()
    assert (kept.action, kept.patients, kept.about["cohort"]) == (Action.REVIEW, (name,), 1)
    lee.decide(first, "doubt", comment="canary8317")
    kept = place.last()
    assert (kept.action, kept.patients, kept.about["verdict"]) == (Action.DECIDE, (name,), "doubt")
    assert "canary" not in str(kept)
    decision = place.reviews.standing().of("dr.lee")[first]
    lee.post("/cohorts/1/review/undo", decision=str(decision.id))
    kept = place.last()
    assert (kept.action, kept.patients, kept.about["verdict"]) == (Action.DECIDE, (name,), "undo")
    lee.decide(first, "include")
    mo.get(f"/cohorts/1/adjudicate/{first}")
    assert (place.last().action, place.last().patients) == (Action.ADJUDICATE, (name,))


def test_ids_that_are_one_patient_now_are_reviewed_as_one(place: Reviewed) -> None:
    lee, mo = Reader(place, "dr.lee"), Reader(place, "manager")
    first, second, third = place.patients
    for patient, verdict in ((first, "include"), (second, "exclude"), (third, "doubt")):
        lee.decide(patient, verdict, reason=f"of q{place.patients.index(patient) + 1}")
    assert "decided on every patient" in lee.get("/cohorts/1/review").text
    place.ledger.merges.put([Merge("q1", "q2")])
    # They said two things of one patient, who comes back with both.
    there = lee.get("/cohorts/1/review").headers["Location"]
    assert there == f"/cohorts/1/review/{second}"
    page = re.sub(r"\s+|<[^>]*>", " ", lee.get(there).text)
    assert "what you said of them differs. Decide on the patient." in page
    assert re.search(r"dr\.lee, of q1: +include", page)
    assert re.search(r"dr\.lee, of q2: +exclude", page)
    assert "1 of 2" in re.sub(r" +", " ", page)
    assert lee.get(f"/cohorts/1/review/{first}").headers["Location"] == there
    assert "Settle 1 disagreement<" in mo.get("/cohorts/1/review/agreement").text
    dispute = mo.get("/cohorts/1/adjudicate").headers["Location"]
    assert dispute == f"/cohorts/1/adjudicate/{second}"
    assert "of q1" in mo.get(dispute).text
    # What they say of the patient takes the place of both, also where a page from before is sent.
    assert lee.decide(first, "include", reason="of both").status_code == 303
    assert "decided on every patient" in lee.get("/cohorts/1/review").text
    assert "The evidence is the same." in lee.get(there).text
    assert mo.get("/cohorts/1/adjudicate").status_code == 200
    # Taken back, each has what was said of it.
    place.ledger.merges.put([Merge("q1")])
    own = place.reviews.standing().of("dr.lee")
    assert {no: (one.verdict, one.given.reason) for no, one in own.items()} == {
        first: ("include", "of q1"),
        second: ("exclude", "of q2"),
        third: ("doubt", "of q3"),
    }
    assert "decided on every patient" in lee.get("/cohorts/1/review").text


def test_where_words_were_taken_out_the_pages_say_so(place: Reviewed) -> None:
    lee, kim, mo = (Reader(place, name) for name in ("dr.lee", "dr.kim", "manager"))
    first = place.patients[0]
    lee.decide(first, "include", reason="canary", comment="canary")
    kim.decide(first, "exclude")
    mo.post(f"/cohorts/1/adjudicate/{first}", verdict="include", version="1", comment="canary")
    place.ledger.mark_deleting(["r1"])
    gone, stands = "(reason, comment, free text) was removed", "verdict stands."
    assert f"What you wrote {gone} with it" in (own := lee.get(f"/cohorts/1/review/{first}").text)
    assert "The evidence is the same." not in own  # a note of it was deleted
    assert gone not in (other := kim.get(f"/cohorts/1/review/{first}").text)
    assert "The evidence is the same." in other
    assert (settled := mo.get(f"/cohorts/1/adjudicate/{first}").text).count(f"What was written {gone}") == 2
    assert (own.count(stands), settled.count(stands)) == (1, 2)
    assert "removed with a deleted note" in (listed := mo.get("/cohorts/1/adjudicate").text)
    assert "canary" not in own + settled + listed


def test_every_page_of_a_review_leads_back_to_its_cohort(place: Reviewed) -> None:
    lee, mo = Reader(place, "dr.lee"), Reader(place, "manager")
    back = '<a href="/cohorts/1">effusion</a>'
    assert (
        '<a href="/cohorts/1">the page of the cohort</a>, by <em>Review</em>'
        in mo.get("/cohorts/1/review/agreement").text
    )
    assert back in lee.get(f"/cohorts/1/review/{place.patients[0]}").text
    for patient in place.patients:
        lee.decide(patient, "include")
    assert back in lee.get("/cohorts/1/review").text
    Reader(place, "dr.kim").decide(place.patients[0], "exclude")
    for path in ("agreement", "fields"):
        assert back in mo.get(f"/cohorts/1/review/{path}").text
    assert back in mo.get(f"/cohorts/1/adjudicate/{place.patients[0]}").text
    mo.post(f"/cohorts/1/adjudicate/{place.patients[0]}", verdict="include", version="1")
    assert back in mo.get("/cohorts/1/adjudicate").text


def test_a_patient_who_counts_as_another_shows_words_and_quotes_still(place: Reviewed) -> None:
    lee, mo = Reader(place, "dr.lee"), Reader(place, "manager")
    mo.post("/cohorts/1/review/fields", name="Cause", kind="text", choices="")
    first, second, _ = place.patients
    lee.decide(first, "include", **{"field-1": "heart", "quote-1": "effusion,"})
    place.ledger.merges.put([Merge("q1", "q2")])
    page = lee.get(f"/cohorts/1/review/{second}").text
    assert "You included this patient" in page
    assert "effusion,</textarea>" in page
    assert "has another text by now" not in page
