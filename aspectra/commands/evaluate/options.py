"""Options that measuring commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from click.decorators import FC


def data(help: str) -> Callable[[FC], FC]:
    return click.option("--data", required=True, type=click.Path(path_type=Path), help=help)


def limit(help: str) -> Callable[[FC], FC]:
    return click.option("--limit", type=click.IntRange(min=1), help=help)


def figures() -> Callable[[FC], FC]:
    return click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
