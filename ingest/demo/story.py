"""What a storyline is: patients with their facts, and the events that each leave one note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

RADIOLOGY = "radiology report"
DISCHARGE = "discharge summary"
LETTER = "clinic letter"
PROGRESS = "progress note"
OPERATIVE = "operative note"
EMERGENCY = "emergency department note"
NOTE_TYPES = (RADIOLOGY, DISCHARGE, LETTER, PROGRESS, OPERATIVE, EMERGENCY)


@dataclass(frozen=True, slots=True)
class Event:
    """One note of a trajectory; ``text`` and ``title`` are templates (see ``prose``)."""

    key: str
    """Later notes name this event's date by it: ``{m:key}``, ``{d:key}``, ``{since:key}``."""
    type: str
    title: str
    gap: tuple[int, int]
    """Days after the event before it on the same path: least, most."""
    text: str
    paths: tuple[str, ...] = ()
    """Paths on which it happens; empty for all."""


@dataclass(frozen=True, slots=True)
class Story:
    """``patients`` holds one mapping of facts each: at least sex (F, M), age at the first event and path."""

    name: str
    patients: tuple[Mapping[str, str], ...]
    events: tuple[Event, ...]
