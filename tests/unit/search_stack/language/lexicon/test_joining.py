"""One concept once, with the names and codes of all."""

from __future__ import annotations

from collections import Counter

import pytest

from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.joining import AMBIGUOUS, JOINED, LOOPS, NEW, Joined, joined
from search_stack.language.lexicon.names import name_key

HERNIA = Concept("hernia", "hernia", "disorder", synonyms=("rupture of the wall",))
GROIN = Concept(
    "inguinal-hernia", "inguinal hernia", "disorder", ("hernia",), synonyms=("groin hernia",), abbreviations=("IH",)
)
ANEMIA = Concept("anemia", "anemia", "disorder", synonyms=("low blood count",))
BASE = {c.id: c for c in (HERNIA, GROIN, ANEMIA)}


def term(
    id: str, *names: str, parents: tuple[str, ...] = (), codes: tuple[str, ...] = (), kind: str = "disorder"
) -> Concept:
    return Concept(id, names[0], kind, parents, phrases=names, codes=(id, *codes))


def put(*concepts: Concept, base: dict[str, Concept] = BASE) -> Joined:
    return joined(base, {"new": concepts})


@pytest.mark.parametrize("name", ["Hernia, inguinal", "Inguinal Hernias", "hernia inguinal"])
def test_what_is_there_keeps_id_name_and_kind_and_gains_names_and_codes(name: str) -> None:
    done = put(term("X:1", name, "Bubonocele", kind="finding"))
    assert done.concepts["inguinal-hernia"] == Concept(
        *("inguinal-hernia", "inguinal hernia", "disorder", ("hernia",), ("groin hernia",), ("IH",)),
        phrases=("Bubonocele",),
        codes=("X:1",),
    )
    assert done.aliases == {"X:1": "inguinal-hernia"}
    assert done.counts["new"] == Counter({JOINED: 1, AMBIGUOUS: 0})
    assert "X:1" not in done.concepts


def test_british_and_american_spelling_are_one_name() -> None:
    assert put(term("X:1", "Anaemia", "oligocythaemia")).concepts["anemia"].phrases == ("oligocythaemia",)


def test_a_new_concept_is_matched_by_its_phrases_alone() -> None:
    done = put(term("X:1", "Wobbly toe", "unstable toe"))
    assert done.concepts["X:1"].loose == ()
    assert done.concepts["X:1"].names == ("Wobbly toe", "unstable toe")
    assert done.counts["new"][NEW] == 1


def test_a_synonym_alone_joins_nothing() -> None:
    """The other's synonym, or its own: both may be broader or narrower."""
    done = put(term("X:1", "Groin hernia", "bulge of the groin"), term("X:2", "Bulging", "hernia"))
    assert done.concepts["X:1"].names == ("bulge of the groin",)
    assert done.concepts["X:1"].parents == ("inguinal-hernia",)
    assert done.concepts["X:2"].names == ("Bulging",)
    assert done.concepts["inguinal-hernia"].phrases == done.concepts["hernia"].phrases == ()


def test_a_synonym_joins_where_the_name_comes_with_it() -> None:
    assert put(term("X:1", "Groin hernia", "inguinal hernia", "bulge")).aliases == {"X:1": "inguinal-hernia"}


def test_a_name_that_others_have_makes_no_concept() -> None:
    done = put(
        term("X:1", "Low blood count"), term("X:2", "wall rupture"), term("X:3", "very low count", parents=("X:1",))
    )
    assert done.aliases["X:1"] == "anemia"
    assert done.concepts["X:3"].parents == ("anemia",)


def test_codes_that_no_third_has_join_and_shared_ones_do_not() -> None:
    base = {
        "a": Concept("a", "first", "disorder", codes=("UMLS:C1", "ICD10CM:A1")),
        "b": Concept("b", "second", "disorder", codes=("UMLS:C2",)),
    }
    done = put(
        term("X:1", "other word", codes=("UMLS:C1",)),
        term("X:2", "next word", codes=("UMLS:C2",)),
        term("X:3", "last word", codes=("UMLS:C2",)),
        term("X:4", "class word", codes=("ICD10CM:A1",)),
        base=base,
    )
    assert done.aliases == {"X:1": "a", "X:2": "X:2", "X:3": "X:3", "X:4": "X:4"}
    assert done.concepts["a"].phrases == ("other word",)


def test_a_name_that_means_two_is_left_out_and_counted() -> None:
    done = put(term("X:1", "first thing", "shared name"), term("X:2", "second thing", "shared name", "groin hernia"))
    assert done.concepts["X:1"].names == ("first thing",)
    assert done.concepts["X:2"].names == ("second thing",)
    assert done.counts["new"][AMBIGUOUS] == 3


def test_a_name_stays_with_the_one_whose_own_it_is() -> None:
    done = put(term("X:1", "first thing", "second thing"), term("X:2", "second thing"))
    assert [done.concepts[i].names for i in ("X:1", "X:2")] == [("first thing",), ("second thing",)]


def test_an_abbreviation_that_is_taken_stays_where_it_is() -> None:
    one = Concept("X:1", "icy hand", "symptom", abbreviations=("IH", "ICHD"), phrases=("icy hand",))
    assert put(one).concepts["X:1"].abbreviations == ("ICHD",)


def test_children_count_for_parents_by_whichever_id() -> None:
    done = put(term("X:1", "hernia"), term("X:2", "odd bulge", parents=("X:1", "X:9")))
    assert done.concepts["X:2"].parents == ("hernia",)


def test_what_leads_round_in_a_circle_is_cut() -> None:
    done = put(
        term("X:1", "hernia", parents=("X:2",)),
        term("X:2", "wide thing", parents=("X:3",)),
        term("X:3", "inguinal hernia"),
    )
    assert done.counts["new"][LOOPS] == 1
    assert done.concepts["hernia"].parents == ("X:2",)
    assert done.concepts["X:2"].parents == ()


@pytest.mark.parametrize(
    ("name", "parents"),
    [
        ("Fetal anemia", ("anemia",)),
        ("Hernia of the wrist", ("hernia",)),
        ("Strangulated inguinal hernia", ("inguinal-hernia",)),
        ("Fatigue due to anemia", ()),
        ("Non-anemia", ()),
        ("Anemia dance", ()),
    ],
)
def test_a_name_says_what_it_is_a_kind_of(name: str, parents: tuple[str, ...]) -> None:
    assert put(term("X:1", name)).concepts["X:1"].parents == parents


def test_a_drug_for_it_is_no_kind_of_it() -> None:
    assert put(term("X:1", "Quozzle anemia", kind="drug")).concepts["X:1"].parents == ()


def test_the_first_vocabulary_is_there_for_the_second() -> None:
    done = joined(BASE, {"a": [term("X:1", "odd toe")], "b": [term("Y:1", "toe, odd", "strange toe")]})
    assert done.aliases["Y:1"] == "X:1"
    assert done.concepts["X:1"].codes == ("X:1", "Y:1")
    assert done.concepts["X:1"].names == ("odd toe", "strange toe")


def test_a_row_of_a_sites_own_may_stand_below_a_concept_by_its_id_there() -> None:
    own = {**BASE, "mine": Concept("mine", "our anemia", "disorder", ("X:1",))}
    assert put(term("X:1", "anaemia"), base=own).concepts["mine"].parents == ("anemia",)


def test_small_words_and_order_do_not_tell_names_apart() -> None:
    assert name_key("Carcinoma of the breast") == name_key("breast carcinomas")
    assert name_key("Vitamin A") != name_key("vitamin")
