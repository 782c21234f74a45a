"""What a viewer was told is held against what is asked, by whichever process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyroaring import BitMap
from sqlalchemy import Engine, func, select

from access import answers
from access.accounts import Accounts
from access.answers import Answers
from access.roles import Role
from ingest.ledger.database import open_database
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import answers as kept
from search_stack.disclosure.viewing import May
from tests.people import a_purpose

WHOLE, WOMEN, MEN = (BitMap(range(*span)) for span in ((0, 43), (0, 20), (20, 40)))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    yield made
    made.dispose()


@pytest.fixture
def purpose(engine: Engine) -> Purpose:
    for name in ("vera", "vito"):
        Accounts(engine).add(name, Role.VIEWER)
    return a_purpose(engine, "vera", "vito")


def of(engine: Engine, name: str, purpose: Purpose) -> Answers:
    return Answers(engine, Accounts(engine).named(name), purpose, 5)


def rows(engine: Engine) -> int:
    with engine.connect() as c:
        return int(c.execute(select(func.count()).select_from(kept)).scalar_one())


def test_three_answers_are_held_against_each_other(engine: Engine, purpose: Purpose) -> None:
    first, second = of(engine, "vera", purpose), of(engine, "vera", purpose)
    assert first.may_tell(WHOLE) is May.BE_TOLD
    assert second.may_tell(WOMEN) is May.BE_TOLD
    # The first has not read yet what the second was told.
    assert first.may_tell(MEN) is May.NOT_BESIDE_OTHERS
    assert of(engine, "vera", purpose).may_tell(MEN) is May.NOT_BESIDE_OTHERS
    for again in (WHOLE, WOMEN, WHOLE - WOMEN):  # the last is what the others leave
        assert second.may_tell(again) is May.BE_TOLD
    assert rows(engine) == 2
    other = a_purpose(engine, "vera", code="OTHER")
    assert of(engine, "vito", purpose).may_tell(MEN) is May.BE_TOLD
    assert of(engine, "vera", other).may_tell(MEN) is May.BE_TOLD


def test_an_answer_between_reading_and_keeping_is_seen(
    engine: Engine, purpose: Purpose, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = of(engine, "vera", purpose), of(engine, "vera", purpose)
    assert one.may_tell(WHOLE) is May.BE_TOLD
    judged = Answers._judged

    def slowly(self: Answers, *asked: object) -> object:
        found = judged(self, *asked)  # type: ignore[arg-type]  # as it was called
        if self is one:
            other.may_tell(WOMEN)
        return found

    monkeypatch.setattr(Answers, "_judged", slowly)
    assert one.may_tell(MEN) is May.NOT_BESIDE_OTHERS


def test_there_is_an_end_to_what_is_told(engine: Engine, purpose: Purpose, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST", 2)
    told = of(engine, "vera", purpose)
    for group in (WHOLE, WOMEN):
        assert told.may_tell(group) is May.BE_TOLD
    assert told.may_tell(BitMap(range(100, 200))) is May.NOT_AS_TOO_MANY
    assert told.may_tell(WHOLE) is May.BE_TOLD
    assert told.may_tell(WHOLE - WOMEN) is May.BE_TOLD
    assert of(engine, "vito", purpose).may_tell(MEN) is May.BE_TOLD
