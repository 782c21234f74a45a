"""What a command that is stopped says, wherever the interrupt hits it."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from aspectra.commands.ingest import _stoppable
from ingest.ledger.tables import PENDING

LEDGER = cast(Any, SimpleNamespace(counts=lambda: {PENDING: 3}))


def clean() -> None:
    raise KeyboardInterrupt


def broken_on_its_way_out() -> None:
    """As in the release of a lock that the interrupt has kept from being taken."""
    try:
        raise KeyboardInterrupt
    finally:
        raise RuntimeError("cannot release un-acquired lock")


@pytest.mark.parametrize("stop", [clean, broken_on_its_way_out])
def test_an_interrupt_ends_with_a_word_on_what_is_left(stop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, _stoppable(LEDGER):
        stop()
    assert ended.value.code == 130
    assert "3 notes wait" in " ".join(capsys.readouterr().err.split())
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_error_of_its_own_is_none() -> None:
    with pytest.raises(RuntimeError), _stoppable(LEDGER):
        raise RuntimeError
