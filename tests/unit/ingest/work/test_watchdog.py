from __future__ import annotations

from ingest.work.watchdog import Watchdog

WAITING = {"pending": 3, "indexed": 1}


def test_notes_that_wait_while_nothing_moves_are_a_hang() -> None:
    dog = Watchdog(patience=100)
    assert not dog.stuck(WAITING, now=0)
    assert not dog.stuck(WAITING, now=100)
    assert dog.stuck(WAITING, now=101)


def test_any_movement_starts_the_time_anew() -> None:
    dog = Watchdog(patience=100)
    assert not dog.stuck(WAITING, now=0)
    assert not dog.stuck({"pending": 2, "indexed": 2}, now=99)
    assert not dog.stuck({"pending": 2, "indexed": 2}, now=150)


def test_nothing_to_do_is_no_hang() -> None:
    dog = Watchdog(patience=100)
    idle = {"pending": 0, "indexed": 4}
    assert not dog.stuck(idle, now=0)
    assert not dog.stuck(idle, now=1000)
    assert not dog.stuck(WAITING, now=1001)
