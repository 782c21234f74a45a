"""Trees of every shape, over names that the shipped lexicon holds."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import strategies as st

from search_stack.core.amounts import Amount
from search_stack.query.fields import FIELDS, Field
from search_stack.query.nodes import (
    COMPARISONS,
    SAYS,
    TOGETHER,
    AtAge,
    AtLeast,
    Fact,
    FieldIs,
    Finding,
    Near,
    Node,
    Phrase,
    Pick,
    Topic,
    Words,
)
from search_stack.query.timed import MOST_DAYS, during, together
from search_stack.query.tree import all_of, any_of, is_timed, not_, wanted
from search_stack.query.write import write

NAMES = (
    "pneumothorax",
    "pleural effusion",
    "fever",
    "implantable cardioverter-defibrillator",
    "glp-1 agonist",
    "type 2 diabetes mellitus",
)
_WORD = st.text(st.characters(categories=("L", "N"), max_codepoint=0x2FF), min_size=1, max_size=8)
_TEXT = st.lists(
    st.one_of(_WORD, st.sampled_from(("and", "OR", "no", "in the impression", "(x)", "-y", "a:b"))), max_size=4
)
TEXT = _TEXT.map(" ".join).filter(lambda t: any(c.isalnum() for c in t))
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1)).map(date.isoformat)
AGES = st.one_of(
    st.builds("{}{}".format, st.sampled_from(("", "<", "<=", ">", ">=")), st.integers(0, 120)),
    st.tuples(st.integers(0, 120), st.integers(0, 120)).map(lambda two: "{}-{}".format(*sorted(two))),
)
NARROWER = st.sets(st.sampled_from(("aspiration pneumonia", "lobar pneumonia")), min_size=1).map(
    lambda names: tuple(sorted(names))
)
CODES = st.text("ABCIJ0123456789.-", min_size=1, max_size=6).filter(lambda c: any(x.isalnum() for x in c))
VALUES = st.integers(-100_000, 100_000).map(lambda n: n / 100)
UNITS = ("", "g/dL", "%", "10*9/L", "mm[Hg]", "{score}", "/min", "kg.m2")
AMOUNTS = st.builds(
    lambda sign, least, more, unit: Amount.by_sign(sign, least / 100, (least + more * (sign == "=")) / 100, unit),
    st.sampled_from(("<", "<=", ">", ">=", "=")),
    st.integers(0, 10_000_000),
    st.integers(0, 10_000_000),
    st.sampled_from(("", "%", "mm", "ml", "g", "mg/dl")),
)
SITES = st.sampled_from(("left", "bilateral", "knee", "right lower lobe", "left LAD", "severe", "mild left knee"))
FACTS = st.one_of(
    st.builds(Fact, st.sampled_from(("icd10", "loinc", "atc", "snomed-ct")), CODES),
    st.builds(Fact, st.just("loinc"), CODES, st.sampled_from(COMPARISONS), VALUES, st.sampled_from(UNITS)),
)


def values(field: Field) -> st.SearchStrategy[str]:
    """What the field may be asked for, as a tree holds it."""
    cohorts = st.sampled_from(("copd", "COPD-2020", "a.b_c@12"))
    by_key = {"sex": st.sampled_from(("female", "male", "unknown")), "age": AGES, "cohort": cohorts}
    return DAYS if field.is_day else by_key.get(field.key, TEXT)


ASKED = st.one_of(
    st.builds(Finding, st.sampled_from(NAMES), st.sampled_from(SAYS)),
    st.builds(Finding, st.just("pneumonia"), st.sampled_from(SAYS), NARROWER),
    st.builds(Finding, st.just("pleural effusion"), st.sampled_from(SAYS), amount=AMOUNTS),
    st.builds(Finding, st.just("pneumonia"), st.sampled_from(SAYS), amount=st.one_of(st.none(), AMOUNTS), site=SITES),
    st.builds(Topic, st.sampled_from(NAMES), st.one_of(st.just(""), st.sampled_from(("treatment", "risk factors")))),
    st.builds(Words, TEXT),
    st.builds(Phrase, TEXT),
    FACTS,
)
"""Criteria; a field by itself is none."""
LEAVES = st.one_of(ASKED, st.sampled_from(FIELDS).flatmap(lambda f: st.builds(FieldIs, st.just(f.key), values(f))))


def bounds(least: int, most: int) -> st.SearchStrategy[tuple[int | None, int | None]]:
    """Two numbers in their order, or none of one, or of both."""
    numbers = st.tuples(st.integers(least, most), st.integers(least, most)).map(sorted)
    return st.tuples(numbers, st.booleans(), st.booleans()).map(
        lambda b: (b[0][0] if b[1] else None, b[0][1] if b[2] else None)
    )


def asks(node: Node) -> bool:
    """Whether it asks for something that has a place in time; a field or an exclusion alone has none."""
    return any(not isinstance(leaf, FieldIs) for leaf in wanted(node))


def timed(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Every node of time over ``inner`` that asks for something."""
    what = inner.filter(asks)
    days = st.tuples(DAYS, DAYS).filter(lambda two: two[0] != two[1]).map(sorted)
    since = st.tuples(days, st.sampled_from(((1, 1), (1, 0), (0, 1)))).map(
        lambda s: (s[0][0] if s[1][0] else "", s[0][1] if s[1][1] else "")
    )
    offsets = st.one_of(bounds(-60, 60), bounds(-MOST_DAYS, MOST_DAYS))
    return st.one_of(
        st.builds(AtLeast, st.integers(1, 9999), st.sampled_from(("notes", "days")), what),
        st.builds(Pick, st.sampled_from(("first", "last")), what),
        st.builds(lambda s, child: during(s[0], s[1], child), since, what),
        st.builds(lambda b, child: AtAge(b[0], b[1], child), bounds(0, 130), what),
        st.builds(lambda b, child, anchor: Near(b[0], b[1], child, anchor), offsets, what, what),
        st.builds(together, st.sampled_from(TOGETHER), st.lists(what, min_size=2, max_size=3)),
    )


TREES: st.SearchStrategy[Node] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map(all_of),
        st.lists(inner, min_size=1, max_size=4).map(any_of),
        inner.map(not_),
        timed(inner),
    ),
    max_leaves=10,
).filter(lambda tree: not is_timed(tree) or re.search("[a-z]", re.sub('"[^"]*"', "", write(tree))) is not None)
"""Without a small letter outside quotes some operators of time are told from no words: `"0" AT AGE * TO *`."""
