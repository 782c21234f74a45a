"""Notes and their states. Every change is one transaction."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, delete, func, insert, select, update

from ingest.ledger.codes import Codes
from ingest.ledger.database import one_at_a_time, open_database, writing
from ingest.ledger.facts import Facts
from ingest.ledger.known import KnownPeople
from ingest.ledger.listing import Listing
from ingest.ledger.merges import Merges
from ingest.ledger.patients import chunks, differs, inside, learn, number_patients, stays, survivors, tell
from ingest.ledger.tables import (
    DELETING,
    FAILED,
    INDEXED,
    PENDING,
    STATES,
    builds,
    identity,
    labellings,
    notes,
    runs,
)
from ingest.ledger.words import take_words, words_about
from search_stack.core.reach import EVERYTHING, Reach
from search_stack.core.schema import Note, Patient
from search_stack.core.settings import Settings
from search_stack.language.person import person_read

Outcome = Literal["new", "unchanged", "changed", "duplicate", "foreign"]
TAKEN_IN: frozenset[Outcome] = frozenset({"new", "unchanged", "changed"})


@dataclass(frozen=True, slots=True)
class StoredNote:
    """A note with what the ledger knows of it."""

    key: int
    version: int
    state: str
    attempts: int
    last_error: str
    passages: int
    progress: int
    note: Note
    patient_no: int = 0
    text_version: int = 1
    """The version that brought the text, and all else that the source says: versions after it only moved the note to
    another patient, as whom its own counts."""


def content_hash(note: Note) -> str:
    """SHA-256 of everything that reaches the index; the same content, the same hash."""
    *content, day = note.text, note.patient_id, note.type, note.title, note.date
    return hashlib.sha256(json.dumps([*content, day.isoformat() if day else None]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Known:
    """What stands under a note id; key 0 is a row of this batch, not inserted yet."""

    key: int
    collection: str
    digest: str
    run: int | None
    state: str


def _outcome(note: Note, digest: str, before: _Known | None, run: int) -> Outcome:
    if before is None:
        return "new"
    if before.state == DELETING:
        return "changed"
    if before.digest == digest:
        return "unchanged"
    if before.run == run:
        return "duplicate"
    return "changed" if before.collection == note.collection else "foreign"


def stored_note(row: Row[Any]) -> StoredNote:
    told = (row.note_id, row.text, row.patient_id, row.type, row.date, row.title, row.collection, row.encounter_id)
    note = Note(*told, row.age_given)
    work = (row.key, row.version, row.state, row.attempts, row.last_error, row.passages, row.progress)
    return StoredNote(*work, note, row.patient_no, row.text_version)


def now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """Reading and writing of notes; the queue's side is in `ingest.ledger.queue`."""

    reach: Reach = EVERYTHING
    """What people are shown of it: single notes, lists, numbers of notes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._labellings: dict[str, Mapping[str, str]] = {}

    def within(self, reach: Reach) -> Ledger:
        """The same, as people with that reach see it; what the queue and the worker do is not narrowed."""
        other = copy(self)
        other.reach, other.people = reach, self.people.within(reach)
        other.listing = Listing(self.engine, reach)
        return other

    @classmethod
    def from_settings(cls, settings: Settings) -> Ledger:
        return cls(open_database(settings.ledger_address))

    @cached_property
    def identity(self) -> str:
        """32 hexadecimal digits: every index built from this ledger carries them, and no other is its."""
        with self.engine.connect() as c:
            return str(c.execute(select(identity.c.id)).scalar_one())

    @cached_property
    def people(self) -> KnownPeople:
        """What is known of patients."""
        return KnownPeople(self.engine)

    @cached_property
    def listing(self) -> Listing:
        """Patients and notes in pages."""
        return Listing(self.engine)

    @cached_property
    def facts(self) -> Facts:
        """Structured facts."""
        return Facts(self.engine)

    @cached_property
    def merges(self) -> Merges:
        """Which patients count as which."""
        return Merges(self.engine)

    @cached_property
    def codes(self) -> Codes:
        """Which codes of facts stand above which."""
        return Codes(self.engine)

    # Notes in

    def start_run(self, source: str, format: str) -> int:
        with writing(self.engine) as c:
            made = c.execute(insert(runs).values(source=source, format=format, started=now()))
            return int(made.inserted_primary_key[0])  # type: ignore[index]  # one row was inserted

    def finish_run(self, run: int, counts: dict[str, int]) -> None:
        with writing(self.engine) as c:
            c.execute(update(runs).where(runs.c.id == run).values(finished=now(), **counts))

    def put(self, batch: Sequence[Note], run: int) -> list[Outcome]:
        """Take in ``batch``; what became of each note, in order.

        Content that is there already changes nothing. Two kinds are not taken in, so that no
        note silently takes another's place: "duplicate", whose id this run has already brought
        with other content, and "foreign", whose id another collection holds with other content. Nothing
        is learnt from these. Encounter and age of a note that is the same are changed by its own
        collection alone, and by none that does not say them.
        """
        with writing(self.engine) as c:
            one_at_a_time(c)
            known = self._known(c, sorted({n.note_id for n in batch}))
            numbers = number_patients(c, [n.patient_id for n in batch])
            heirs = survivors(c, numbers.values())
            outcomes: list[Outcome] = []
            fresh: dict[str, dict[str, Any]] = {}
            seen: list[int] = []
            for note in batch:
                digest = content_hash(note)
                before = known.get(note.note_id)
                outcome = _outcome(note, digest, before, run)
                outcomes.append(outcome)
                own = numbers[note.patient_id]
                whose = heirs.get(own, (own, note.patient_id))
                if outcome == "new":
                    fresh[note.note_id] = _row(note, digest, run, whose)
                elif outcome == "changed" and before is not None:
                    anew = {"version": notes.c.version + 1, "text_version": notes.c.version + 1}
                    row = _row(note, digest, run, whose) | anew
                    del row["passages"]
                    c.execute(update(notes).where(notes.c.key == before.key).values(row))
                    tell(c)
                elif outcome == "unchanged" and before is not None and before.key:
                    seen.append(before.key)
                    told = _read_in(note) | (_told_of(note) if note.collection == before.collection else {})
                    here = notes.c.key == before.key
                    if told and c.execute(update(notes).where(here, differs(told)).values(told)).rowcount:
                        tell(c)
                if outcome in TAKEN_IN:
                    known[note.note_id] = _Known(before.key if before else 0, note.collection, digest, run, PENDING)
            if fresh:
                c.execute(insert(notes), list(fresh.values()))
            for keys in chunks(seen):
                c.execute(update(notes).where(notes.c.key.in_(keys)).values(run=run))
            came = [n for n, outcome in zip(batch, outcomes, strict=True) if outcome in TAKEN_IN]
            learn(c, [(n.patient_id, n.person) for n in came], numbers, heirs)
        return outcomes

    def learn(self, batch: Sequence[Patient]) -> Counter[str]:
        """Keep what is told of patients; how many were known, and are known better now ("told"), how many have no
        note ("without notes"), and are kept for when they have."""
        if not batch:
            return Counter()
        with writing(self.engine) as c:
            one_at_a_time(c)
            numbers = number_patients(c, [p.patient_id for p in batch])
            heirs = survivors(c, numbers.values())
            changed = learn(c, [(p.patient_id, p.person) for p in batch], numbers, heirs)
            whose = {stays(no, heirs) for no in numbers.values()}
            here = select(notes.c.patient_no).where(notes.c.patient_no.in_(sorted(whose))).distinct()
            with_notes = len(c.execute(here).all())
        return Counter({"patients": len(batch), "told": changed, "without notes": len(whose) - with_notes})

    @staticmethod
    def _known(c: Connection, note_ids: Sequence[str]) -> dict[str, _Known]:
        columns = (notes.c.note_id, notes.c.key, notes.c.collection, notes.c.content_hash, notes.c.run, notes.c.state)
        found: dict[str, _Known] = {}
        for part in chunks(note_ids):
            for name, *rest in c.execute(select(*columns).where(notes.c.note_id.in_(part))):
                found[name] = _Known(*rest)
        return found

    # Notes out

    def note(self, key: int) -> StoredNote | None:
        with self.engine.connect() as c:
            row = c.execute(select(notes).where(notes.c.key == key, *inside(notes, self.reach))).one_or_none()
        return stored_note(row) if row else None

    def several(self, keys: Sequence[int]) -> dict[int, StoredNote]:
        """Those of ``keys`` that are notes, by key."""
        with self.engine.connect() as c:
            here = inside(notes, self.reach)
            parts = (c.execute(select(notes).where(notes.c.key.in_(part), *here)) for part in chunks(keys))
            return {row.key: stored_note(row) for rows in parts for row in rows}

    def after(self, key: int, limit: int) -> list[StoredNote]:
        """Notes that belong in an index, in order of key, after ``key``."""
        wanted = select(notes).where(notes.c.key > key, notes.c.state.in_((INDEXED, PENDING)))
        with self.engine.connect() as c:
            return [stored_note(r) for r in c.execute(wanted.order_by(notes.c.key).limit(limit))]

    def between(self, after: int, through: int) -> list[StoredNote]:
        """Every note with a key above ``after`` and up to ``through``, in order of key."""
        wanted = select(notes).where(notes.c.key > after, notes.c.key <= through).order_by(notes.c.key)
        with self.engine.connect() as c:
            return [stored_note(r) for r in c.execute(wanted)]

    def standing(self, keys: Sequence[int]) -> dict[int, tuple[int, str]]:
        """Version and state of those of ``keys`` that are notes."""
        out: dict[int, tuple[int, str]] = {}
        with self.engine.connect() as c:
            for part in chunks(keys):
                found = c.execute(select(notes.c.key, notes.c.version, notes.c.state).where(notes.c.key.in_(part)))
                out |= {key: (version, state) for key, version, state in found}
        return out

    def text_versions(self, keys: Sequence[int]) -> dict[int, int]:
        """Of those of ``keys`` that are notes, the version that brought the text."""
        out: dict[int, int] = {}
        with self.engine.connect() as c:
            for part in chunks(keys):
                found = c.execute(select(notes.c.key, notes.c.text_version).where(notes.c.key.in_(part)))
                out |= {key: version for key, version in found}  # noqa: C416  # dict() takes no rows, for mypy
        return out

    def stretches(self, length: int) -> list[int]:
        """Which stretches of ``length`` keys hold a note, counted from 0; keys begin at 1."""
        with self.engine.connect() as c:
            return list(c.execute(select((notes.c.key - 1) // length).distinct()).scalars())

    def greatest_key(self) -> int:
        with self.engine.connect() as c:
            return int(c.execute(select(func.coalesce(func.max(notes.c.key), 0))).scalar_one())

    def failed(self) -> list[StoredNote]:
        with self.engine.connect() as c:
            rows = c.execute(select(notes).where(notes.c.state == FAILED).order_by(notes.c.key))
            return [stored_note(r) for r in rows]

    def failed_of(self, run: int) -> int:
        """Notes that ``run`` was the last to bring, and that are set aside as failed."""
        wanted = select(func.count()).where(notes.c.state == FAILED, notes.c.run == run)
        with self.engine.connect() as c:
            return int(c.execute(wanted).scalar_one())

    def counts(self) -> dict[str, int]:
        """Number of notes by state; every state is there."""
        with self.engine.connect() as c:
            here = inside(notes, self.reach)
            found = c.execute(select(notes.c.state, func.count()).where(*here).group_by(notes.c.state))
            return dict.fromkeys(STATES, 0) | {state: n for state, n in found}  # noqa: C416  # dict() takes no rows, for mypy

    def expected_passages(self) -> int:
        """Passages of the notes that are indexed: the index holds them, or has lost some."""
        indexed = select(func.coalesce(func.sum(notes.c.passages), 0)).where(notes.c.state == INDEXED)
        with self.engine.connect() as c:
            return int(c.execute(indexed).scalar_one())

    def has_collection(self, name: str) -> bool:
        return self._any(notes.c.collection == name)

    def has_collection_besides(self, name: str) -> bool:
        # Two ranges, because an index serves them and not "<>".
        return self._any(notes.c.collection < name) or self._any(notes.c.collection > name)

    def _any(self, where: ColumnElement[bool]) -> bool:
        with self.engine.connect() as c:
            return c.execute(select(notes.c.key).where(where, *inside(notes, self.reach)).limit(1)).first() is not None

    def index_again(self, keys: Sequence[int] | None = None) -> None:
        """Have notes that are taken for indexed, and are not as they should be, worked on once more: ``keys``, or all.

        Those that were written in part, and wait, begin at their beginning again.
        """
        again = {"state": PENDING, "attempts": 0, "progress": 0, "claim": None, "claimed_until": None, "updated": now()}
        with writing(self.engine) as c:
            for part in [None] if keys is None else chunks(keys):
                here = [] if part is None else [notes.c.key.in_(part)]
                c.execute(update(notes).where(notes.c.state == PENDING, notes.c.progress > 0, *here).values(progress=0))
                c.execute(update(notes).where(notes.c.state == INDEXED, *here).values(again))

    # Deletion

    def mark_deleting(
        self, note_ids: Sequence[str] | None, collection: str | None = None, keep_words: bool = False
    ) -> list[str]:
        """Set notes aside for deletion, by id or as a whole collection; the ids that were there.

        Args:
            keep_words: what reviewers wrote of their patients stays; else it goes in the same transaction, since it
                may quote the notes.
        """
        found: list[str] = []
        with writing(self.engine) as c:
            one_at_a_time(c)
            for where in _named(note_ids, collection):
                found += c.execute(select(notes.c.note_id).where(where)).scalars()
                if not keep_words:
                    take_words(c, where)
                mark_notes(c, where)
            if found:
                tell(c)  # What these notes said of their patients counts no longer.
        return found

    def words_about(self, note_ids: Sequence[str] | None, collection: str | None = None) -> int:
        """How many decisions of reviewers hold words that go with these notes."""
        with self.engine.connect() as c:
            return len(set[int]().union(*(words_about(c, where) for where in _named(note_ids, collection))))

    def deleting(self, limit: int) -> list[StoredNote]:
        with self.engine.connect() as c:
            rows = c.execute(select(notes).where(notes.c.state == DELETING).order_by(notes.c.key).limit(limit))
            return [stored_note(r) for r in rows]

    def remove(self, stored: Sequence[StoredNote]) -> None:
        """Forget notes that the index no longer holds; one brought back meanwhile stays."""
        with writing(self.engine) as c:
            for s in stored:
                c.execute(
                    delete(notes).where(notes.c.key == s.key, notes.c.version == s.version, notes.c.state == DELETING)
                )

    # Labels

    def note_labelling(self, version: str, concepts: Mapping[str, str]) -> None:
        """Keep what the labels of ``version`` know: a fingerprint of each concept, by id."""
        with writing(self.engine) as c:
            one_at_a_time(c)
            if not c.execute(select(labellings.c.version).where(labellings.c.version == version)).first():
                row = {"version": version, "made": now(), "concepts": json.dumps(dict(concepts))}
                c.execute(insert(labellings).values(row))

    def labelled_with(self, version: str) -> Mapping[str, str] | None:
        """The fingerprints that labels of ``version`` were made with; None where they are not known."""
        if version not in self._labellings:
            with self.engine.connect() as c:
                found = c.execute(select(labellings.c.concepts).where(labellings.c.version == version)).scalar()
            if found is None:
                return None
            self._labellings[version] = json.loads(found)
        return self._labellings[version]

    # Building of a new index

    def start_build(self, index_name: str) -> None:
        with writing(self.engine) as c:
            c.execute(insert(builds).values(index_name=index_name, cursor=0, started=now()))

    def building(self) -> dict[str, int]:
        """Indexes being built, with the key up to which each is filled."""
        with self.engine.connect() as c:
            return {r.index_name: r.cursor for r in c.execute(select(builds))}

    def move_build(self, index_name: str, cursor: int) -> None:
        with writing(self.engine) as c:
            c.execute(update(builds).where(builds.c.index_name == index_name).values(cursor=cursor))

    def end_build(self, index_name: str) -> None:
        with writing(self.engine) as c:
            c.execute(delete(builds).where(builds.c.index_name == index_name))


def _named(note_ids: Sequence[str] | None, collection: str | None) -> list[ColumnElement[bool]]:
    """Notes by id, or a whole collection, in parts that a database takes."""
    wanted = [notes.c.collection == collection] if collection is not None else []
    return [
        and_(*wanted, *([notes.c.note_id.in_(part)] if part is not None else []))
        for part in ([None] if note_ids is None else chunks(note_ids))
    ]


def mark_notes(c: Connection, *where: ColumnElement[bool]) -> None:
    """Set notes aside for deletion."""
    gone = {"state": DELETING, "version": notes.c.version + 1, "claim": None, "claimed_until": None, "updated": now()}
    c.execute(update(notes).where(*where, notes.c.state != DELETING).values(gone))


def _told_of(note: Note) -> dict[str, Any]:
    """What its source says of it beside its content; what it does not say is left out."""
    told = {"encounter_id": note.encounter_id or None, "age_given": note.age}
    return {name: value for name, value in told.items() if value is not None}


def _read_in(note: Note) -> dict[str, Any]:
    """What its own words say of its patient."""
    read = person_read(note.text)
    return {"sex_read": read.sex, "age_read": read.age}


def given(row: Row[Any]) -> Note:
    """The note as its source has it: of the patient whom that names."""
    note = stored_note(row).note
    return replace(note, patient_id=row.given_patient) if row.given_patient is not None else note


def _row(note: Note, digest: str, run: int, whose: tuple[int, str]) -> dict[str, Any]:
    """``whose``: number and id of the patient as whom the note counts."""
    patient_no, patient_id = whose
    return {
        "patient_no": patient_no,
        "given_patient": note.patient_id if note.patient_id != patient_id else None,
        "encounter_id": note.encounter_id,
        "age_given": note.age,
        **_read_in(note),
        "collection": note.collection,
        "note_id": note.note_id,
        "patient_id": patient_id,
        "type": note.type,
        "date": note.date,
        "title": note.title,
        "text": note.text,
        "content_hash": digest,
        "version": 1,
        "text_version": 1,
        "run": run,
        "state": PENDING,
        "attempts": 0,
        "last_error": "",
        "claim": None,
        "claimed_until": None,
        "passages": 0,
        "progress": 0,
        "updated": now(),
    }
