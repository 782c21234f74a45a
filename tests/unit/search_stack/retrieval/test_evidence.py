"""What shows a criterion in a passage, against hand-written mentions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from search_stack.cohorts.clauses import EVERYTHING, NOTHING
from search_stack.cohorts.plan import Plan
from search_stack.core.schema import Finding, Hit, Scores
from search_stack.query.nodes import AllOf, Fact, FieldIs, Near, Node, Not, Phrase, Topic, Words
from search_stack.query.nodes import Finding as Asked
from search_stack.retrieval import dsl
from search_stack.retrieval.evidence import Mention, Shown, Sought, held, mentions, named
from search_stack.retrieval.hits import read_shown
from tests.unit.search_stack.retrieval.conftest import LEXICON

BEGIN = 100
TEXT = "No fever. Small pleural effusion, no effusion on the left. Dizzy since Monday."


def finding(concept: str, words: str, assertion: str, nth: int = 0) -> Finding:
    begin = BEGIN + [n for n in range(len(TEXT)) if TEXT.startswith(words, n)][nth]
    return Finding(concept, concept, "finding", begin, begin + len(words), assertion)


FEVER = finding("fever", "fever", "absent")
EFFUSION = finding("pleural-effusion", "pleural effusion", "present")
LEFT = finding("effusion", "effusion", "absent", nth=1)


def sought(node: Node) -> Sought:
    return Sought.of(Plan.of(node, LEXICON))


def shown(*numbers: int, **more: Any) -> Shown:
    hit = Hit(
        "7.0", "n", 7, "p", "", None, "", "", "IMPRESSION", "", BEGIN, BEGIN + len(TEXT), TEXT, (), Scores(), "",
        (LEFT, EFFUSION, FEVER),
    )  # fmt: skip
    return Shown(hit, 1, numbers, **more)


def found(node: Node, *numbers: int, **more: Any) -> list[Mention]:
    return list(mentions(shown(*numbers, **more), sought(node).criteria))


def test_a_finding_brings_the_mentions_of_its_concept_and_those_below_it_said_as_asked() -> None:
    assert found(Asked("effusion"), 0) == [Mention(("effusion",), EFFUSION.begin, EFFUSION.end, EFFUSION)]
    assert [m.finding for m in found(Asked("effusion", "any"), 0)] == [EFFUSION, LEFT]
    assert [m.finding for m in found(Asked("effusion", "absent"), 0)] == [LEFT]


def test_a_mention_that_satisfies_several_criteria_stands_there_once() -> None:
    node = AllOf((Asked("effusion"), Asked("pleural effusion"), Asked("fever", "absent")))
    assert [(m.criteria, m.finding) for m in found(node, 0, 1, 2)] == [
        (("fever ruled out",), FEVER),
        (("effusion", "pleural effusion"), EFFUSION),
    ]


def test_only_what_holds_in_the_passage_is_shown() -> None:
    assert found(AllOf((Asked("effusion"), Asked("fever", "absent"))), 1)[0].finding == FEVER
    assert found(Asked("effusion")) == []


def test_words_bring_their_passage_from_the_first_match_to_the_last() -> None:
    first, last = (TEXT.index("Dizzy"), TEXT.index("Dizzy") + 5), (len(TEXT) - 7, len(TEXT) - 1)
    node = AllOf((Words("dizzy monday"), Phrase("since monday"), Asked("fever", "absent")))
    words, phrase = found(node, 0, 1, words=(first, last), phrases=(last,))
    assert words == Mention(
        ("the words dizzy monday",),
        BEGIN + first[0],
        BEGIN + last[1],
        None,
        ((BEGIN + first[0], BEGIN + first[1]), (BEGIN + last[0], BEGIN + last[1])),
    )
    assert (phrase.begin, phrase.end) == (BEGIN + last[0], BEGIN + last[1])
    # In the title or heading: the passage as a whole.
    assert found(Words("dizzy"), 0) == [Mention(("the word dizzy",), BEGIN, BEGIN + len(TEXT))]


def test_a_topic_brings_its_mentions_else_the_passage() -> None:
    assert [m.finding for m in found(Topic("effusion"), 0)] == [EFFUSION, LEFT]
    assert found(Topic("asthma"), 0) == [Mention(("about asthma",), BEGIN, BEGIN + len(TEXT))]


def test_fields_facts_and_what_is_excluded_are_no_criteria() -> None:
    node = AllOf((FieldIs("sex", "female"), Fact("icd10", "I48"), Not(Asked("asthma")), Asked("fever", "absent")))
    assert [c.said for c in sought(node).criteria] == ["fever ruled out"]
    assert sought(Not(Asked("asthma"))).criteria == ()
    assert [(c.said, c.holds) for c in sought(node).facts] == [
        ("the code icd10:I48", {"terms": {"under": ["icd10:I48"]}})
    ]


def test_a_narrower_concept_that_does_not_count_is_no_evidence() -> None:
    node = Asked("effusion", "any", ("pleural effusion",))
    assert [m.finding for m in found(node, 0)] == [LEFT]


def test_people_and_time_are_not_asked_again_and_facts_show_nothing() -> None:
    near = Near(child=Asked("effusion"), anchor=Asked("fever"), least=0, most=30)
    assert [c.said for c in sought(near).criteria] == ["effusion"]
    plan = sought(AllOf((FieldIs("sex", "female"), near, Fact("icd10", "I48")))).plan
    assert plan.standing[FieldIs("sex", "female")] == plan.standing[near, ()] == EVERYTHING
    assert plan.standing[Fact("icd10", "I48")] == NOTHING
    assert "present" in str(plan.shown())


def test_the_engine_says_which_criteria_hold(planned: Callable[[str], Plan]) -> None:
    own = Sought.of(planned("effusion fever"))
    clauses = named(own.criteria)
    body = dsl.evidence(own.plan, {"ids": {"values": []}}, clauses, 5)
    names = [c["bool"]["_name"] for c in body["query"]["bool"]["should"]]
    assert held([names[1], "every word"]) == (1,)
    raw = {
        "_id": "7.0",
        "_source": {"note_version": 4, "text": "a fever", "begin": 3, "end": 10, "findings": []},
        "highlight": {"text": [f"a {dsl.MARKS[0]}fever{dsl.MARKS[1]}"]},
        "matched_queries": names[:1],
    }
    read = read_shown(raw)
    assert (read.note_version, read.held, read.words, read.phrases) == (4, (0,), ((2, 7),), ())
