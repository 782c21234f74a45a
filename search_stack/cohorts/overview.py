"""A kept cohort at a glance: sex and age, years, types of notes, and what these find, by assertion."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from threading import Lock

import numpy as np

from search_stack.cohorts.clauses import among
from search_stack.cohorts.contrast import NOT_KNOWN, band
from search_stack.cohorts.facets import Counted, Msearch, by_value, commonest, years
from search_stack.cohorts.rows import Ints, Rows
from search_stack.cohorts.standing import Known
from search_stack.core.schema import STATUSES_OF
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.query.fields import BY_KEY

_NO_AGE = -1
_DECADE = 10


@dataclass(frozen=True, slots=True)
class Said:
    """A finding, and of how many patients notes say what of it."""

    name: str
    patients: Mapping[str, int]
    """By assertion; who has it of several counts in each."""

    @property
    def most(self) -> int:
        return max(self.patients.values())


@dataclass(frozen=True, slots=True)
class Overview:
    """Exact numbers of patients; one patient may have several years, types and findings."""

    sexes: tuple[str, ...]
    """The commonest first, last those of whom it is not known."""
    ages: tuple[tuple[str, tuple[int, ...]], ...]
    """By decade of the age at the first evidence, how many of each of the sexes; every patient once."""
    years: tuple[Counted, ...]
    types: tuple[Counted, ...]
    findings: tuple[Said, ...]
    """The commonest first, categories of what is done or given behind all others."""

    @property
    def total(self) -> int:
        """Of patients."""
        return sum(sum(counts) for _, counts in self.ages)


Told = Mapping[str, Counter[str]]
"""How many patients have each type of note, and each finding with its assertion, among some notes."""


class Remembered:
    """What the engine told, by all that it depends on; the least used forgotten beyond ``most``. Threads share one."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._told: OrderedDict[Hashable, Told] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Told | None:
        with self._lock:
            if key in self._told:
                self._told.move_to_end(key)
            return self._told.get(key)

    def put(self, key: Hashable, told: Told) -> None:
        with self._lock:
            self._told[key] = told
            self._told.move_to_end(key)
            if len(self._told) > self._most:
                self._told.popitem(last=False)


def told_of(notes: Ints, engine: Msearch) -> Told:
    """What ``notes``, by key, say: the part of an overview that costs."""
    clause = among("note_key", notes.tolist())
    return by_value(engine, {"type": (clause, BY_KEY["type"].stored[0]), "own": (clause, "own")})


def overview_of(patients: Ints, rows: Rows, told: Told, known: Known, lexicon: Lexicon | None) -> Overview:
    """
    Args:
        patients: (N,) their numbers, sorted.
        rows: their evidence.
        told: of its notes.
    """
    sexes, ages = _sexes_and_ages(patients, rows, known)
    return Overview(sexes, ages, years(rows), commonest(told["type"]), _findings(told["own"], lexicon))


def _sexes_and_ages(
    patients: Ints, rows: Rows, known: Known
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    sex = np.full(len(patients), NOT_KNOWN, dtype=object)
    for name, numbers in known.by_sex().items():
        sex[np.isin(patients, np.asarray(numbers, dtype=np.int64), assume_unique=True)] = name
    pairs = Counter(zip(map(_band, _first_ages(patients, rows, known).tolist()), sex.tolist(), strict=True))
    of_sex = Counter(sex.tolist())
    sexes = tuple(sorted(of_sex, key=lambda name: (name == NOT_KNOWN, -of_sex[name], name)))
    return sexes, tuple((name, tuple(pairs[name, one] for one in sexes)) for name in _bands({b for b, _ in pairs}))


def _first_ages(patients: Ints, rows: Rows, known: Known) -> Ints:
    """(N,): the first age that is known of each patient's evidence; -1 where none is."""
    ages = known.ages(rows)
    of_age = ages >= 0
    told, first = np.unique(rows.patient[of_age], return_index=True)
    out = np.full(len(patients), _NO_AGE, dtype=np.int64)
    out[np.searchsorted(patients, told)] = ages[of_age][first]
    return out


def _band(age: int) -> str:
    return band(None if age == _NO_AGE else age)


def _bands(held: set[str]) -> list[str]:
    """All decades from the first of ``held`` to the last, those between without a patient too."""
    every = [band(age) for age in range(0, 100, _DECADE)]
    places = [place for place, name in enumerate(every) if name in held]
    decades = every[places[0] : places[-1] + 1] if places else []
    return decades + [NOT_KNOWN] * (NOT_KNOWN in held)


def _findings(own: Mapping[str, int], lexicon: Lexicon | None) -> tuple[Said, ...]:
    """
    Args:
        own: patients by assertion and concept, with a space between.
    """
    found: dict[str, dict[str, int]] = {}
    for value, count in own.items():
        assertion, _, concept = value.partition(" ")
        found.setdefault(concept, {})[assertion] = count
    told = ((_is_category(concept, lexicon), Said(_name(concept, lexicon), all_)) for concept, all_ in found.items())
    return tuple(one for _, one in sorted(told, key=lambda pair: (pair[0], -pair[1].most, pair[1].name)))


def _is_category(concept: str, lexicon: Lexicon | None) -> bool:
    """Whether it is but a word for many drugs, procedures or devices: nothing is broader, others are narrower. Nearly
    every patient has "medication", which tells of none what it is."""
    known = lexicon.concepts.get(concept) if lexicon else None
    return bool(lexicon and known and known.kind in STATUSES_OF and not known.parents and lexicon.descendants(concept))


def _name(concept: str, lexicon: Lexicon | None) -> str:
    known = lexicon.concepts.get(concept) if lexicon else None
    return known.name if known else concept
