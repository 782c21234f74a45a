"""Every shipped file of the lexicon is sound: all that it lists is found, and means what stands there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import as_file, files

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon, folded
from search_stack.language.lexicon.files import read_lexicon
from search_stack.language.lexicon.load import Further, further_names
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.names import common_form, other_names
from tests import language

LONGER = 5
"""Letters of a name that is no abbreviation of another in its own right."""
FEWEST = {
    "chest.csv": {"disorder": 50, "finding": 70, "procedure": 4, "device": 15, "anatomy": 1},
    "general.csv": {
        "disorder": 250,
        "symptom": 80,
        "finding": 60,
        "procedure": 80,
        "device": 30,
        "drug": 150,
        "anatomy": 15,
    },
    "wider.csv": {
        "disorder": 1500,
        "symptom": 200,
        "finding": 300,
        "procedure": 900,
        "device": 400,
        "drug": 800,
        "vital sign": 5,
    },
    "exact.csv": {},
}
"""How many concepts of each kind a file holds at least, so that none is lost unseen."""


@pytest.fixture(scope="module", params=FEWEST)
def file(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def concepts(file: str) -> list[Concept]:
    with as_file(files("search_stack.language.lexicon") / "data" / file) as path:
        return read_lexicon(path)


def test_no_file_is_left_out() -> None:
    folder = files("search_stack.language.lexicon") / "data"
    assert {path.name for path in folder.iterdir() if path.name.endswith(".csv")} == FEWEST.keys()


def test_it_holds_concepts_of_its_kinds(concepts: list[Concept], file: str) -> None:
    kinds = Counter(c.kind for c in concepts)
    assert {kind: kinds[kind] for kind, fewest in FEWEST[file].items() if kinds[kind] < fewest} == {}
    assert not FEWEST[file] or kinds.keys() == FEWEST[file].keys()


def test_no_name_stands_for_two_concepts(lexicon: Lexicon) -> None:
    holders: dict[str, set[str]] = defaultdict(set)
    for c in lexicon.concepts.values():
        for name in (c.name, *c.synonyms, *c.abbreviations):
            holders[folded(name)].add(c.id)
    assert {n: ids for n, ids in holders.items() if len(ids) > 1} == {}


def test_every_parent_is_there_and_none_is_its_own_ancestor(concepts: list[Concept], lexicon: Lexicon) -> None:
    assert [(c.id, p) for c in concepts for p in c.parents if p not in lexicon.concepts] == []
    assert [c.id for c in concepts for p in c.parents if p == c.id or c.id in lexicon.ancestors(p)] == []


def test_no_concept_lists_a_phrase_twice(concepts: list[Concept]) -> None:
    for c in concepts:
        for phrases in ((c.name, *c.synonyms), c.exclusions, c.denials):
            twice = [p for p, n in Counter(map(folded, phrases)).items() if n > 1]
            assert (c.id, twice) == (c.id, [])


def test_every_name_is_found(concepts: list[Concept], lexicon: Lexicon, matcher: Matcher) -> None:
    lost = []
    for c in concepts:
        for name in (c.name, *c.synonyms, *c.abbreviations):
            found = {m.concept for m in matcher.mentions(name, 0, len(name)) if not m.denial}
            # A name that belongs to a child as well may stand for the child.
            if not found & {c.id, *lexicon.descendants(c.id)}:
                lost.append((c.id, name))
    assert lost == []


def test_every_name_means_one_thing(concepts: list[Concept], matcher: Matcher) -> None:
    """No name is but another form of a name of another concept: a note that holds it would have both."""
    twofold = []
    for c in concepts:
        for name in (c.name, *c.synonyms):
            whole = [m for m in matcher.mentions(name, 0, len(name)) if (m.begin, m.end) == (0, len(name))]
            if len({m.concept for m in whole if not m.denial}) > 1:
                twofold.append((name, sorted(m.concept for m in whole)))
    assert twofold == []


def test_every_denial_is_found_as_one(concepts: list[Concept], matcher: Matcher) -> None:
    lost = []
    for c in concepts:
        for phrase in c.denials:
            found = [m for m in matcher.mentions(phrase, 0, len(phrase)) if m.concept == c.id]
            if not found or not all(m.denial for m in found):
                lost.append((c.id, phrase))
    assert lost == []


def test_no_exclusion_names_its_concept(concepts: list[Concept], matcher: Matcher) -> None:
    named = [
        (c.id, phrase)
        for c in concepts
        for phrase in c.exclusions
        if c.id in {m.concept for m in matcher.mentions(phrase, 0, len(phrase))}
    ]
    assert named == []


def test_what_a_name_finds_is_told_by_a_name_that_can_be_left_out(lexicon: Lexicon) -> None:
    """Else a question that leaves other names out would lose its mentions."""
    matcher = Matcher(lexicon)
    for c in lexicon.concepts.values():
        forms = {common_form(name) for name in (c.name, *other_names(c))}
        for name in (*c.names, *c.abbreviations):
            told = [m.names for m in matcher.mentions(name, 0, len(name)) if m.concept == c.id and not m.denial]
            assert all(names and forms.issuperset(names) for names in told), (c.id, name, told)


def test_what_patients_and_wards_call_a_concept_is_found_by_that_alone(lexicon: Lexicon) -> None:
    """Each name in the tables of such names finds its concept, whole, and would not without it."""
    named = further_names()
    assert named.keys() <= lexicon.concepts.keys()
    bare = Lexicon(_without(c, named.get(c.id, ())) for c in lexicon.concepts.values())
    found, otherwise = Matcher(lexicon), Matcher(bare)
    wrong = []
    for id, tables in named.items():
        family = {id, *lexicon.descendants(id)}
        for name in (name for names in tables for more in names.values() for name in more):
            text = f"{name}. Seen Today."  # in one case alone short forms are found in any
            here, there = (
                {m.concept for m in one.mentions(text, 0, len(name)) if (m.begin, m.end) == (0, len(name))}
                for one in (found, otherwise)
            )
            if family.isdisjoint(here) or id in there:
                wrong.append((id, name))
    assert wrong == []


def _without(concept: Concept, further: Iterable[Further]) -> Concept:
    less = {name for names in further for more in names.values() for name in more}
    synonyms, abbreviations, phrases = (
        tuple(name for name in names if name not in less)
        for names in (concept.synonyms, concept.abbreviations, concept.phrases)
    )
    return replace(concept, synonyms=synonyms, abbreviations=abbreviations, phrases=phrases)


DENIED_BY_NAME = {
    "absent-gag-reflex",
    "activity-restriction",
    "bathing-restriction",
    "do-not-resuscitate",
    "driving-restriction",
    "fatigue",
    "lifting-restriction",
    "loss-of-appetite",
    "missed-appointment",
    "no-evidence-of-disease",
    "no-growth-culture",
    "no-light-perception",
    "no-prenatal-care",
    "no-reflow",
    "pelvic-rest",
    "poor-eye-contact",
    "reduced-anal-tone",
    "sports-restriction",
    "transportation-barriers",
    "uninsured",
}
"""What is there where something is not."""


def test_no_name_denies_or_doubts_what_it_names() -> None:
    lexicon = language.lexicon()
    says = ("no ", "without ", "denies ", "denied ", "rule out ", "r o ", "possible ", "suspected ", "treated for ")
    names = {**lexicon.names, **{p: c.id for c in lexicon.concepts.values() for p in c.phrases}}
    found = {id for name, id in names.items() if folded(name).startswith(says) and not name.startswith("no longer")}
    assert found == DENIED_BY_NAME


def test_what_is_written_apart_or_joined_is_one_concept() -> None:
    """ "Guidewire" and "guide wire" were two: who asked for one lost the notes that have the other."""
    named = defaultdict(set)
    for concept in language.lexicon().concepts.values():
        for name in (concept.name, *concept.synonyms):
            joined = name.lower().replace(" ", "").replace("-", "").replace("'", "").removesuffix("s")
            if len(joined) > LONGER:
                named[joined].add(concept.id)
    assert not {name: ids for name, ids in named.items() if len(ids) > 1}
