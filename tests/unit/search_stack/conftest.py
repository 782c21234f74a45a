"""No setting of the machine reaches these tests."""

from __future__ import annotations

import os

import pytest

from search_stack.core.settings import PREFIX


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(PREFIX) and name != PREFIX + "DATA":
            monkeypatch.delenv(name)
