"""One table of what several commands measured, as a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from search_stack.evaluation.kept import Kept

WAYS = ("value", "mean_difference", "difference")
"""Names under which a figure stands beside the ends of its interval."""


HEADS = frozenset(("systems", "intervals", "baselines"))
"""Keys that only gather others, and name nothing."""


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: float
    interval: tuple[float, float] | None
    """Its 95 % interval, where it has one."""
    minus: str
    """The system that was taken away from it, where it is a difference."""


@dataclass(frozen=True, slots=True)
class Row:
    """A command and its figures, or why there are none."""

    task: str
    data: str
    command: str
    figures: tuple[Figure, ...]
    seconds: float | None
    ended: str
    error: str


def figures(found: Mapping[str, Any], shown: Sequence[str]) -> tuple[Figure, ...]:
    """What ``shown`` names of the figures that a command wrote: paths of keys with / between, * for every key.

    Paths that lead nowhere, and values that are no numbers, are passed over.
    """
    named = found.get("baseline")
    baseline = named if isinstance(named, str) else "the baseline"
    return tuple(
        figure
        for path in shown
        for keys, value in _at(found, path.split("/"), ())
        if (figure := _figure(keys, value, baseline))
    )


def _at(value: Any, path: Sequence[str], keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not path:
        yield keys, value
    elif isinstance(value, Mapping):
        for key in value if path[0] == "*" else (path[0],):
            if key in value:
                yield from _at(value[key], path[1:], (*keys, key))


def _figure(keys: Sequence[str], value: Any, baseline: str) -> Figure | None:
    name = " ".join(key for key in keys if key not in HEADS) or keys[0]
    if isinstance(value, Mapping):
        way = next((w for w in WAYS if isinstance(value.get(w), Real)), None)
        if way is None or not {"low", "high"} <= value.keys():
            return None
        ends = float(value["low"]), float(value["high"])
        return Figure(name, float(value[way]), ends, "" if way == WAYS[0] else baseline)
    return Figure(name, float(value), None, "") if isinstance(value, Real) and not isinstance(value, bool) else None


def row(task: str, data: str, command: str, shown: Sequence[str], kept: Kept | None, error: str = "") -> Row:
    """Of what was kept of a command; None where it failed, as ``error`` says."""
    if kept is None:
        return Row(task, data, command, (), None, "", error)
    return Row(task, data, command, figures(kept.figures, shown), kept.seconds, kept.ended, "")


def html(root: str, rows: Sequence[Row], told: Mapping[str, str]) -> str:
    """The page.

    Args:
        root: where the data lies, as it was named.
        told: what stands above the table, by its name: models, code.
    """
    templates = Environment(
        loader=PackageLoader("search_stack.evaluation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("overview.html").render(root=root, rows=rows, told=told)
