"""An evaluation as a page to read (HTML) and as a text to paste (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from search_stack.evaluation.tasks.retrieval import ReadingReport

CHARTED = ("R@1", "R@5")


def html(data: str, candidates: str, readings: Sequence[ReadingReport]) -> str:
    """One file that needs nothing else. It holds the passages' words."""
    return _render("report.html", data, candidates, readings)


def markdown(data: str, candidates: str, readings: Sequence[ReadingReport]) -> str:
    """Tables only; no passage is in it."""
    return _render("report.md", data, candidates, readings)


def _render(name: str, data: str, candidates: str, readings: Sequence[ReadingReport]) -> str:
    templates = Environment(
        loader=PackageLoader("search_stack.evaluation"),
        autoescape=name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template(name).render(data=data, candidates=candidates, readings=readings, charted=CHARTED)
