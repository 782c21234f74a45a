"""The synthetic notes and structured facts as something to ingest."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.demo.generator import COLLECTION, demo_items
from ingest.readers import Opened, Record, Source, Work

NAME = "the synthetic notes"


def demo_source() -> Source:
    items = list(demo_items())

    def read() -> Iterator[Record]:
        return (Record(item, number) for number, item in enumerate(items, 1))

    return Opened(NAME, NAME, "demo", COLLECTION, Work(len(items), "records"), read)
