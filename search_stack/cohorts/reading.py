"""Rows out of the engine: paged composite aggregations, exact, many criteria at once, kept until the index changes."""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Any

import numpy as np

from search_stack.cohorts import integer_pages
from search_stack.cohorts.buckets import PAGE, TOGETHER, buckets, composite, terms
from search_stack.cohorts.clauses import Clause, all_clauses, among
from search_stack.cohorts.evaluate import Ask
from search_stack.cohorts.rows import NO_NOTE, NONE, Ints, Rows
from search_stack.index.engine import Engine, NoIndex
from search_stack.query.tree import QueryError

EXPECTED = 8_000
"""Rows that a range of patients is cut for, so that hardly one needs a second page."""
AT_ONCE = 2
"""Requests under way: the engine answers one while another's answer is read here."""
NOTES_AT_ONCE = 5_000
"""Notes whose versions are asked for together."""
VERSIONS = (
    terms("note_key"),
    terms("note_version"),
    {"labels": {"terms": {"field": "labels", "missing_bucket": True}}},
)
PASSAGES = ("patient_no", "day", "note_key")
FACTS = ("patient_no", "day")
SHORT = {name: name[0] for name in PASSAGES}
"""What the columns are called on the way."""
TOLD = ",".join(
    f"responses.{name}"
    for name in (
        "aggregations.rows.buckets.key",
        "aggregations.rows.after_key",
        "aggregations.last",
        "error.type",
        "status",
        "timed_out",
        "_shards.failed",
    )
)
"""All of an answer that is read; the rest does not travel."""
GENERATION: Clause = {
    "size": 0,
    "track_total_hits": True,
    # An index that labels were written into anew has as many documents, numbered alike, as the one that served before.
    "aggs": {"written": {"stats": {"field": "_seq_no"}}, "index": {"terms": {"field": "_index"}}},
}


class Kept:
    """Rows by generation and question, the least used forgotten beyond ``most`` bytes. Threads share one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: OrderedDict[str, Rows] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str) -> Rows | None:
        with self._lock:
            if found := self._rows.get(key):
                self._rows.move_to_end(key)
            return found

    def put(self, key: str, rows: Rows) -> None:
        with self._lock:
            if key in self._rows:
                return
            self._rows[key] = rows
            self._bytes += rows.nbytes
            while self._bytes > self._most and len(self._rows) > 1:
                _, gone = self._rows.popitem(last=False)
                self._bytes -= gone.nbytes

    @property
    def nbytes(self) -> int:
        """Of the arrays that are held now."""
        return self._bytes


class NoFacts(QueryError):
    """The query asks for structured facts where there are none."""

    def __init__(self) -> None:
        super().__init__(
            "There are no structured facts to ask for.", "Bring them in: aspectra ingest facts.csv --format facts"
        )


def _state(engine: Engine, optional: bool) -> dict[str, Any] | None:
    """What tells one state of an index from another; None where there is no index, and none is needed."""
    try:
        return engine([GENERATION])[0]
    except NoIndex:
        if optional:
            return None
        raise


def _any(engine: Engine) -> bool:
    state = _state(engine, optional=True)
    return state is not None and state["hits"]["total"]["value"] > 0


class Evidence:
    """Reads rows of the passages index and of the index of structured facts.

    Args:
        facts: searches structured facts; None where there are none.
    """

    def __init__(self, passages: Engine, facts: Engine | None, kept: Kept) -> None:
        self._passages = passages
        self._facts = facts
        self._kept = kept

    def over(self, passages: Engine, facts: Engine | None) -> Evidence:
        """The same, asking these; what each may read is kept apart."""
        return Evidence(passages, facts, self._kept)

    def generation(self) -> str:
        """Changes with every change of what can be found: of two states that say the same, none has had a document
        written that the other lacks."""
        said = []
        states = [_state(self._passages, optional=False)]
        states += [_state(self._facts, optional=True)] if self._facts else []
        for found in states:
            if found:
                written, serves = found["aggregations"]["written"], found["aggregations"]["index"]["buckets"]
                names = [one["key"] for one in serves]
                said.append((found["hits"]["total"]["value"], written["max"], written["sum"], names))
        return sha256(repr(said).encode()).hexdigest()[:16]

    def read(self, asks: Sequence[Ask], generation: str) -> list[Rows]:
        """The rows of each of ``asks``; what was read in the same generation is not read again."""
        keys = [self._key(ask, generation) for ask in asks]
        known = {key: self._kept.get(key) for key in keys}
        missing = {key: ask for key, ask in zip(keys, asks, strict=True) if known[key] is None}
        for facts in (False, True):
            chosen = {key: ask for key, ask in missing.items() if ask.facts is facts}
            for key, found in zip(chosen, self._fetch([a.clause for a in chosen.values()], facts), strict=True):
                known[key] = found
                self._kept.put(key, found)
        return [rows for key in keys if (rows := known[key]) is not None]

    def versions(self, notes: Ints) -> dict[int, tuple[int, str]]:
        """By note, the version that is in the index and the version of its labels; without those it does not hold.

        Args:
            notes: keys, sorted.
        """
        parts = [notes[n : n + NOTES_AT_ONCE] for n in range(0, len(notes), NOTES_AT_ONCE)]
        clauses = [among("note_key", part) for part in parts]
        out: dict[int, tuple[int, str]] = {}
        for bucket in buckets(self._passages, clauses, VERSIONS):
            # A note that is just being labelled anew has two for a moment: the later in order counts.
            key = bucket["key"]
            out[key["note_key"]] = int(key["note_version"]), key["labels"] or ""
        return out

    def mentions(self, patients: Ints) -> Iterator[tuple[str, str, int]]:
        """What the notes of ``patients`` (N,) mention: assertion, concept and patient, each once."""
        clauses = [among("patient_no", part) for part in np.array_split(patients, TOGETHER) if len(part)]
        for bucket in buckets(self._passages, clauses, (terms("own"), terms("patient_no"))):
            assertion, _, concept = bucket["key"]["own"].partition(" ")
            yield assertion, concept, int(bucket["key"]["patient_no"])

    def _key(self, ask: Ask, generation: str) -> str:
        covered = self._passages.reach.collections
        reach = None if covered is None else sorted(covered)
        said = json.dumps([generation, ask.facts, ask.clause, reach], sort_keys=True)
        return sha256(said.encode()).hexdigest()

    def _fetch(self, clauses: Sequence[Clause], facts: bool) -> list[Rows]:
        engine = self._facts if facts else self._passages
        if not clauses:
            return []
        if engine is None or (facts and not _any(engine)):
            raise NoFacts()
        readers = [_Reader(clause, FACTS if facts else PASSAGES) for clause in clauses]
        left = deque((reader, _Range()) for reader in readers)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            under_way: dict[Future[list[dict[str, Any]]], list[tuple[_Reader, _Range]]] = {}
            while left or under_way:
                while left and len(under_way) < AT_ONCE:
                    some = [left.popleft() for _ in range(min(TOGETHER, len(left)))]
                    bodies = [r.body(where) for r, where in some]
                    under_way[pool.submit(engine, bodies, TOLD, integer_pages.loads)] = some
                for answered in wait(under_way, return_when=FIRST_COMPLETED).done:
                    for (reader, where), response in zip(under_way.pop(answered), answered.result(), strict=True):
                        left += [(reader, more) for more in reader.take(where, response)]
        return [reader.rows() for reader in readers]


@dataclass(frozen=True, slots=True)
class _Range:
    """Patients from ``first`` to ``last``, all where None, behind the row ``after``."""

    first: int | None = None
    last: int | None = None
    after: Mapping[str, int] | None = None


class _Reader:
    """The pages of one clause: one, then the rest in ranges of patients side by side."""

    def __init__(self, clause: Clause, columns: Sequence[str]) -> None:
        self._clause = clause
        self._columns = columns
        self._parts: list[Ints] = []

    def body(self, where: _Range) -> dict[str, Any]:
        sources = [terms(name, SHORT[name]) for name in self._columns]
        if where.first is None:
            body = composite(self._clause, sources, where.after)
            body["aggs"]["last"] = {"max": {"field": "patient_no"}}
            return body
        patients = {"range": {"patient_no": {"gte": where.first, "lte": where.last}}}
        return composite(all_clauses([patients, self._clause]), sources, where.after)

    def take(self, where: _Range, response: Mapping[str, Any]) -> list[_Range]:
        """Keep a page, and say what comes next."""
        found = response.get("aggregations", {})  # What is empty does not travel.
        page = found.get("rows", {}).get("buckets", NONE.patient).reshape(-1, len(self._columns))
        self._parts.append(page)
        if len(page) < PAGE:
            return []
        after = found["rows"]["after_key"]
        if where.first is not None:
            return [replace(where, first=after[SHORT["patient_no"]], after=after)]
        return _ranges(int(page[0, 0]), after, int(found["last"]["value"]))

    def rows(self) -> Rows:
        columns = list(np.concatenate(self._parts).T)
        if len(columns) == len(FACTS):
            columns.append(np.full(len(columns[0]), NO_NOTE, dtype=np.int64))
        return Rows.of(*columns)


def _ranges(first: int, after: Mapping[str, int], last: int) -> list[_Range]:
    """What is behind ``after`` up to the patient ``last``, in ranges of `EXPECTED` rows, were they as close everywhere
    as on the first page, which began with the patient ``first``."""
    begin = after[SHORT["patient_no"]]
    step = max(1, (begin - first + 1) * EXPECTED // PAGE)
    starts = range(begin, last + 1, step)
    return [_Range(n, min(last, n + step - 1), after if n == begin else None) for n in starts]
