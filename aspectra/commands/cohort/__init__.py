"""Cohorts: run, kept under a name, compared: every module here with ``COMMANDS`` is found by itself."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

from aspectra.commands.cohort.keeping import PURPOSE
from aspectra.console import Group


@click.group(cls=Group)
@PURPOSE
def cohort() -> None:
    """Exact patients of a query, step by step; kept under a name, version by version."""


ORDER = ("running", "saving", "showing", "changing", "combining", "reviewing", "exporting", "scheduling")
for name in sorted(
    (m.name for m in iter_modules(__path__)), key=lambda n: ORDER.index(n) if n in ORDER else len(ORDER)
):
    for one in getattr(import_module(f"{__name__}.{name}"), "COMMANDS", ()):
        cohort.add_command(one)

COMMANDS = (cohort,)
