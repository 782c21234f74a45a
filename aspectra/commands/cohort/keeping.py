"""What the commands on kept cohorts share: ledger and index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import click

from aspectra.console import settings
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.cohorts.version import Version
from search_stack.core.cohort_names import referred
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher

JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@dataclass(frozen=True)
class Place:
    """Ledger and index that the settings name; models are loaded where a cohort is found anew."""

    settings: Settings
    ledger: Ledger

    @classmethod
    def here(cls) -> Place:
        config = settings()
        return cls(config, Ledger.from_settings(config))

    @property
    def store(self) -> Store:
        return Store(self.ledger.engine)

    @cached_property
    def searcher(self) -> Searcher:
        return Searcher.from_settings(self.settings, self.ledger)

    @property
    def finder(self) -> Finder:
        return Finder(self.searcher, self.ledger, self.settings)

    def version(self, reference: str) -> Version:
        """The version that NAME or NAME@3 names.

        Raises:
            AspectraError: there is none.
        """
        return self.store.version(*referred(reference))
