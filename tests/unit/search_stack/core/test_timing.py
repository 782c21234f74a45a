from __future__ import annotations

import pytest

from search_stack.core.timing import Paired, paired


def test_ours_and_the_peers_run_in_turn_after_the_warm_up() -> None:
    calls: list[str] = []
    timed = paired(lambda: calls.append("ours"), lambda: calls.append("peer"), runs=3, warmup=2)
    assert calls == ["ours", "peer"] * 5
    assert (len(timed.ours_ms), len(timed.peer_ms)) == (3, 3)
    assert all(t >= 0 for t in timed.ours_ms + timed.peer_ms)


def test_the_speedup_is_the_median_of_the_pairs() -> None:
    timed = Paired((1.0, 2.0, 10.0), (4.0, 4.0, 10.0))
    assert timed.speedup == pytest.approx(2.0)
    assert timed.json() == {
        "speedup": 2.0,
        "speedup_min": 1.0,
        "speedup_max": 4.0,
        "ours_ms": 2.0,
        "peer_ms": 4.0,
        "runs": 3,
    }
