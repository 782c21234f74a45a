"""Figures that are drawn; matplotlib is loaded only when one is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from search_stack.core.errors import AspectraError


def draw_separation(apart: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """How many queries each system tells apart how well.

    Raises:
        AspectraError: matplotlib is not installed, or ``path`` cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as e:
        raise AspectraError("Drawing needs matplotlib.", "Install it: pip install 'aspectra[train]'") from e
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.hist([list(a.values()) for a in apart.values()], bins=[n / 10 for n in range(11)], label=list(apart))
    axes.axvline(0.5, color="grey", linewidth=1)
    axes.set_xlabel("share of pairs in the right order (0.5: cannot tell)")
    axes.set_ylabel("queries")
    axes.legend()
    try:
        figure.savefig(path, dpi=150)
    except OSError as e:
        raise AspectraError(f"{path}: cannot be written ({e.strerror}).", "Choose another place.") from e
