"""Timings in pairs: ours and a peer's in turn, so that a noisy machine slows both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Paired:
    """Milliseconds of each run; the speed-up is the median of the pairs' ratios."""

    ours_ms: tuple[float, ...]
    peer_ms: tuple[float, ...]

    @property
    def speedup(self) -> float:
        return statistics.median(p / o for o, p in zip(self.ours_ms, self.peer_ms, strict=True))

    def json(self) -> dict[str, float | int]:
        ratios = [p / o for o, p in zip(self.ours_ms, self.peer_ms, strict=True)]
        return {
            "speedup": round(self.speedup, 3),
            "speedup_min": round(min(ratios), 3),
            "speedup_max": round(max(ratios), 3),
            "ours_ms": round(statistics.median(self.ours_ms), 3),
            "peer_ms": round(statistics.median(self.peer_ms), 3),
            "runs": len(ratios),
        }


def _milliseconds(run: Run) -> float:
    began = time.perf_counter()
    run()
    return (time.perf_counter() - began) * 1000


def paired(ours: Run, peer: Run, runs: int, warmup: int = 1) -> Paired:
    """Time ``ours`` and ``peer`` in turn, ``runs`` times each, after ``warmup`` uncounted turns."""
    for _ in range(warmup):
        ours()
        peer()
    timed = [(_milliseconds(ours), _milliseconds(peer)) for _ in range(runs)]
    return Paired(tuple(o for o, _ in timed), tuple(p for _, p in timed))
