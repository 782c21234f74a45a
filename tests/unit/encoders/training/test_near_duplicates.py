from __future__ import annotations

import random
from time import process_time

import pytest

from encoders.training.near_duplicates import ALIKE, NearDuplicates, shingles, without
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query

LONG = "It swells the joint of the big toe at night and goes within two weeks."
TEMPLATE = "{0} is inherited in a recessive pattern , which means both copies of the gene in each cell have changed ."


def data(*texts: str) -> EntityAspectData:
    passages = tuple(Passage(f"p{n}", "d", "Gout", "gout", "causes", text) for n, text in enumerate(texts))
    queries = tuple(Query(f"q{n}", "Why?", "gout", "causes", "Causes", (p.id,)) for n, p in enumerate(passages))
    return EntityAspectData("data", passages, queries)


@pytest.mark.parametrize("held_out", [LONG, LONG.upper().replace(".", " !"), f"Summary : {LONG}", f"{LONG} See there."])
def test_what_is_held_out_is_left_out_with_its_query_however_it_is_dressed(held_out: str) -> None:
    kept = without(data(LONG, "Other words."), data(held_out))
    assert [p.text for p in kept.passages] == ["Other words."]
    assert [q.id for q in kept.queries] == ["q1"]


def test_a_query_with_another_answer_stays() -> None:
    both = data(LONG, "Other words.")
    asked = Query("q", "Why?", "gout", "causes", "Causes", ("p0", "p1"), (("p0", 2), ("p1", 1)))
    (query,) = without(EntityAspectData("d", both.passages, (asked,)), data(LONG)).queries
    assert (query.relevant, query.grades) == (("p1",), (("p1", 1),))


def test_the_same_beginning_alone_is_no_double() -> None:
    begins = LONG.removesuffix(".")
    rest = ["and then comes back in the other foot if nothing is done", "so most people never see a doctor about it"]
    assert f"{begins} {rest[0]}" not in NearDuplicates([f"{begins} {rest[1]}"])


def test_half_of_a_longer_text_is_no_double() -> None:
    assert LONG not in NearDuplicates([f"{LONG} {TEMPLATE.format('Gout')}"])


@pytest.mark.parametrize("text", ["", " . ", "Short.", "fewer than eight words"])
def test_short_texts_are_alike_where_their_words_are(text: str) -> None:
    near = NearDuplicates(["short", "", LONG])
    assert (text in near) is (text == "Short.")


def test_it_finds_what_comparing_each_with_each_finds() -> None:
    rng = random.Random(3)
    words = ["the", "pain", "of", "gout", "goes", "when", "joint", "and", "toe", "are", "cold", "but", "night"]

    def changed(text: str) -> str:
        own = text.split()
        for _ in range(rng.randint(0, 3)):
            own[rng.randrange(len(own))] = rng.choice(words)
        return " ".join(own)

    originals = [" ".join(rng.choices(words, k=rng.randint(6, 60))) for _ in range(60)]
    texts = [changed(rng.choice(originals)) for _ in range(400)]
    near, sets = NearDuplicates(originals), [shingles(o) for o in originals]
    slow = [any(len(own & s) >= ALIKE * len(own | s) for s in sets) for own in map(shingles, texts)]
    assert [t in near for t in texts] == slow
    assert 50 < sum(slow) < 350


def test_what_many_passages_say_in_the_same_words_costs_no_time() -> None:
    names = [f"disease number {n} of the long list" for n in range(2000)]
    began = process_time()
    near = NearDuplicates(TEMPLATE.format(n) for n in names[:1000])
    found = [TEMPLATE.format(n) in near for n in names]
    assert process_time() - began < 5
    assert all(found[:1000])
