"""Cohorts over synthetic patients: an index and a ledger of their own for the time of the measurement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.helpers import parallel_bulk
from sqlalchemy import Table, insert

from ingest.ledger.database import open_database, writing
from ingest.ledger.known import KnownPeople
from ingest.ledger.tables import INDEXED, notes, patients
from search_stack.cohorts.rows import UNDATED
from search_stack.core.settings import Settings
from search_stack.evaluation.bench.apart import apart
from search_stack.evaluation.bench.cohorts import Job, asked
from search_stack.evaluation.bench.world import SEXES, TYPES, World, world
from search_stack.evaluation.temporary_index import Progress, empty_index
from search_stack.index.mapping import index_body

SEED = 13
DIMENSIONS = 2
"""Of vectors that no passage has."""
AT_ONCE = 2_000
"""Rows of the ledger, and passages of a bulk."""
WHILE_FILLING = {"refresh_interval": "-1", "translog": {"durability": "async"}}
PATIENCE = 600
"""Seconds for one bulk; the engine may be merging meanwhile."""
_EPOCH = date(1970, 1, 1)


def bench_cohorts(
    settings: Settings, client: OpenSearch, patients: int, passages: int, runs: int, progress: Progress
) -> dict[str, Any]:
    """Trees over ``passages`` synthetic passages of ``patients``, asked in a process of its own."""
    made = world(patients, passages, SEED)
    with TemporaryDirectory() as folder, _index(made, client, settings, progress) as name:
        file = Path(folder) / "ledger.sqlite3"
        fill(made, file, progress)
        figures = apart(partial(asked, Job(settings, name, partial(known, file), runs)), progress)
    return {"patients": patients, "notes": len(made.day), "passages": passages, "seed": SEED, "runs": runs, **figures}


@contextmanager
def _index(made: World, client: OpenSearch, settings: Settings, progress: Progress) -> Iterator[str]:
    """An index of ``made``, as it would be after an ingest: with what segments the engine makes of it."""
    with empty_index(index_body(settings, DIMENSIONS), client, settings) as name:
        client.indices.put_settings(index=name, body={"index": WHILE_FILLING})
        actions = ({"_index": name, "_id": id, "_source": d} for id, d in made.documents())
        written = parallel_bulk(client, actions, 2, AT_ONCE, queue_size=2, request_timeout=PATIENCE)
        for done, _ in enumerate(written, 1):
            if done % AT_ONCE == 0 or done == len(made.note):
                progress("passages", done, len(made.note))
        client.indices.refresh(index=name)
        yield name


def known(file: Path) -> KnownPeople:
    return KnownPeople(open_database(f"sqlite:///{file}"))


def fill(made: World, file: Path, progress: Progress) -> None:
    """A new ledger in ``file`` that holds the patients and notes of ``made``, without their texts."""
    with writing(open_database(f"sqlite:///{file}")) as c:

        def put(table: Table, rows: Iterable[dict[str, Any]], total: int) -> None:
            left, done = iter(rows), 0
            while some := list(islice(left, AT_ONCE)):
                c.execute(insert(table), some)
                done += len(some)
                progress(f"ledger: {table.name}", done, total)

        put(patients, _patients(made), len(made.born))
        put(notes, _notes(made), len(made.day))


def _patients(made: World) -> Iterator[dict[str, Any]]:
    for n, (sex, born) in enumerate(zip(made.sex.tolist(), made.born.tolist(), strict=True), 1):
        yield {"no": n, "patient_id": f"patient-{n}", "sex": SEXES[sex], "birth_date": _date(born)}


def _notes(made: World) -> Iterator[dict[str, Any]]:
    empty = {"collection": "synthetic", "title": "", "text": "", "content_hash": "", "version": 1}
    now = datetime.now(UTC)
    columns = (made.patient.tolist(), made.day.tolist(), made.type.tolist(), made.born[made.patient - 1].tolist())
    for key, (patient, day, type_, born) in enumerate(zip(*columns, strict=True), 1):
        yield {
            **empty,
            "key": key,
            "note_id": f"note-{key}",
            "patient_id": f"patient-{patient}",
            "patient_no": patient,
            "type": TYPES[type_],
            "date": None if day == UNDATED else _date(day),
            "age": None if day == UNDATED else _age(_date(born), _date(day)),
            "state": INDEXED,
            "updated": now,
        }


def _date(day: int) -> date:
    return _EPOCH + timedelta(days=day)


def _age(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
