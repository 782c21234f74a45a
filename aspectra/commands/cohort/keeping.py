"""What the commands on kept cohorts share: ledger and index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import click

from access.purposes import Purposes
from aspectra.console import settings
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from ingest.ledger import Ledger
from ingest.ledger.purposes import reach_of
from search_stack.cohorts.version import Version
from search_stack.core.cohort_names import referred
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher

PURPOSE = click.option(
    "--purpose",
    default="",
    expose_value=False,
    callback=lambda context, _, code: setattr(context, "obj", code or context.obj),
    help="Code of that for which cohorts are found and kept; none for the machine's own.",
)
"""What `Place.here` goes by, for its command and those below."""
JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@dataclass(frozen=True)
class Place:
    """Ledger and index that the settings name; models are loaded where a cohort is found anew."""

    settings: Settings
    ledger: Ledger

    @classmethod
    def here(cls) -> Place:
        """As the purpose sees it that `PURPOSE` named.

        Raises:
            AspectraError: there is no such purpose, or it has ended.
        """
        config = settings()
        ledger = Ledger.from_settings(config)
        code = click.get_current_context().obj
        number = Purposes(ledger.engine).named(code).id if code else 0
        return cls(config, ledger.within(reach_of(ledger.engine, number)))

    @property
    def store(self) -> Store:
        return Store.of(self.ledger)

    @property
    def jobs(self) -> Jobs:
        return Jobs.of(self.ledger)

    @cached_property
    def searcher(self) -> Searcher:
        return Searcher.from_settings(self.settings, self.ledger).within(self.ledger.reach, self.ledger)

    @property
    def finder(self) -> Finder:
        return Finder(self.searcher, self.ledger, self.settings)

    def version(self, reference: str) -> Version:
        """The version that NAME or NAME@3 names.

        Raises:
            AspectraError: there is none.
        """
        return self.store.version(*referred(reference))
