"""The console command ``aspectra``."""

from __future__ import annotations

import click

from aspectra.commands import (
    bench,
    demo,
    evaluate,
    index,
    ingest,
    label,
    ledger,
    mine,
    models,
    saving,
    search,
    stack,
    train,
    vocab,
)
from aspectra.console import Group


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="aspectra")
def main() -> None:
    """Aspectra finds patients by what their notes say."""


for module in (stack, demo, ingest, index, ledger, saving, search, label, vocab, evaluate, bench, mine, train, models):
    for one in module.COMMANDS:
        main.add_command(one)
