"""A stack to break, and the measure of whether it is whole again."""

from __future__ import annotations

import csv
import itertools
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from opensearchpy.helpers import scan
from redis import Redis
from sqlalchemy import func, select

from access.audit.witness import WITNESS
from aspectra.stack import down, up
from aspectra.stack.folders import log_folder
from aspectra.stack.own import child_environment
from ingest.cohorts.store import Store
from ingest.ledger import Ledger, StoredNote
from ingest.ledger.database import writing
from ingest.ledger.ledger import stored_note
from ingest.ledger.patients import tell
from ingest.ledger.tables import INDEXED, code_parents, facts, notes, patients, runs
from ingest.prepare_index import ensure_index
from ingest.work.dispatch import Dispatcher
from search_stack.core.client import connect
from search_stack.core.schema import passage_id
from search_stack.core.settings import Settings
from search_stack.index.documents import prepare
from search_stack.index.mapping import Indexes
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller, load_labeller
from tests import commands

SERVICES = ["engine", "broker", "worker"]
PATIENCE = 300.0
"""Seconds after which something that was to come counts as lost; a busy machine needs some."""
Found = dict[str, tuple[int, int, int, str]]
"""Version, begin, end and text of passages, by id."""


class Place:
    """A stack seen from outside: its commands, its ledger, its index."""

    def __init__(self, settings: Settings, encoder: Encoder) -> None:
        self.settings = settings
        self.ledger = Ledger.from_settings(settings)
        self.client = connect(settings)
        self.indexes = Indexes(self.client, settings)
        self.encoder = encoder
        self.started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        """An `aspectra` command in a process and a session of its own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "aspectra", *map(str, arguments)],
            env=child_environment(self.settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def run(self, *arguments: object) -> commands.Done:
        """Status, output and errors of an `aspectra` command."""
        return commands.run(self.settings, *arguments)

    def end(self, process: subprocess.Popen[str]) -> tuple[int, str, str]:
        out, err = process.communicate(timeout=2 * PATIENCE)
        return process.returncode, out, err

    def stop_commands(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def wait(self, holds: Callable[[], Any], command: subprocess.Popen[str] | None = None, pause: float = 0.02) -> None:
        """Wait until ``holds``, while ``command`` still runs."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert command is None or command.poll() is None, command.communicate()
            assert time.monotonic() < deadline, self._vain()
            time.sleep(pause)

    def _vain(self) -> str:
        logs = sorted(log_folder(self.settings).glob("*.log"))
        return "\n".join(["waited in vain", *(f"{f.name}: {f.read_text(errors='replace')[-1500:]}" for f in logs)])

    def runs(self) -> int:
        with self.ledger.engine.connect() as c:
            return int(c.execute(select(func.count()).select_from(runs)).scalar_one())

    def indexed(self) -> int:
        return self.ledger.counts()[INDEXED]

    def versions(self) -> list[str]:
        """Names of all indexes of passages, live or not."""
        return sorted(self.client.indices.get(index=f"{self.indexes.alias}-*"))

    def stored(self, note_id: str) -> StoredNote:
        return next(s for s in self.notes() if s.note.note_id == note_id)

    def notes(self) -> list[StoredNote]:
        with self.ledger.engine.connect() as c:
            return [stored_note(row) for row in c.execute(select(notes).order_by(notes.c.key))]

    @property
    def labeller(self) -> Labeller:
        return _labeller(self.settings.lexicon_folder)

    def expected(self) -> Found:
        """What the index must hold for the notes that are indexed, worked out from their texts."""
        return {
            passage_id(s.key, ordinal): (s.version, begin, end, s.note.text[begin:end])
            for s in self.notes()
            if s.state == INDEXED
            for ordinal, begin, end in self._cut(s)
        }

    def _cut(self, stored: StoredNote) -> list[tuple[int, int, int]]:
        """Ordinal, begin and end of its passages; of what several tests take in only once."""
        note, settings = stored.note, self.settings
        read_by = self.encoder.manifest.identity, settings.lexicon_folder, settings.passage_tokens
        known = (*read_by, note.title, note.text)
        if known not in _CUT:
            parts = prepare(stored, self.labeller, self.encoder, self.settings.passage_tokens)
            _CUT[known] = [(p.ordinal, p.passage.begin, p.passage.end) for p in parts]
        return _CUT[known]

    def found(self, index: str | None = None) -> Found:
        self.indexes.refresh(index)
        out: Found = {}
        for hit in scan(self.client, index=index or self.indexes.alias, size=2000):
            source = hit["_source"]
            assert hit["_id"] not in out
            out[hit["_id"]] = (source["note_version"], source["begin"], source["end"], source["text"])
        return out

    def assert_whole(self, count: int) -> None:
        """``count`` notes are in, every one indexed, and the index holds their passages and no other."""
        stored = self.notes()
        assert Counter(s.state for s in stored) == {INDEXED: count}
        expected, found = self.expected(), self.found()
        assert sorted(found) == sorted(expected)
        assert found == expected
        assert self.indexes.count() == len(expected) == sum(s.passages for s in stored)


_CUT: dict[tuple[str, Path, int, str, str], list[tuple[int, int, int]]] = {}


@cache
def _labeller(folder: Path) -> Labeller:
    return load_labeller(folder)


@cache
def _encoder_of(bundle: str) -> Encoder:
    return Encoder.from_settings(Settings(encoder_bundle=bundle), threads=1)


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The shipped one, by which `stack` is indexed."""
    return _encoder_of(Settings().encoder_bundle)


@pytest.fixture(scope="session")
def _stack_to_break(make_lasting_stack: Callable[..., Settings], quick_encoder: str) -> Settings:
    return make_lasting_stack(
        SERVICES,
        encoder_bundle=quick_encoder,
        reranker_bundle="",
        worker_processes=2,
        onnx_threads=1,
        batch_notes=4,
        task_seconds=25,
        visibility_seconds=28,
    )


@pytest.fixture
def empty_stack(_stack_to_break: Settings) -> Iterator[Place]:
    """Engine, broker and worker of their own, without a note; tests may kill what they like."""
    up(_stack_to_break, SERVICES)
    place = Place(_stack_to_break, _encoder_of(_stack_to_break.encoder_bundle))
    empty(place)
    yield place
    place.stop_commands()


def empty(place: Place) -> None:
    """Leave nothing in ledger, index and broker of ``place``, no cohort, and nothing that is known of patients."""
    kept = Store(place.ledger.engine)
    for one in kept.cohorts():
        kept.delete(one.id)
    ensure_index(place.client, place.settings, place.encoder.manifest, place.ledger)
    for name in place.versions():
        place.ledger.end_build(name)
        if name != place.indexes.live():
            place.indexes.drop(name)
    place.ledger.mark_deleting([s.note.note_id for s in place.notes()])
    with writing(place.ledger.engine) as c:
        collections = list(c.execute(select(facts.c.collection).distinct()).scalars())
        c.execute(code_parents.delete())
        c.execute(patients.update().values(replaced_by=None, sex="", birth_date=None, death_date=None))
        tell(c)
    for collection in collections:
        place.ledger.facts.mark_deleting(collection)
    Dispatcher(place.ledger, place.settings).sweep()
    Redis(unix_socket_path=str(place.settings.broker_socket)).flushall()
    assert place.notes() == []
    assert place.found() == {}


@pytest.fixture
def make_csv(tmp_path: Path) -> Callable[..., Path]:
    """Write a table of notes: ``rows`` are dictionaries with equal keys."""

    def make(rows: list[dict[str, str]], name: str = "notes.csv") -> Path:
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return path

    return make


@pytest.fixture
def first_reports(data_dir: Path, make_csv: Callable[..., Path]) -> Callable[[int], Path]:
    """The first so many real reports of the shared table, as they are."""

    def make(count: int) -> Path:
        with (data_dir / "reports" / "openi.csv").open(newline="", encoding="utf-8") as file:
            return make_csv(list(itertools.islice(csv.DictReader(file), count)), "openi.csv")

    return make


@pytest.fixture(scope="session")
def make_place() -> Iterator[Callable[..., Place]]:
    """Look at another stack as a `Place`."""
    made: list[Place] = []

    def make(settings: Settings, encoder: Encoder) -> Place:
        made.append(Place(settings, encoder))
        return made[-1]

    yield make
    for place in made:
        place.stop_commands()


@pytest.fixture
def place_of(empty_stack: Place, make_place: Callable[..., Place]) -> Iterator[Callable[..., Place]]:
    """The stack to break with another ledger or another index, and no worker yet."""
    made: list[Settings] = []
    down(empty_stack.settings, ["worker"])
    # Another ledger has another audit trail, of whose end the data folder has a witness.
    witness = empty_stack.settings.data_dir / WITNESS
    ended = witness.read_bytes() if witness.exists() else None
    witness.unlink(missing_ok=True)

    def make(**options: Any) -> Place:
        made.append(empty_stack.settings.model_copy(update=options))
        return make_place(made[-1], empty_stack.encoder)

    yield make
    up(empty_stack.settings, ["engine"])
    for settings in made:
        down(settings, ["worker"])
        for name in list(empty_stack.client.indices.get(index=f"{settings.index_prefix}-passages-*")):
            empty_stack.client.indices.delete(index=name)
    witness.unlink(missing_ok=True)
    if ended is not None:
        witness.touch(mode=0o600)
        witness.write_bytes(ended)
