"""Work in a process of its own: what it gives back, tells on its way, and how it fails."""

from __future__ import annotations

import os
from typing import Any

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.bench.apart import apart
from search_stack.evaluation.temporary_index import Progress


def told(progress: Progress) -> dict[str, Any]:
    progress("counting", 1, 2)
    return {"process": os.getpid()}


def refused(progress: Progress) -> dict[str, Any]:
    raise AspectraError("It is refused.", "Ask for less.")


def gone(progress: Progress) -> dict[str, Any]:
    os._exit(3)


def test_it_is_done_in_another_process_that_tells_how_far_it_is() -> None:
    heard: list[tuple[str, int, int]] = []
    assert apart(told, lambda *said: heard.append(said))["process"] != os.getpid()
    assert heard == [("counting", 1, 2)]


def test_an_error_for_people_comes_back_and_a_lost_process_is_told() -> None:
    with pytest.raises(AspectraError, match="It is refused") as refusal:
        apart(refused, lambda *_: None)
    assert refusal.value.remedy == "Ask for less."
    with pytest.raises(AspectraError, match="ended before it was done"):
        apart(gone, lambda *_: None)
