"""The synthetic notes and structured facts, from stories and hand-written cases, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import count

from ingest.demo.files import Source, cases, locate, phrases, stories, styles
from ingest.demo.layout import lay_out
from ingest.demo.prose import Chooser, TemplateError, follow, render
from ingest.demo.schema import Band, Code, Event, Gap, Profile, Story
from ingest.demo.slots import Patient, Slots
from search_stack.core.errors import AspectraError
from search_stack.core.schema import UNKNOWN, Note, Person, StructuredFact

SEED = 20170103
COLLECTION = "demo"
FIRST_DAY, LAST_DAY = date(2017, 1, 3), date(2025, 12, 20)


def demo_items() -> Iterator[Note | StructuredFact]:
    """Every synthetic note and fact, patient by patient: the notes in order of date, then the facts.

    No clock and no global random state is read: two runs give equal ones.

    Raises:
        AspectraError: one of the files is wrong.
    """
    for source, story in stories():
        check(source, story)
    written = (_note(case.text, case.patient_id, case.type, case.date, case.title) for case in cases())
    numbers = count(1)
    for item in (*_generated(), *written):
        yield replace(item, note_id=f"demo-{next(numbers):04}") if isinstance(item, Note) else item


def demo_notes() -> Iterator[Note]:
    """Of `demo_items` the notes."""
    return (item for item in demo_items() if isinstance(item, Note))


def _note(text: str, patient_id: str, note_type: str, day: date, title: str, person: Person = UNKNOWN) -> Note:
    return Note("", text, patient_id, note_type, day, title, COLLECTION, person=person)


def check(source: Source, story: Story) -> None:
    """Looks every slot of every wording up, for each patient of the story.

    Raises:
        AspectraError: a bracket is left open, or a slot stands for nothing; a code names a note or a number that
            is not there.
    """
    if idle := story.idle():
        remedy = "Mend the name, or give it to a patient."
        raise AspectraError(f"{locate(idle, source)}: no patient is {idle!r}.", remedy)
    for number, profile in enumerate(story.patients, start=1):
        try:
            for event, _, slots in _trajectory(story, profile, "", 0, Chooser(SEED)):
                follow(event.title, slots)
                follow(event.text, slots)
        except TemplateError as e:
            place = locate(e.words, source)
            raise AspectraError(f"{place}: {e} (patient {number}, note {event.key}).", e.remedy) from e
        _check_codes(source, story, profile, slots)


def _check_codes(source: Source, story: Story, profile: Profile, slots: Slots) -> None:
    """``slots`` have met every option of every note of the patient."""
    keys = {"", *(event.key for event in story.notes)}
    own = {"", *(event.key for event, _ in story.events(profile))}
    for code in (*story.codes, *profile.codes):
        if code.at not in (own if code in profile.codes else keys):
            place = locate(f'at = "{code.at}"', source)
            raise AspectraError(f"{place}: no note is {code.at!r}.", "Name one by its key.")
    for code in story.codes_of(profile):
        if code.number and slots.kept(code.number) is None:
            place = locate(f'number = "{code.number}"', source)
            raise AspectraError(f"{place}: no number is {code.number!r}.", "Name one in a note: {n:60-84=name}.")


def _generated() -> Iterator[Note | StructuredFact]:
    """Notes without ids."""
    chooser = Chooser(SEED)
    cast = [(story, profile) for _, story in stories() for profile in story.patients]
    chooser.rng.shuffle(cast)
    numbers = chooser.rng.sample(range(101, 9000), len(cast))
    ranks = chooser.rng.sample(range(len(cast)), len(cast))
    for (story, profile), number, rank in zip(cast, numbers, ranks, strict=True):
        # Trajectories run on for years, so starts lean a little to the late side.
        start = ((rank + chooser.rng.random()) / len(cast)) ** 0.8
        patient_id = f"P-{number:05}"
        days: dict[str, date] = {}
        for event, day, slots in _trajectory(story, profile, patient_id, start, chooser):
            days[event.key] = day
            style = chooser.pick(styles().of_type[event.type], event.type)
            text = lay_out(render(event.text, slots, chooser), styles().styles[style])
            title = render(event.title, slots, chooser)
            yield _note(text, patient_id, event.type, day, title, slots.patient.person)
        yield from _facts(story.codes_of(profile), patient_id, days, slots)


def _facts(codes: list[Code], patient_id: str, days: Mapping[str, date], slots: Slots) -> Iterator[StructuredFact]:
    """In order of day; ``days``: of the patient's notes by key, the first one first. A number that the notes happen
    not to name is not measured."""
    first = next(iter(days.values()))
    dated = [(days.get(code.at, first) + timedelta(code.days), code) for code in codes]
    for day, code in sorted(dated, key=lambda pair: pair[0]):
        drawn = slots.kept(code.number) if code.number else None
        if code.number and drawn is None:
            continue
        value = code.value if drawn is None else float(drawn)
        yield StructuredFact(
            patient_id, code.system, code.code, day, code.name, value, code.unit, collection=COLLECTION
        )


def _trajectory(
    story: Story, profile: Profile, patient_id: str, start: float, chooser: Chooser
) -> Iterator[tuple[Event, date, Slots]]:
    """One patient's events; ``start`` places the first between the earliest (0) and the latest (1) day."""
    chooser.next_patient()
    events = story.events(profile)
    days = _days(events, start, chooser)
    patient = _patient(story, profile, patient_id, days[0], chooser)
    dates: dict[str, date] = {}
    kept: dict[str, str] = {}
    for (event, _), day in zip(events, days, strict=True):
        dates[event.key] = day
        yield event, day, Slots(patient, dates, day, chooser, kept)


def _days(events: list[tuple[Event, Gap]], start: float, chooser: Chooser) -> list[date]:
    gaps = [chooser.rng.randint(*gap) for _, gap in events]
    slack = 3 * len(events)  # room for clinics that move to Monday
    latest = (LAST_DAY - FIRST_DAY).days - sum(gaps) - slack
    day = FIRST_DAY + timedelta(int(latest * start))
    days = []
    for (event, _), gap in zip(events, gaps, strict=True):
        day += timedelta(gap)
        if event.type == "clinic letter" and day.weekday() > 4:
            day += timedelta(7 - day.weekday())
        days.append(day)
    return days


def _patient(story: Story, profile: Profile, patient_id: str, begin: date, chooser: Chooser) -> Patient:
    words, facts, sex, age = phrases(), story.facts(profile), profile.sex, profile.age
    birth = begin.replace(year=begin.year - age, day=min(begin.day, 28)) - timedelta(chooser.rng.randint(1, 360))
    band: Band = "young" if age < 35 else "middle" if age < 65 else "old"
    drawn = {
        "first": chooser.pick(words.first[sex], f"first {sex}"),
        **{fact: chooser.pick(values, fact) for fact, values in words.drawn.items()},
        "family": facts.get("family") or chooser.pick(words.family, "family"),
        "social": chooser.pick(words.social[band], f"social {band}"),
    }
    return Patient(patient_id, sex, birth, {**drawn, **facts})
