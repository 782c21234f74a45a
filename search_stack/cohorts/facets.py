"""Who the patients of a cohort are and what their evidence says, value by value: exact numbers of patients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from search_stack.cohorts import time
from search_stack.cohorts.buckets import PAGE, composite, terms
from search_stack.cohorts.clauses import Clause, among
from search_stack.cohorts.cohort import Members
from search_stack.cohorts.rows import Ints, Rows, Unit
from search_stack.cohorts.standing import Known
from search_stack.core.schema import ASSERTIONS
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.query.fields import BY_KEY, age_range
from search_stack.query.nodes import Finding
from search_stack.query.write import readable

BANDS = ("0-17", "18-39", "40-64", "65-79", ">=80")
"""Ages, as the field ``age`` has them."""
FACETS = ("type", "section", "year", "sex", "age", "finding")
Msearch = Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Counted:
    """A value, and how many patients have it; one patient may have several."""

    value: str
    patients: int


def facets_of(found: Members, engine: Msearch, known: Known, lexicon: Lexicon | None) -> dict[str, tuple[Counted, ...]]:
    """By `FACETS`. Who has no value of one is in none of its values.

    Note type, year, age and findings are those of the notes of the evidence, a finding with its assertion, in the
    words of the attrition; the section is that of the passages that show it. Years and age bands stand in
    their order, all else by number.
    """
    notes = among("note_key", found.notes.tolist())
    asked = {
        "type": (notes, BY_KEY["type"].stored[0]),
        "section": (found.plan.matching(), BY_KEY["section"].stored[0]),
        **{assertion: (notes, assertion) for assertion in ASSERTIONS},
    }
    told = by_value(engine, asked)
    people = of_people(found.rows, "patient", known)
    findings = {_said(lexicon, id, a): n for a in ASSERTIONS for id, n in told[a].items()}
    return {
        "type": commonest(told["type"]),
        "section": commonest(told["section"]),
        "year": years(found.rows),
        "sex": _listed(people["sex"]),
        "age": _listed(people["age"]),
        "finding": commonest(findings),
    }


def years(rows: Rows) -> tuple[Counted, ...]:
    """Patients with a row in each year."""
    dated = time.dated(rows)
    year = time.years_of(dated.day)
    return tuple(Counted(str(y), _patients(dated, year == y)) for y in np.unique(year).tolist())


def of_people(rows: Rows, unit: Unit, known: Known) -> dict[str, dict[str, int]]:
    """Notes or patients of ``rows`` by sex, the commonest first, and by `BANDS`; no value that is nobody's."""
    sexes = {sex: len(rows.of_patients(np.asarray(of)).units(unit)) for sex, of in known.by_sex().items()}
    ages = known.ages(rows)
    return {
        "sex": {sex: n for sex, n in sorted(sexes.items(), key=lambda one: (-one[1], one[0])) if n},
        "age": {band: n for band in BANDS if (n := len(rows.where(_inside(ages, band)).units(unit)))},
    }


def _inside(ages: Ints, band: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """(N,): which of ``ages`` are in ``band``; one that is negative is not known."""
    least, most = age_range(band)
    keep = ages >= (least or 0)
    return keep if most is None else keep & (ages <= most)


def _patients(rows: Rows, keep: np.ndarray[Any, np.dtype[np.bool_]]) -> int:
    return len(rows.where(keep).patients())


def _listed(numbers: Mapping[str, int]) -> tuple[Counted, ...]:
    return tuple(Counted(*one) for one in numbers.items())


def commonest(numbers: Mapping[str, int]) -> tuple[Counted, ...]:
    told = ((value, n) for value, n in numbers.items() if value and n)
    return tuple(Counted(*one) for one in sorted(told, key=lambda one: (-one[1], one[0])))


def _said(lexicon: Lexicon | None, id: str, assertion: str) -> str:
    concept = lexicon.concepts.get(id) if lexicon else None
    return readable(Finding(concept.name if concept else id, assertion))


def by_value(engine: Msearch, asked: Mapping[str, tuple[Clause, str]]) -> dict[str, Counter[str]]:
    """How many patients have each value of a field, among the passages of a clause: pairs of both, counted."""
    found: dict[str, Counter[str]] = {name: Counter() for name in asked}
    left: dict[str, Mapping[str, Any] | None] = dict.fromkeys(asked)
    while left:
        responses = engine([_pairs(*asked[name], after) for name, after in left.items()])
        pages = {name: r["aggregations"]["rows"] for name, r in zip(left, responses, strict=True)}
        for name, page in pages.items():
            found[name].update(b["key"]["value"] for b in page["buckets"])
        left = {name: page["after_key"] for name, page in pages.items() if len(page["buckets"]) == PAGE}
    return found


def _pairs(clause: Clause, field: str, after: Mapping[str, Any] | None) -> Clause:
    # The patient first: so the index lies on disk.
    return composite(clause, [terms("patient_no", "patient"), terms(field, "value")], after)
