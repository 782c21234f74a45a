"""The strip above a note's text: a cell for each passage, as high and as dark as it is near to the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from search_stack.retrieval.nearness import PassageNear

CLOSE = 0.4
"""From here on a bar of a small strip is dark."""
CELLS = 60
"""Cells of a strip; of more passages, neighbours share one, which stands for the nearest of them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Passages of a note on the strip; ``x`` and ``width`` in percent of it."""

    x: float
    width: float
    near: float
    """0 to 1: the cosine of the nearest; what is below 0 is as far as can be."""
    passage_id: str
    """Of the nearest, where ``url`` leads to."""
    url: str
    said: str
    hue: int | None
    """Colour of the first criterion that the passages show; None where they show none."""


@dataclass(frozen=True, slots=True)
class Heat:
    cells: tuple[Cell, ...] = ()
    nearest: int = 0
    """The cell that one comes to first by key."""

    @property
    def far(self) -> str:
        """The bars as strokes of one path, in a box of 100 by 20: those that are less than `CLOSE`."""
        return "".join(_bar(cell) for cell in self.cells if cell.near < CLOSE)

    @property
    def close(self) -> str:
        """The others, likewise."""
        return "".join(_bar(cell) for cell in self.cells if cell.near >= CLOSE)

    @property
    def broad(self) -> int:
        """Of each stroke."""
        return max(1, round(self.cells[0].width * 0.88))

    @property
    def said(self) -> str:
        """The nearest, as a number."""
        return f"{self.cells[self.nearest].near:.2f}"


COLD = Heat()
"""Of a note of which nothing is told."""


def heat(near: Sequence[PassageNear], hues: Mapping[str, int], url: Callable[[str], str]) -> Heat:
    """
    Args:
        near: all passages of a note, in the order of the text.
        hues: of the passages that show the search, by id.
        url: leads to a passage of the note, by its id.
    """
    together = -(-len(near) // CELLS) or 1
    starts = range(0, len(near), together)
    width = 100 / len(starts) if near else 0.0
    cells = tuple(
        _cell(start, near[start : start + together], len(near), (round(n * width, 2), round(width, 2)), hues, url)
        for n, start in enumerate(starts)
    )
    return Heat(cells, max(range(len(cells)), key=lambda n: cells[n].near, default=0))


def _bar(cell: Cell) -> str:
    return f"M{round(cell.x + cell.width / 2)} 20v-{max(1, round(cell.near * 20))}"


def _cell(
    before: int,
    own: Sequence[PassageNear],
    count: int,
    place: tuple[float, float],
    hues: Mapping[str, int],
    url: Callable[[str], str],
) -> Cell:
    nearest = max(own, key=lambda one: one.cosine)
    shown = [hues[one.passage_id] for one in own if one.passage_id in hues]
    which = f"Passage {before + 1}" if len(own) == 1 else f"Passages {before + 1} to {before + len(own)}"
    where = f" in {nearest.section}" if nearest.section else ""
    near = max(0.0, nearest.cosine)
    said = f"{which} of {count}{where}, near by {near:.2f}" + (", shows the search" if shown else "")
    return Cell(*place, near, nearest.passage_id, url(nearest.passage_id), said, min(shown) if shown else None)
