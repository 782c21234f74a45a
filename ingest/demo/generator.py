"""The synthetic notes, from storylines and hand-written cases, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from ingest.demo import (
    story_asthma,
    story_breast,
    story_clot,
    story_copd,
    story_foot,
    story_gallbladder,
    story_heart_failure,
    story_hip,
    story_nodule,
    story_pacemaker,
    story_pneumonia,
    story_scoliosis,
    story_stroke,
)
from ingest.demo.cases import CASES
from ingest.demo.layout import STYLES, STYLES_OF_TYPE, lay_out
from ingest.demo.patient import Patient, Slots
from ingest.demo.phrases import ALLERGIES, FAMILY, FIRST, GPS, LAST, SOCIAL, SURGEONS
from ingest.demo.prose import Chooser, render
from ingest.demo.story import LETTER, Event, Story
from search_stack.schema import Note

SEED = 20170103
FIRST_DAY, LAST_DAY = date(2017, 1, 3), date(2025, 12, 20)
STORIES: tuple[Story, ...] = tuple(
    module.STORY
    for module in (
        story_pacemaker,
        story_copd,
        story_heart_failure,
        story_nodule,
        story_hip,
        story_pneumonia,
        story_clot,
        story_asthma,
        story_foot,
        story_stroke,
        story_breast,
        story_scoliosis,
        story_gallbladder,
    )
)


def demo_notes() -> Iterator[Note]:
    """Every synthetic note, patient by patient, each patient's in order of date.

    No clock and no global random state is read: two runs give equal notes.
    """
    for number, note in enumerate((*_stories(), *_cases()), start=1):
        note_id = f"demo-{number:04}"
        text, patient_id, note_type, day, title = note
        yield Note(note_id, text, patient_id, note_type, day, title, collection="demo")


_Draft = tuple[str, str, str, date, str]
"""Text, patient, type, date, title."""


def _cases() -> Iterator[_Draft]:
    for case in CASES:
        yield case.text, case.patient_id, case.type, case.date, case.title


def _stories() -> Iterator[_Draft]:
    chooser = Chooser(SEED)
    cast = [(story, index) for story in STORIES for index in range(len(story.patients))]
    chooser.rng.shuffle(cast)
    numbers = iter(chooser.rng.sample(range(101, 9000), len(cast)))
    ranks = chooser.rng.sample(range(len(cast)), len(cast))
    for (story, index), rank in zip(cast, ranks, strict=True):
        # Trajectories run on for years, so starts lean a little to the late side.
        start = ((rank + chooser.rng.random()) / len(cast)) ** 0.8
        yield from _trajectory(story, index, f"P-{next(numbers):05}", start, chooser)


def _trajectory(story: Story, index: int, patient_id: str, start: float, chooser: Chooser) -> Iterator[_Draft]:
    """One patient's notes; ``start`` places the first between the earliest (0) and the latest (1) day."""
    chooser.next_patient()
    path = story.patients[index]["path"]
    events = [event for event in story.events if not event.paths or path in event.paths]
    days = _days(events, start, chooser)
    patient = _patient(story, index, patient_id, days[0], chooser)
    dates: dict[str, date] = {}
    kept: dict[str, str] = {}
    for event, day in zip(events, days, strict=True):
        dates[event.key] = day
        slots = Slots(patient, dates, day, chooser, kept)
        style = STYLES[chooser.pick(STYLES_OF_TYPE[event.type], event.type)]
        text = lay_out(render(event.text, slots, chooser), style)
        yield text, patient_id, event.type, day, render(event.title, slots, chooser)


def _days(events: list[Event], start: float, chooser: Chooser) -> list[date]:
    gaps = [chooser.rng.randint(*event.gap) for event in events]
    slack = 3 * len(events)  # room for clinics that move to Monday
    latest = (LAST_DAY - FIRST_DAY).days - sum(gaps) - slack
    day = FIRST_DAY + timedelta(int(latest * start))
    days = []
    for event, gap in zip(events, gaps, strict=True):
        day += timedelta(gap)
        if event.type == LETTER and day.weekday() > 4:
            day += timedelta(7 - day.weekday())
        days.append(day)
    return days


def _patient(story: Story, index: int, patient_id: str, begin: date, chooser: Chooser) -> Patient:
    facts = story.patients[index]
    sex, age = facts["sex"], int(facts["age"])
    birth = begin.replace(year=begin.year - age, day=min(begin.day, 28)) - timedelta(chooser.rng.randint(1, 360))
    band = "young" if age < 35 else "middle" if age < 65 else "old"
    common = {
        "first": chooser.pick(FIRST[sex], f"first {sex}"),
        "last": chooser.pick(LAST, "last"),
        "gp": chooser.pick(GPS, "gp"),
        "surgeon": chooser.pick(SURGEONS, "surgeon"),
        "allergy": chooser.pick(ALLERGIES, "allergy"),
        "family": facts.get("fam") or chooser.pick(FAMILY, "family"),
        "social": chooser.pick(SOCIAL[band], f"social {band}"),
    }
    return Patient(patient_id, sex, birth, {**common, **facts})
