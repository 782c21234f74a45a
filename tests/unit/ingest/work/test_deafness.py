"""When a worker takes itself for deaf."""

from __future__ import annotations

from ingest.work.deafness import FIRST, LAST, Hearing


def test_it_is_patient_first_and_more_so_later() -> None:
    hearing = Hearing()
    moments = [now for now in range(2000) if hearing.lost(3, False, float(now))]
    gaps = [b - a for a, b in zip([0, *moments], moments, strict=False)]
    assert gaps[:5] == [FIRST, 2 * FIRST, 4 * FIRST, 8 * FIRST, LAST]
    assert set(gaps[4:]) == {LAST}


def test_work_and_an_empty_queue_start_it_anew() -> None:
    for waiting, busy in ((0, False), (3, True)):
        hearing = Hearing()
        assert not hearing.lost(3, False, 0.0)
        assert hearing.lost(3, False, FIRST)
        assert not hearing.lost(waiting, busy, FIRST + 1)
        assert not hearing.lost(3, False, FIRST + 2)
        assert hearing.lost(3, False, 2 * FIRST + 2)
