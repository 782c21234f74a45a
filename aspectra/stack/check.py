"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """``ok`` with a ``remedy`` is a warning."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""

    @classmethod
    def of(cls, name: str, ok: bool, detail: str, remedy: str) -> Check:
        return cls(name, ok, detail, "" if ok else remedy)
