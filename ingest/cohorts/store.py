"""Where cohorts are kept: tables of the ledger's database. A version is saved in one transaction and never changed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, and_, delete, func, insert, or_, select, update

from ingest.cohorts.records import Cohort, Edition, Request, cohort_of, edition_of, held_of, version_of
from ingest.ledger import Ledger
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import cohort_versions, cohorts, review_decisions, review_fields, review_marks
from ingest.readers.fields import half_character
from search_stack.cohorts.version import Asked, Found, Version
from search_stack.core.cohort_names import checked_name, unknown_cohort
from search_stack.core.errors import AspectraError, NotKept, NotPossible

LONGEST_DESCRIPTION = 2_000
SHORTEST_PERIOD, LONGEST_PERIOD = 60, 10 * 366 * 86_400
"""Seconds from one run of a schedule to the next."""
Which: TypeAlias = str | int
"""A cohort by its name, in whatever case, or by its id, which is never given again."""


class Store:
    """
    Args:
        purpose: number of that for which cohorts are kept here; others are not seen.
    """

    def __init__(self, engine: Engine, purpose: int = 0) -> None:
        self.engine = engine
        self.purpose = purpose

    @classmethod
    def of(cls, ledger: Ledger) -> Store:
        """What is kept for the purpose of those who see ``ledger``."""
        return cls(ledger.engine, ledger.reach.purpose)

    # In

    def save(
        self, name: str, found: Found, by: str, description: str | None = None, scheduled: bool = False
    ) -> Version:
        """Keep ``found`` as the next version of ``name``, which is made where it is not there.

        Args:
            description: of the cohort; None leaves it as it is.

        Raises:
            AspectraError: the name or the description cannot be one.
        """
        _check(name, description)
        held = held_of(found)
        with writing(self.engine) as c:
            one_at_a_time(c)
            return self._save(c, name, held, by, description, scheduled)

    def save_once(
        self, request: Request, name: str, found: Found, by: str, description: str | None = None
    ) -> tuple[Version, bool]:
        """`save`, unless ``request`` has come before: then the version that it made. And whether it had.

        Raises:
            KeyReused: its key came with another request.
            AspectraError: the name or the description cannot be one.
        """
        _check(name, description)
        held = {**held_of(found), "request_key": request.key, "request_digest": request.digest}
        with writing(self.engine) as c:
            one_at_a_time(c)
            earlier = self._made_by(c, request)
            if earlier:
                return earlier, True
            return self._save(c, name, held, by, description), False

    def made_by(self, request: Request) -> Version | None:
        """The version that ``request`` made, where it has come before and that version is still kept.

        Raises:
            KeyReused: its key came with another request.
        """
        with self.engine.connect() as c:
            return self._made_by(c, request)

    def _save(
        self,
        c: Connection,
        name: str,
        held: Mapping[str, Any],
        by: str,
        description: str | None,
        scheduled: bool = False,
    ) -> Version:
        need_open(c)
        known = c.execute(select(cohorts.c.id, cohorts.c.name).where(self._is(name))).one_or_none()
        if known is None:
            row = {"name": name, "description": description or "", "purpose": self.purpose}
            made = c.execute(insert(cohorts).values(**row, made=now()))
            cohort = int(made.inserted_primary_key[0])  # type: ignore[index]  # one row was inserted
        else:
            cohort, name = known.id, known.name
            if description is not None:
                c.execute(update(cohorts).where(cohorts.c.id == cohort).values(description=description))
        return self._add(c, cohort, name, held, by, scheduled)

    def finish(
        self, claim: str, found: Found | None, by: str, problem: str = "", pause: timedelta | None = None
    ) -> Version | None:
        """End the scheduled run of ``claim``: keep what it found as the next version, and set when it runs again, in
        one transaction. Nothing where the claim has lapsed and is another's by now.

        Args:
            found: None where nothing has changed, or nothing was found out.
            pause: time until another try, where it is not the time of the next run.
        """
        held = held_of(found) if found else None
        with writing(self.engine) as c:
            one_at_a_time(c)
            need_open(c)
            row = c.execute(select(cohorts).where(cohorts.c.claim == claim)).one_or_none()
            if row is None:
                return None
            version = self._add(c, row.id, row.name, held, by, scheduled=True) if held else None
            free = {"claim": None, "claimed_until": now() + pause if pause else None, "problem": problem}
            told = {} if pause else {"looked": now(), "due": _next(row.due, row.every)}
            c.execute(update(cohorts).where(cohorts.c.id == row.id).values(**free, **told))
        return version

    # Schedule

    def schedule(self, which: Which, every: int | None) -> Cohort:
        """Have a cohort run anew every so many seconds; None ends that.

        Raises:
            NotKept: there is none.
            NotPossible: no query made its newest version.
            AspectraError: it is too often or too seldom.
        """
        newest = self.cohort(which).newest
        if every is not None and not SHORTEST_PERIOD <= every <= LONGEST_PERIOD:
            raise AspectraError("A schedule runs once a minute at most, and once in ten years at least.")
        if every is not None and not isinstance(newest.origin, Asked):
            raise NotPossible(
                f"{newest.name} came of no query, which alone can be run again.",
                "Schedule the cohorts that it was made of.",
            )
        values = {"every": every, "due": now() + timedelta(seconds=every) if every else None, "problem": ""}
        with writing(self.engine) as c:
            c.execute(update(cohorts).where(self._is(which)).values(**values, claim=None, claimed_until=None))
        return self.cohort(which)

    def any_due(self) -> bool:
        with self.engine.connect() as c:
            return c.execute(select(cohorts.c.id).where(_is_due()).limit(1)).first() is not None

    def claim(self, life: timedelta) -> tuple[str, int, int] | None:
        """Claim the cohort that has been due for longest, for whatever purpose it is kept; its claim, its id and the
        number of its purpose, None where none is due.

        Args:
            life: after which the claim lapses, and another may make one.
        """
        with writing(self.engine) as c:
            wanted = select(cohorts.c.id, cohorts.c.purpose).where(_is_due()).order_by(cohorts.c.due).limit(1)
            if c.dialect.name == "postgresql":
                wanted = wanted.with_for_update(skip_locked=True)
            row = c.execute(wanted).one_or_none()
            if row is None:
                return None
            token = secrets.token_hex(16)
            values = {"claim": token, "claimed_until": now() + life}
            c.execute(update(cohorts).where(cohorts.c.id == row.id).values(values))
        return token, row.id, row.purpose

    def _add(self, c: Connection, cohort: int, name: str, held: Mapping[str, Any], by: str, scheduled: bool) -> Version:
        last = select(func.coalesce(func.max(cohort_versions.c.number), 0)).where(cohort_versions.c.cohort == cohort)
        values = {
            **held,
            "cohort": cohort,
            "number": c.execute(last).scalar_one() + 1,
            "made": now(),
            "made_by": by,
            "scheduled": scheduled,
        }
        made = c.execute(insert(cohort_versions).values(values))
        key = made.inserted_primary_key[0]  # type: ignore[index]  # one row was inserted
        return version_of(c.execute(select(cohort_versions).where(cohort_versions.c.id == key)).one(), name)

    def delete(self, which: Which) -> int:
        """Forget a cohort with its review and all its versions; how many there were. Those made of them keep their own
        patients.

        Raises:
            NotKept: there is none.
        """
        with writing(self.engine) as c:
            one_at_a_time(c)
            cohort = self._row(c, which).id
            for table in (review_marks, review_decisions, review_fields):
                c.execute(delete(table).where(table.c.cohort == cohort))
            gone = c.execute(delete(cohort_versions).where(cohort_versions.c.cohort == cohort)).rowcount
            c.execute(delete(cohorts).where(cohorts.c.id == cohort))
        return int(gone)

    # Out

    def cohorts(self) -> list[Cohort]:
        """In order of their names."""
        return self._cohorts(select(cohorts).where(self._here()).order_by(func.lower(cohorts.c.name)))

    def page(self, after: int, limit: int) -> list[Cohort]:
        """At most ``limit`` cohorts in order of id, those greater than ``after``."""
        wanted = select(cohorts).where(self._here(), cohorts.c.id > after)
        return self._cohorts(wanted.order_by(cohorts.c.id).limit(limit))

    def cohort(self, which: Which) -> Cohort:
        """
        Raises:
            NotKept: there is none; of a name, its remedy names those that are called alike.
        """
        with self.engine.connect() as c:
            row = self._row(c, which)
            return cohort_of(row, _all_editions(c, row)[-1])

    def editions(self, which: Which) -> list[Edition]:
        """All versions of a cohort, the oldest first.

        Raises:
            NotKept: there is none.
        """
        with self.engine.connect() as c:
            return _all_editions(c, self._row(c, which))

    def edition(self, which: Which, number: int) -> Edition:
        """
        Raises:
            NotKept: there is none.
        """
        editions = self.editions(which)
        found = next((e for e in editions if e.number == number), None)
        if found is None:
            raise _no_version(editions[-1], number)
        return found

    def version(self, which: Which, number: int | None = None) -> Version:
        """A version, the newest where none is named.

        Raises:
            NotKept: there is none.
            AspectraError: what was kept is damaged.
        """
        with self.engine.connect() as c:
            row = self._row(c, which)
            wanted = select(cohort_versions).where(cohort_versions.c.cohort == row.id)
            if number is not None:
                wanted = wanted.where(cohort_versions.c.number == number)
            found = c.execute(wanted.order_by(cohort_versions.c.number.desc()).limit(1)).one_or_none()
            if found is None:
                raise _no_version(_all_editions(c, row)[-1], number)
        return version_of(found, row.name)

    def newest(self, name: str) -> Version | None:
        """The newest version of ``name``; None where nothing is called so."""
        try:
            return self.version(name)
        except NotKept:
            return None

    def _cohorts(self, wanted: Select[Any]) -> list[Cohort]:
        with self.engine.connect() as c:
            rows = c.execute(wanted).all()
            newest = (
                select(func.max(cohort_versions.c.id))
                .where(cohort_versions.c.cohort.in_([row.id for row in rows]))
                .group_by(cohort_versions.c.cohort)
            )
            editions = {e.cohort: e for e in _editions(c, cohort_versions.c.id.in_(newest))}
        return [cohort_of(row, editions[row.name]) for row in rows if row.name in editions]

    def _row(self, c: Connection, which: Which) -> Row[Any]:
        found = c.execute(select(cohorts).where(self._is(which))).one_or_none()
        if found is None and isinstance(which, int):
            raise NotKept(f"There is no cohort with the id {which}.", "List those that are kept.")
        if found is None:
            known = select(cohorts.c.name).where(self._here()).order_by(func.lower(cohorts.c.name))
            raise unknown_cohort(str(which), c.execute(known).scalars().all())
        return found

    def _here(self) -> ColumnElement[bool]:
        return cohorts.c.purpose == self.purpose

    def _is(self, which: Which) -> ColumnElement[bool]:
        """Names are ASCII, and the same in whatever case."""
        own = cohorts.c.id == which if isinstance(which, int) else func.lower(cohorts.c.name) == which.lower()
        return and_(self._here(), own)

    @staticmethod
    def _made_by(c: Connection, request: Request) -> Version | None:
        """
        Raises:
            KeyReused: its key came with another request.
        """
        wanted = select(cohort_versions, cohorts.c.name).join(cohorts, cohorts.c.id == cohort_versions.c.cohort)
        found = c.execute(wanted.where(cohort_versions.c.request_key == request.key)).one_or_none()
        if found is None:
            return None
        request.need_same(found.request_digest)
        return version_of(found, found.name)


def _editions(c: Connection, where: ColumnElement[bool]) -> list[Edition]:
    v = cohort_versions.c
    columns = (v.number, v.made, v.made_by, v.scheduled, v.unit, v.origin, v.patient_count, v.note_count)
    wanted = select(cohorts.c.name, *columns, v.undated, v.digest).join(cohorts, cohorts.c.id == v.cohort)
    return [edition_of(row) for row in c.execute(wanted.where(where).order_by(v.cohort, v.number))]


def _all_editions(c: Connection, row: Row[Any]) -> list[Edition]:
    """
    Raises:
        NotKept: the cohort was deleted since ``row`` was read.
    """
    found = _editions(c, cohort_versions.c.cohort == row.id)
    if not found:
        raise NotKept(f"{row.name} was deleted just now.", "List those that are kept.")
    return found


def _no_version(newest: Edition, number: int | None) -> NotKept:
    return NotKept(f"{newest.cohort} has no version {number}.", f"It has 1 to {newest.number}.")


def _check(name: str, description: str | None) -> None:
    """
    Raises:
        AspectraError: they cannot be a cohort's.
    """
    checked_name(name)
    if description is not None and len(description) > LONGEST_DESCRIPTION:
        raise AspectraError(
            f"The description has more than {LONGEST_DESCRIPTION:,} characters.", "Say it in fewer words."
        )
    if description is not None and ("\0" in description or half_character(description)):
        raise AspectraError("The description holds a character that no database takes.", "Leave it out.")


def _is_due() -> ColumnElement[bool]:
    free = or_(cohorts.c.claimed_until.is_(None), cohorts.c.claimed_until < now())
    return and_(cohorts.c.every.is_not(None), cohorts.c.due <= now(), free)


def _next(due: datetime | None, every: int | None) -> datetime | None:
    """The first time after now, so many whole periods after ``due``: runs that were missed are not made up for."""
    if due is None or every is None:
        return None
    period = timedelta(seconds=every)
    return due + period * max(1, (now() - due) // period + 1)
