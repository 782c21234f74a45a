"""Measure how good rankings and labels are: every module here with ``COMMANDS`` is found by itself."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click


@click.group()
def evaluate() -> None:
    """Measure models and rules on labelled data, beside a baseline in the same run."""


for module in iter_modules(__path__):
    for one in getattr(import_module(f"{__name__}.{module.name}"), "COMMANDS", ()):
        evaluate.add_command(one)

COMMANDS = (evaluate,)
