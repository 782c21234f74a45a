"""Learning curves of a run as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def draw_curves(lines: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Loss, and R@1 on the development data where it was measured, by step."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    left = figure.subplots()
    left.plot([n["step"] for n in lines], [n["loss"] for n in lines], color="tab:blue")
    left.set_xlabel("step")
    left.set_ylabel("loss (nats, running mean)", color="tab:blue")
    left.set_ylim(bottom=0)
    judged = [n for n in lines if "dev_r_at_1" in n]
    if judged:
        right = left.twinx()
        right.plot([n["step"] for n in judged], [n["dev_r_at_1"] for n in judged], color="tab:orange", marker=".")
        right.set_ylabel("R@1, development data", color="tab:orange")
        right.set_ylim(0, 1)
    figure.savefig(file, dpi=120)
