"""An evaluation as a page to read (HTML) and as a text to paste (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from search_stack.evaluation.errors import Worst
from search_stack.evaluation.groups import Group
from search_stack.evaluation.report import RetrievalReport

CHARTED = ("R@1", "R@5")


@dataclass(frozen=True, slots=True)
class Column:
    """One way of reading the passages, and all that was measured under it."""

    name: str
    title: str
    report: RetrievalReport
    groups: Mapping[str, Mapping[str, Group]]
    worst: Sequence[Worst]
    compared: tuple[str, str]
    """The systems whose worst queries are shown: ours, the baseline."""


def html(data: str, candidates: str, columns: Sequence[Column]) -> str:
    """One file that needs nothing else. It holds the passages' words."""
    return _render("report.html", data, candidates, columns)


def markdown(data: str, candidates: str, columns: Sequence[Column]) -> str:
    """Tables only; no passage is in it."""
    return _render("report.md", data, candidates, columns)


def _render(name: str, data: str, candidates: str, columns: Sequence[Column]) -> str:
    templates = Environment(
        loader=PackageLoader("search_stack.evaluation"),
        autoescape=name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template(name).render(data=data, candidates=candidates, columns=columns, charted=CHARTED)
