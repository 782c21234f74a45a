"""Viewers over a real engine: exact numbers below, none that gives few patients away on the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from access.accounts import Accounts
from access.audit.entry import Outcome
from access.audit.trail import Trail, Wanted
from access.roles import Role
from tests.engine.conftest import Place
from tests.people import a_purpose
from tests.unit.ui.test_access import PASSWORD, form_key, get, post, sign_in
from ui.app import create_app

pytestmark = pytest.mark.engine
NAME = "Okafor"


@pytest.fixture
def place(empty_stack: Place, make_csv: Callable[..., Path], tmp_path: Path) -> Place:
    """Twelve patients have a fever, all in letters, three also in reports; seven women, four men; nine cough."""
    rows = [
        {
            "note_id": f"id{n}-{kind}",
            "patient_id": f"P-77{n:02}",
            "text": f"Fever. {'Cough.' if n < 9 else ''} Discussed with Dr. {NAME} on 3/14/2020, MRN 00123456.",
            "type": kind,
            "title": f"Letter of Dr. {NAME}",
            "date": "2020-03-14",
        }
        for n in range(12)
        for kind in ("letter", "report")
        if kind == "letter" or n < 3
    ]
    people = tmp_path / "patients.csv"
    sexes = ["female"] * 7 + ["male"] * 4 + [""]
    people.write_text("patient_id,sex\n" + "".join(f"P-77{n:02},{sex}\n" for n, sex in enumerate(sexes)))
    for arguments in ((make_csv(rows),), (people, "--format", "patients")):
        status, _, errors = empty_stack.run("ingest", *arguments)
        assert status == 0, errors
    return empty_stack


def asked(client: FlaskClient, line: str) -> str:
    answer = post(client, "/view", line=line, form_key=form_key(client))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text.split("<main")[1]))


def test_numbers_and_passages_give_nobody_away(place: Place) -> None:
    options = {"accounts": True, "web_requests_per_minute": 0, "onnx_threads": 1}
    app = create_app(place.settings.model_copy(update=options), ledger=place.ledger)
    engine = place.ledger.engine
    accounts = Accounts(engine)
    for name in ("vera", "vito", "vela"):
        once = accounts.add(name, Role.VIEWER)
        accounts.change_password(accounts.named(name), once, PASSWORD)
    a_purpose(engine, "vera", "vito", "vela", code="COUNTS")
    client = sign_in(app, "vera", purpose="COUNTS")
    assert get(client, "/").headers["Location"] == "/view"
    page = asked(client, "fever")
    assert "12 patients" in page
    assert "letter 12" in page  # and of the three with a report nothing
    assert "report not told" in page
    assert "female 7" in page
    assert " male not told" in page
    assert "Fever" in page
    assert "•••" in page
    for telling in (NAME, "3/14", "00123456", "P-77", "id0", "2020-03", "Letter of"):
        assert telling not in page, telling
    # Nine cough, three fewer than have a fever.
    assert "Not told" in asked(client, "fever cough")
    trail = Trail(engine, place.settings.data_dir)
    kept = trail.entries(Wanted(person="vera"), 2)[0].entry
    assert (kept.outcome, trail.seal.opened(kept.query), kept.patients) == (Outcome.REFUSED, "fever cough", ())
    told = next(
        one.entry
        for one in trail.entries(Wanted(person="vera"), 9)
        if one.entry.outcome is Outcome.DONE and one.entry.patients
    )
    assert len(told.patients) == 10
    assert "12 patients" in asked(client, "fever")  # the same again tells nothing new
    # A type that the query names too is told by itself, and is no alternative to the others there.
    third = asked(sign_in(app, "vela", purpose="COUNTS"), "type:letter OR type:report")
    assert ("letter 12" in third, "report not told" in third) == (True, True)
    # Somebody else, who was not told of the fever, is told of these; then not of the fever.
    other = sign_in(app, "vito", purpose="COUNTS")
    assert "9 patients" in asked(other, "fever cough")
    assert "Not told" in asked(other, "fever")
    for few in ("cough type:report", "pneumothorax", "fever collection:nowhere"):
        page = asked(client, few)
        assert "Fewer than 5 patients" in page, few
        assert "Fever." not in page
    refused = post(client, "/view", line="fever patient:P-7700", form_key=form_key(client))
    assert (refused.status_code, "names single people" in refused.text) == (400, True)
    for shut in ("/notes/1", "/patients/1", "/api/v1/notes", "/cohorts", "/build"):
        assert get(client, shut).status_code == 403, shut
