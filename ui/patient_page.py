"""The page of a patient: the whole record on one axis of time, and what its notes say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from markupsafe import Markup, escape

from ingest.ledger.listing import ListedFact, ListedNote, ListedPatient
from ingest.ledger.tables import INDEXED
from search_stack.index.passage import iso_day
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.retrieval.evidence import Criterion, Shown, mentions
from search_stack.retrieval.record import Course
from ui.frame import Frame
from ui.highlight import SIGNS
from ui.legend import LEGEND
from ui.note_name import note_name
from ui.place import Place

HUES = 6
"""Colours of criteria; a seventh has the first one's again."""
SNIPPETS = 3
"""Passages of a note that are shown; its page has all."""
DOTS = 150
"""Notes up to which each has a dot on the axis; more are counted in bars, and those that the search shows have dots."""
LISTED = 60
"""Notes up to which all stand in one list; of more, those that the search shows come first, the others by year."""
BARS = 60
_APART = 2.6
"""Percent of the axis that two dots of a row are apart."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A note on the axis. ``x`` in percent from the left; rows are counted from the axis up."""

    x: float
    row: int
    url: str
    title: str
    hues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    width: float
    height: float
    """Percent of the highest."""
    title: str


@dataclass(frozen=True, slots=True)
class Axis:
    dots: tuple[Dot, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    facts: tuple[tuple[float, str], ...]
    """Days of structured facts, and what they are."""
    rows: int
    """Of dots."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A criterion of the search, in its colour, with the notes that show it."""

    said: str
    hue: int
    notes: int


@dataclass(frozen=True, slots=True)
class Snippet:
    text: Markup
    section: str
    url: str


@dataclass(frozen=True, slots=True)
class NoteRow:
    key: int
    day: str
    name: str
    url: str
    state: str
    """Empty where it can be found."""
    hues: tuple[tuple[int, str], ...] = ()
    snippets: tuple[Snippet, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class CourseRow:
    name: str
    notes: int
    undated: int
    stretches: tuple[tuple[str, str, str, int], ...]
    """Assertion, its sign, when, on how many days."""
    asked: bool


@dataclass(frozen=True, slots=True)
class PatientPage:
    frame: Frame
    patient: ListedPatient
    back: str
    notice: str
    asked: tuple[Asked, ...]
    axis: Axis | None
    """None where no note has a date."""
    rows: tuple[NoteRow, ...]
    courses: tuple[CourseRow, ...]
    facts: tuple[ListedFact, ...]
    legend: tuple[tuple[str, str, str], ...] = LEGEND

    @property
    def matching(self) -> int:
        return sum(bool(row.hues) for row in self.rows)

    @property
    def first(self) -> tuple[NoteRow, ...]:
        """Notes that stand open."""
        return self.rows if len(self.rows) <= LISTED else tuple(row for row in self.rows if row.hues)

    @property
    def by_year(self) -> tuple[tuple[str, tuple[NoteRow, ...]], ...]:
        """The others, folded; those without a date last."""
        rest = [row for row in self.rows if not row.hues] if len(self.rows) > LISTED else []
        return tuple((year, tuple(own)) for year, own in groupby(rest, key=lambda row: row.day[:4]))


@dataclass(slots=True)
class Matches:
    """By note, the passages that show the search, and by which criteria."""

    criteria: Sequence[Criterion] = ()
    shown: dict[int, list[Shown]] = field(default_factory=dict)

    @classmethod
    def of(cls, criteria: Sequence[Criterion], shown: Iterable[Shown]) -> Matches:
        made = cls(criteria)
        for one in shown:
            made.shown.setdefault(one.hit.note_key, []).append(one)
        return made

    def named(self, note: int) -> tuple[tuple[int, str], ...]:
        held = sorted({n for one in self.shown.get(note, ()) for n in one.held})
        return tuple((n % HUES, self.criteria[n].said) for n in held)


def note_row(note: ListedNote, matches: Matches, place: Place) -> NoteRow:
    shown = matches.shown.get(note.key, [])
    snippets = tuple(
        Snippet(lit(one, matches.criteria), one.hit.section or one.hit.aspect, place.passage(one.hit))
        for one in shown[:SNIPPETS]
    )
    return NoteRow(
        note.key,
        note.date.isoformat() if note.date else "",
        note_name(note.title, note.type, note.note_id),
        place.passage(shown[0].hit) if shown else place.note(note.key),
        "" if note.state == INDEXED else note.state,
        matches.named(note.key),
        snippets,
        max(0, len(shown) - SNIPPETS),
    )


def lit(shown: Shown, criteria: Sequence[Criterion]) -> Markup:
    """The passage, what shows a criterion marked in its colour; where two meet, in that of the first."""
    number = {criterion.said: n % HUES for n, criterion in enumerate(criteria)}
    spans = []
    for mention in mentions(shown, criteria):
        hue = min(number[said] for said in mention.criteria)
        own = mention.spans if mention.finding is None else ((mention.begin, mention.end),)
        spans += [(begin - shown.hit.begin, end - shown.hit.begin, hue) for begin, end in own]
    out, at, text = Markup(), 0, shown.hit.text
    for begin, end, hue in sorted(spans):
        if begin >= at:
            out += escape(text[at:begin]) + Markup('<mark class="hue-{}">{}</mark>').format(hue, text[begin:end])
            at = end
    return out + escape(text[at:])


def course_row(course: Course, lexicon: Lexicon | None, asked: frozenset[str]) -> CourseRow:
    concept = lexicon.concepts.get(course.concept) if lexicon else None
    return CourseRow(
        concept.name if concept else course.concept,
        course.notes,
        course.undated,
        tuple((s.assertion, SIGNS[s.assertion], _when(s.first, s.last), s.days) for s in course.stretches),
        course.concept in asked,
    )


def _when(first: int, last: int) -> str:
    days = [iso_day(day) or "" for day in (first, last)]
    return days[0] if first == last else f"{days[0]} – {days[1]}"


def axis(rows: Sequence[NoteRow], facts: Sequence[ListedFact]) -> Axis | None:
    """Notes and structured facts by their days; None where none has one."""
    days = [date.fromisoformat(row.day) for row in rows if row.day]
    coded = [fact for fact in facts if fact.day]
    every = [*days, *(fact.day for fact in coded if fact.day)]
    if not every:
        return None
    first, last = min(every), max(every)
    span = max(1, (last - first).days)

    def x(day: date) -> float:
        return round(3 + 94 * (day - first).days / span, 2)

    dated = [row for row in rows if row.day]
    many = len(dated) > DOTS
    dots = _dots([row for row in dated if row.hues or not many][:DOTS], x)
    return Axis(
        dots,
        _bars(days, first, span) if many else (),
        tuple(_ticks(first, last, x)),
        tuple((x(fact.day), f"{fact.day.isoformat()} {fact.name or fact.code}") for fact in coded if fact.day),
        max((dot.row for dot in dots), default=-1) + 1,
    )


def _dots(rows: Sequence[NoteRow], x: Callable[[date], float]) -> tuple[Dot, ...]:
    ends: list[float] = []
    out = []
    for row in rows:
        at = x(date.fromisoformat(row.day))
        level = next((n for n, end in enumerate(ends) if at - end >= _APART), len(ends))
        ends[level : level + 1] = [at]
        out.append(Dot(at, level, row.url, f"{row.day} {row.name}", tuple(sorted({hue for hue, _ in row.hues}))))
    return tuple(out)


def _bars(days: Sequence[date], first: date, span: int) -> tuple[Bar, ...]:
    counts: dict[int, int] = {}
    for day in days:
        place = min(BARS - 1, (day - first).days * BARS // span)
        counts[place] = counts.get(place, 0) + 1
    most, width = max(counts.values()), 94 / BARS
    return tuple(
        Bar(round(3 + place * width, 2), round(width * 0.8, 2), round(100 * count / most, 1), f"{count} notes")
        for place, count in sorted(counts.items())
    )


def _ticks(first: date, last: date, x: Callable[[date], float]) -> Iterable[tuple[float, str]]:
    """First and last day, and the years between, where they have room."""
    yield x(first), first.isoformat()
    years = range(first.year + 1, last.year + 1)
    for year in years[:: -(-len(years) // 8) or 1]:
        at = x(date(year, 1, 1))
        if 12 < at < 88:
            yield at, str(year)
    if last != first:
        yield x(last), last.isoformat()
