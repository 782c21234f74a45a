"""Purposes in a real database of each kind: who may state one, until when, and what it covers."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from access.accounts import Accounts
from access.purposes import Kind, Purposes
from access.roles import Role
from access.sessions import Sessions
from ingest.ledger import Ledger
from ingest.ledger import purposes as purposes_module
from ingest.ledger.ledger import now
from ingest.ledger.purposes import reach_of
from search_stack.core.errors import AspectraError
from search_stack.core.reach import EVERYTHING
from search_stack.core.schema import Note
from tests.people import a_purpose

TOMORROW = now().date() + timedelta(days=1)


@pytest.fixture
def kept(ledger: Ledger) -> Purposes:
    run = ledger.start_run("x", "csv")
    ledger.put([Note("a1", "t", "p1", collection="A"), Note("b1", "t", "p2", collection="B")], run)
    Accounts(ledger.engine).add("lee", Role.MANAGER)
    return Purposes(ledger.engine)


def test_a_purpose_is_stated_by_its_people_until_it_ends(
    ledger: Ledger, kept: Purposes, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts, sessions = Accounts(ledger.engine), Sessions(ledger.engine)
    lee = accounts.named("lee")
    made = a_purpose(ledger.engine, collections=["A"])
    key = sessions.begin(lee)
    assert (kept.of(lee), kept.stated(lee, made.id), kept.stated(lee, None)) == ([], None, None)
    kept.add(made, "Lee")
    kept.add(made, "lee")
    assert (kept.people(made), kept.of(lee), kept.stated(lee, made.id)) == (["lee"], [made], made)
    sessions.state(key, made.id)
    assert sessions.find(key) == (accounts.named("lee"), made.id)
    assert reach_of(ledger.engine, made.id) == made.reach
    assert made.reach.collections == {"A"}
    kept.remove(made, "lee")
    assert kept.stated(lee, made.id) is None
    with pytest.raises(AspectraError, match="lee is not of"):
        kept.remove(made, "lee")
    kept.add(made, "lee")
    later = now() + timedelta(days=31)
    monkeypatch.setattr(purposes_module, "now", lambda: later)  # the day after its last
    assert (kept.of(lee), kept.stated(lee, made.id)) == ([], None)
    with pytest.raises(AspectraError, match="STUDY-1 has ended"):
        reach_of(ledger.engine, made.id)


def test_a_purpose_ends_by_hand(ledger: Ledger, kept: Purposes) -> None:
    made = a_purpose(ledger.engine, "lee")
    kept.close("study-1")
    assert kept.stated(Accounts(ledger.engine).named("lee"), made.id) is None
    with pytest.raises(AspectraError, match="has ended"):
        reach_of(ledger.engine, made.id)
    with pytest.raises(AspectraError, match="has ended"):
        reach_of(ledger.engine, 99)
    assert reach_of(ledger.engine, 0) == EVERYTHING


def test_open_ones_come_first(kept: Purposes) -> None:
    for code in ("c", "a", "B"):
        kept.open(code, Kind.CARE, "t", "a", TOMORROW, None, "x")
    kept.close("a")
    assert [p.code for p in kept.all()] == ["B", "c", "a"]
    assert kept.named("b").collections is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"code": "a b"}, "cannot be the code"),
        ({"code": "Taken"}, "already"),
        ({"title": " "}, "title of a purpose"),
        ({"approval": "x" * 501}, "approval of a purpose"),
        ({"until": date(2020, 1, 1)}, "has passed"),
        ({"collections": ["A", "C"]}, 'no collection called "C"'),
        ({"collections": []}, "at least one"),
    ],
)
def test_purposes_that_cannot_be(kept: Purposes, wrong: dict[str, object], told: str) -> None:
    kept.open("TAKEN", Kind.QUALITY, "t", "a", TOMORROW, None, "x")
    given = {"code": "S", "kind": Kind.STUDY, "title": "t", "approval": "a", "until": TOMORROW, "collections": ["A"]}
    with pytest.raises(AspectraError, match=told):
        kept.open(**{**given, **wrong}, by="x")  # type: ignore[arg-type]
    assert [p.code for p in kept.all()] == ["TAKEN"]
