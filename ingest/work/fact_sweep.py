"""What the index of facts holds beside what the ledger knows: page by page, for the sweep and for the doctor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.tables import INDEXED
from ingest.work.fact_writer import delete_fact
from ingest.work.writer import Writer
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.facts import FactIndexes

PAGE = 10_000
"""Facts that one step looks at."""


@dataclass(frozen=True, slots=True)
class FactDifferences:
    """Where index and ledger disagree."""

    lacking: list[int] = field(default_factory=list)
    """Keys of facts that are taken for indexed, and are not there as they should be."""
    orphans: list[tuple[int, int]] = field(default_factory=list)
    """Keys and versions of documents that no fact of the ledger stands behind."""


class FactPages:
    """Goes round the serving index and the ledger side by side, a page at each step; remembers where it is."""

    def __init__(self, ledger: Ledger, client: OpenSearch, settings: Settings) -> None:
        self._ledger = ledger
        self._client = client
        self._settings = settings
        self._after = 0

    @property
    def round_done(self) -> bool:
        """Whether the next step begins at the beginning again."""
        return self._after == 0

    def step(self, live: str) -> FactDifferences:
        # The index first: a key is never given again, so what the ledger does not know then nobody will.
        held = self._held(live)
        known = self._ledger.facts.standing(self._after, PAGE)
        ends = [list(page)[-1] for page in (held, known) if len(page) == PAGE]
        through = min(ends, default=None)
        found = FactDifferences()
        for key in sorted(held.keys() | known.keys()):
            if through is not None and key > through:
                break
            version, state = known.get(key, (0, ""))
            if state == INDEXED and held.get(key) != version:
                found.lacking.append(key)
            elif not state:
                found.orphans.append((key, held[key]))
        self._after = through or 0
        return found

    def _held(self, live: str) -> dict[int, int]:
        """Versions by key, in its order."""
        body = {
            "size": PAGE,
            "_source": False,
            "track_total_hits": False,
            "query": {"range": {"fact_key": {"gt": self._after}}},
            "sort": [{"fact_key": "asc"}],
            "docvalue_fields": ["fact_key", "version"],
        }
        with engine_errors(self._settings):
            hits = self._client.search(index=live, body=body)["hits"]["hits"]
        return {int(h["fields"]["fact_key"][0]): int(h["fields"]["version"][0]) for h in hits}


class FactSweep:
    """Mends what an interrupted writer, or an engine that lost its data, has left."""

    def __init__(self, ledger: Ledger, client: OpenSearch, settings: Settings) -> None:
        self._ledger = ledger
        self._client = client
        self._settings = settings
        self._pages = FactPages(ledger, client, settings)

    def step(self) -> int:
        """Look at the next page: facts that it lacks wait again, what is beyond the ledger is deleted; how many.

        Nothing in an index that was built from another ledger.
        """
        indexes = FactIndexes(self._client, self._settings)
        with engine_errors(self._settings):
            live = indexes.live()
            if live is None:
                if lost := self._ledger.facts.counts()[INDEXED]:
                    self._ledger.facts.index_again()
                return lost
            if live not in indexes.ours(self._ledger.identity):
                return 0
            indexes.refresh(live)
        found = self._pages.step(live)
        if found.lacking:
            self._ledger.facts.index_again(found.lacking)
        # By its own version: what was written anew meanwhile stays.
        Writer(self._client, self._settings).write(delete_fact(live, *orphan) for orphan in found.orphans)
        return len(found.lacking) + len(found.orphans)


def every_page(ledger: Ledger, client: OpenSearch, settings: Settings, live: str) -> Iterator[FactDifferences]:
    """One whole round. Changes nothing."""
    pages = FactPages(ledger, client, settings)
    yield pages.step(live)
    while not pages.round_done:
        yield pages.step(live)
