"""The console command ``aspectra``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import cast

import click

from aspectra.console import Group

MODULES: Mapping[str, tuple[str, ...]] = {
    "stack": ("up", "down", "status", "doctor", "worker", "serve"),
    "demo": ("demo",),
    "ingest": ("ingest", "delete"),
    "forget": ("forget",),
    "index": ("reindex",),
    "ledger": ("ledger",),
    "saving": ("backup", "restore"),
    "search": ("search", "understand"),
    "cohort": ("cohort",),
    "label": ("label",),
    "annotate": ("annotate",),
    "judge": ("judge",),
    "user": ("user",),
    "purpose": ("purpose",),
    "audit": ("audit",),
    "vocab": ("vocab",),
    "evaluate": ("evaluate",),
    "bench": ("bench",),
    "mine": ("mine",),
    "train": ("train", "export"),
    "models": ("models",),
}
"""The modules of `aspectra.commands`, and what the ``COMMANDS`` of each are called."""


class Commands(Mapping[str, click.Command]):
    """Every command, imported when it is asked for: one that is called waits for no libraries of the others."""

    _homes: Mapping[str, str] = {name: module for module, names in MODULES.items() for name in names}

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"aspectra.commands.{self._homes[name]}")
        found: click.Command = next(one for one in module.COMMANDS if one.name == name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


@click.group(
    cls=Group,
    commands=cast(MutableMapping[str, click.Command], Commands()),  # click only reads it
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="aspectra")
def main() -> None:
    """Aspectra finds patients by what their notes say."""
