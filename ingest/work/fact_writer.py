"""Structured facts from the ledger into their index: the ledger first, then bulks that may be sent again at will."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.facts import StoredFact
from ingest.ledger.tables import DELETING, INDEXED, PENDING
from ingest.work.writer import Action, RefusedDocument, Writer
from search_stack.core.client import engine_errors
from search_stack.core.codes import Parents, above, code_name, unit_name
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.facts import FACTS_SCHEMA, FactIndexes, IndexedFact
from search_stack.index.meta import ForeignIndex, OutdatedIndex
from search_stack.index.passage import UNDATED

BATCH = 2_000
EPOCH = date(1970, 1, 1)
Progress = Callable[[int, int], None]


def _quiet(done: int, total: int) -> None:
    pass


def index_facts(
    ledger: Ledger, client: OpenSearch, settings: Settings, most: int | None = None, progress: Progress = _quiet
) -> int:
    """Write what waits in the ledger, ``most`` facts or all, so that searches count it; how many.

    Killed half-way, the next call goes on from where it was. ``progress`` hears facts done and facts in all.

    Raises:
        ForeignIndex: the index of facts was built from another ledger.
        AspectraError: the engine is away or refuses; the index was built by another version.
    """
    ledger.codes.follow()
    done, total = 0, waiting(ledger)
    while total and (most is None or done < most):
        targets = fact_targets(ledger, client, settings)
        if not (batch := ledger.facts.waiting(BATCH)):
            break
        write_facts(batch, targets, ledger, Writer(client, settings))
        ledger.facts.settle(batch)
        done += len(batch)
        progress(min(done, total), total)
    if done:
        with engine_errors(settings):
            FactIndexes(client, settings).refresh()
    return done


def waiting(ledger: Ledger) -> int:
    """Facts that the index does not show as they are."""
    counts = ledger.facts.counts()
    return counts[PENDING] + counts[DELETING]


def fact_targets(ledger: Ledger, client: OpenSearch, settings: Settings) -> list[str]:
    """Every version of the index that is to hold the facts: the serving one, made now where there is none, and one that
    is being built.

    Raises:
        ForeignIndex: the serving one was built from another ledger.
        OutdatedIndex: it was made by another version.
    """
    indexes = FactIndexes(client, settings)
    with engine_errors(settings):
        if (live := indexes.live()) is None:
            ledger.facts.index_again()  # whatever the ledger takes for indexed is lost
            live = indexes.first(ledger.identity)
        meta = indexes.meta(live)
        if meta.ledger != ledger.identity:
            raise ForeignIndex(live)
        if meta.schema != FACTS_SCHEMA:
            raise OutdatedIndex(live, meta.schema, FACTS_SCHEMA)
        return indexes.ours(ledger.identity)


def write_facts(batch: Sequence[StoredFact], targets: Sequence[str], ledger: Ledger, writer: Writer) -> None:
    """Bring ``batch`` into ``targets``, or out of them. The table of parents is read after the facts: so what is
    written is never behind the version that it is written with."""
    codes = {(f.system, code_name(f.system, f.code)) for f in batch}
    parents = ledger.codes.parents(codes)
    try:
        writer.write(_action(f, target, parents) for f in batch for target in targets)
    except RefusedDocument as e:
        raise AspectraError(f"The engine refused a structured fact ({e}).", "Run: aspectra doctor") from None


def _action(fact: StoredFact, target: str, parents: Parents) -> Action:
    if fact.state == DELETING:
        return delete_fact(target, fact.key, fact.version)
    return _head("index", target, fact.key, fact.version), indexed_fact(fact, parents).document()


def delete_fact(target: str, key: int, version: int) -> Action:
    return _head("delete", target, key, version), None


def _head(operation: str, target: str, key: int, version: int) -> str:
    # External versions make every retry harmless and a late writer powerless.
    where = {"_index": target, "_id": str(key), "version": version, "version_type": "external_gte"}
    return json.dumps({operation: where})


def indexed_fact(fact: StoredFact, parents: Parents) -> IndexedFact:
    """What the index holds of ``fact``."""
    own = (fact.system, code_name(fact.system, fact.code))
    return IndexedFact(
        fact_key=fact.key,
        version=fact.version,
        patient_id=fact.patient_id,
        patient_no=fact.patient_no,
        day=UNDATED if fact.day is None else (fact.day - EPOCH).days,
        collection=fact.collection,
        system=fact.system,
        code=":".join(own),
        under=sorted(map(":".join, above(own, parents))),
        value=fact.value,
        unit=unit_name(fact.unit),
    )


def rebuild_facts(ledger: Ledger, client: OpenSearch, settings: Settings, progress: Progress = _quiet) -> str:
    """Build a new version of the index of facts, swap the alias, drop the old version; its name, empty where the ledger
    holds no fact and there is no index. Interrupted, the same call begins anew; searches go on meanwhile."""
    indexes = FactIndexes(client, settings)
    counts = ledger.facts.counts()
    total = counts[PENDING] + counts[INDEXED]
    with engine_errors(settings):
        live = indexes.live()
        for name in indexes.versions():
            if name != live:
                indexes.drop(name)
        if not total and live is None:
            return ""
        name = indexes.create(ledger.identity)
        indexes.set_refresh(name, "-1")
    ledger.codes.follow()
    writer = Writer(client, settings)
    cursor = done = 0
    while batch := ledger.facts.after(cursor, BATCH):
        write_facts(batch, [name], ledger, writer)
        cursor = batch[-1].key
        done += len(batch)
        progress(min(done, total), total)
    with engine_errors(settings):
        indexes.serve(name)
        indexes.drop_besides({name})
    index_facts(ledger, client, settings)
    return name
