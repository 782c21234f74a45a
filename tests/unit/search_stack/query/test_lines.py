"""Lines as people type them, each read as it was meant."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from search_stack.language.assertion.predicates import CONTRACTED
from search_stack.language.assertion.table import tree
from search_stack.language.lexicon.english import english
from search_stack.language.status import rows
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding, Understood
from tests.queries.judge import lines, misread, same

KNOWN = frozenset(
    (
        "For a quality project: which of our diabetics have a foot ulcer and osteomyelitis?",
        "Could you maybe find me people with intravenous drug use, fever and back pain? No rush at all",
        "FHx BRCA, breast lump",
        "s/p TKR, ?DVT",
        "ruq pain, murphy's neg",
        "how many people with diabetes lost a foot or a leg",
        "no complications after hip replacement",
        "not allergic to anything",
        "stillbirth with no known cause",
        "anorexia nervosa (not just anorexia)",
        "ptsd in veterans, alcohol or cannabis misuse",
        "post-stroke patients with new AF picked up on loop recorder",
        "PDPH after epidural needing blood patch",
        "chronic cough on ACE inhibitor that resolved after stopping",
        "pts with central line and no documented need",
        "neonates with hypoglycaemia born to diabetic mothers",
        "nka excluded - any documented drug rash",
        "ear infections needing tubes",
        "gestational diabetes last pregnancy",
        "toddlers who swallowed a coin or battery",
        "sob and leg swelling 2 weeks after c-section",
        "crush injury of the hand, fingers amputated",
    )
)
"""Lines that are still misread."""
HELD_OUT = 0.95


@pytest.fixture(scope="module")
def read(understanding: Understanding) -> Callable[[str], Understood]:
    """Understands a line once for all that is asked of it."""
    return cache(understanding.understand)


def test_lines_are_read_as_they_were_meant(read: Callable[[str], Understood]) -> None:
    wrong, number = misread("dev", read)
    assert {one.line for one in wrong} == KNOWN
    assert number == 7497


def test_lines_that_nobody_looked_at_are_read_as_well(understanding: Understanding) -> None:
    wrong, number = misread("heldout", understanding.understand)
    assert 1 - len(wrong) / number >= HELD_OUT


def test_nothing_that_was_typed_vanishes(read: Callable[[str], Understood]) -> None:
    """Every word is in a criterion, in what was left aside, decides what is said, or joins two criteria."""
    for one in lines("dev"):
        found = read(one.line)
        told = (n.typed for n in found.notices)
        held = set(words(" ".join((*found.aside, *found.in_time, *found.typed.values(), *told))))
        lost = [w for w in words(one.line) if w not in held | JOINING | SHORT_FORMS | deciding()]
        assert not lost, (one.line, found.aside, found.typed)


def test_lines_that_are_offered_are_read(read: Callable[[str], Understood]) -> None:
    """Each names something, and none has two words glued to one."""
    offered = {
        notice.line: set(words(f"{one.line} {notice.message}"))
        for one in lines("dev")
        for notice in read(one.line).notices
        if notice.line
    }
    for line, typed in offered.items():
        assert to_json(read(line).query), line
        new = (word for word in words(line) if word not in typed and word not in english())
        assert not [w for w in new for n in range(1, len(w)) if {w[:n], w[n:]} <= typed], line


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub(r"'s\b", "", text.casefold()).replace("'", ""))


JOINING = frozenset(("and", "or", "not", "no", "without", "but", "with", "either", "neither", "nor", "plus"))
SHORT_FORMS = frozenset(
    ("excl", "mum", "mothers", "pt", "pts", "ve", "fam", "denys", "ex", "od", "ruled", "sx", "kco", *"wocdtblsphrk")
)


@cache
def deciding() -> frozenset[str]:
    """The words of triggers, and those that say that something is excluded or mentioned."""
    out = {"skip", "mention", "mentioned", "mentions", "mentioning", "excluding", "except", "leave", "out", "evaluated"}
    out |= {
        "excluded",
        "ruled",
        "formerly",
        "background",
        "uncertain",
        "diagnosis",
        "explained",
        "attributed",
        "will",
        "investigation",
        "context",
        "unable",
        "both",
        "prescribed",
        "supposed",
        "desires",
    }
    out |= {word for row in rows() if row.asked for phrase in (*row.before, *row.behind) for word in phrase}
    out |= {word.replace("'", "") for word in CONTRACTED}
    waiting = [tree()]
    while waiting:
        for word, node in waiting.pop().onward.items():
            out |= set(words(word))
            waiting.append(node)
    return frozenset(out)


SHORT = {
    "copd": "chronic obstructive pulmonary disease",
    "htn": "hypertension",
    "afib": "atrial fibrillation",
    "sob": "shortness of breath",
    "COPD": "chronic obstructive pulmonary disease",
}
PIECES = (
    *"\"'()[]{}:;,-+*?!&|/\\~^.\n\t",
    *(
        "AND",
        "OR",
        "NOT",
        "and",
        "or",
        "not",
        "no",
        "without",
        "but",
        "finding:",
        "section:",
        "after:",
        "type:",
        "sex:",
    ),
    *("fever", "pleural effusion", "pneumothorax", "denies", "history of", "family", "in the impression", "since 2019"),
    *(
        "\u0000",
        "\ud800",
        "\u202e",
        "é",
        "ﬁ",
        "😀",
        "٣",
        "İ",
        "ß",
        "x" * 70,
        "a b c",
        "-ve",
        "s/p",
        "?",
        "treatment of",
    ),
)


def hostile(number: int) -> str:
    r = random.Random(number)
    if r.random() < 0.02:
        return r.choice(PIECES) * r.choice((1000, 50_000))
    glue = r.choice(("", " ", " ", " "))
    return glue.join(
        r.choice(PIECES) if r.random() < 0.9 else chr(r.randrange(1, 0x3000)) for _ in range(r.randrange(1, 25))
    )


@pytest.mark.parametrize("part", range(4))
def test_hostile_lines_give_a_tree_or_a_pointed_error(understanding: Understanding, part: int) -> None:
    for number in range(part * 5000, part * 5000 + 5000):
        try:
            assert to_json(understanding.understand(hostile(number)).query)
        except QueryError as e:
            told = e
        else:
            continue
        assert told.message
        assert told.remedy


FEVER_AND_COUGH_ABSENT = {
    "all": [{"finding": "fever", "assertion": "absent"}, {"finding": "cough", "assertion": "absent"}]
}


def present(name: str) -> dict[str, Any]:
    return {"finding": name, "assertion": "present"}


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("no fever or cough", FEVER_AND_COUGH_ABSENT),
        ("no (fever OR cough)", FEVER_AND_COUGH_ABSENT),
        ("pneumothorax -pleural effusion", {"all": [present("pneumothorax"), {"not": present("pleural effusion")}]}),
        (
            "pulmonary embolism OR deep vein thrombosis",
            {"any": [present("pulmonary embolism"), present("deep vein thrombosis")]},
        ),
        ("never mentioned smoking", {"not": {"finding": "tobacco use", "assertion": "any"}}),
        ('no "pleural plaque"', {"not": {"phrase": "pleural plaque"}}),
        *((short, present(name)) for short, name in SHORT.items()),
    ],
)
def test_what_was_misread_once(understanding: Understanding, line: str, tree: dict[str, Any]) -> None:
    assert same(to_json(understanding.understand(line).query), tree)
