from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.language.sections import aspect_of, aspects, headings, sectioner, sections, tidy

REPORT = """\
CHIEF COMPLAINT:  Cough.

HISTORY OF PRESENT ILLNESS
A 60-year-old man. BP: 120/80 at 10:30, seen by Dr.: Smith.

PHYSICAL EXAMINATION:
VITAL SIGNS:  Stable.
HEENT:  Normal.
LUNGS:  Clear.

1. ASSESSMENT:  Bronchitis.
A/P: Rest.
Past Medical History: Asthma.
Wife's name: Sample
"""

PIECES = st.sampled_from(
    [
        "IMPRESSION:",
        "PLAN",
        "Past Medical History:",
        "1. ",
        "HEENT:",
        "A/P:",
        "clear. ",
        ",",
        "\n",
        "\r\n",
        "\n\n",
        "\t",
        "PMHx ",
        "plan - ",
        "| ",
        "   ",
        "Meds: no",
        "MD:",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=30).map("".join)


def found(text: str) -> list[str]:
    return [section.heading for section in sections(text)]


def test_headings_of_a_note_with_lines() -> None:
    assert found(REPORT) == [
        "CHIEF COMPLAINT:",
        "HISTORY OF PRESENT ILLNESS",
        "PHYSICAL EXAMINATION:",
        "1. ASSESSMENT:",
        "A/P:",
        "Past Medical History:",
    ]


def test_headings_in_running_text_follow_a_sentence_end_or_a_comma() -> None:
    text = "FINDINGS: The lungs are clear. IMPRESSION: No effusion.,PREOPERATIVE INDICATIONS:,Pain, PLAN: Rest."
    assert found(text) == ["FINDINGS:", "IMPRESSION:", "PREOPERATIVE INDICATIONS:", "PLAN:"]


def test_a_heading_may_end_the_line_or_the_text() -> None:
    assert found("It is clear. IMPRESSION:\nNormal. PLAN:") == ["", "IMPRESSION:", "PLAN:"]


def test_listed_headings_are_told_from_the_capitals_before_them() -> None:
    assert found("ALLERGIES: none. NKDA, FAMILY HISTORY: negative.") == ["ALLERGIES:", "FAMILY HISTORY:"]
    text = "See above. PAST MEDICAL HISTORY, FAMILY HISTORY, SOCIAL HISTORY: none."
    assert found(text) == ["", "PAST MEDICAL HISTORY, FAMILY HISTORY, SOCIAL HISTORY:"]


@pytest.mark.parametrize(
    "text",
    [
        "He said: go.",
        "BP: 120/80\nHR: 70",
        "At 10:30 he left. WBC: 7.",
        "1. GERD.\n2. COPD.",
        "- PLAN: rest",
        "A. Heart.\nP. Lungs.",
    ],
)
def test_no_heading(text: str) -> None:
    assert found(text) == [""]


@pytest.mark.parametrize(
    "text", ["plan: rest", "**Plan:** rest", "## Plan\n\nrest", "P - rest", "PLAN.  Rest.", "Plan:"]
)
def test_ways_to_write_a_heading(text: str) -> None:
    (section,) = sections(text)
    assert section.aspect == "plan"
    assert section.heading_begin == 0
    assert "rest" not in section.heading


def test_labels_of_an_examination_are_sections_only_outside_one() -> None:
    assert found("PHYSICAL EXAM:\nNECK: Supple.\nLUNGS: Clear.\n\nVITALS\n\nStable") == ["PHYSICAL EXAM:", "VITALS"]
    assert found("AUTOPSY NOTE:\nDone.\n\nNECK: Supple.") == ["AUTOPSY NOTE:", "NECK:"]


@pytest.mark.parametrize(
    ("heading", "aspect"),
    [
        ("HPI:", "history of present illness"),
        ("PMH", "past medical history"),
        ("A/P:", "assessment and plan"),
        ("Assessment & Plan", "assessment and plan"),
        ("2.  POSTOPERATIVE DIAGNOSIS(ES):", "postoperative diagnosis"),
        ("ESTIMATED  BLOOD\tLOSS :", "estimated blood loss"),
        ("FAM/SOCHX", "family and social history"),
        ("OTHER_HISTORY", "history"),
        ("ROS", "review of systems"),
        ("Follow-Up:", "follow-up"),
        ("LEFT  MAIN ARTERY:", "left main artery"),
        ("", ""),
    ],
)
def test_aspect_of_a_heading(heading: str, aspect: str) -> None:
    assert aspect_of(heading) == aspect


def test_what_a_paragraph_says_first_heads_that_paragraph_only() -> None:
    text = "Seen today.\n\nFamily history is notable for stroke.\n\nShe has asthma.\n\nPLAN: rest"
    cut = sections(text)
    assert [text[s.begin : s.end].strip() for s in cut] == text.split("\n\n")
    assert [s.heading for s in cut] == ["", "Family history", "", "PLAN:"]
    assert cut[2].heading_begin == cut[2].heading_end == cut[2].begin
    (_, last) = sections("Family history is notable for stroke.\n\nShe has asthma.")
    assert last.heading == ""


def test_tidy_heading() -> None:
    assert [tidy(h) for h in ("## 1. Plan :", "**A/P:**", "X-RAY - ", "")] == ["Plan", "A/P", "X-RAY", ""]


def test_table_lists_every_heading_once() -> None:
    data = tomllib.loads(files("search_stack.language.sections").joinpath("aspects.toml").read_text("utf-8"))
    keys = Counter(aspects.key(h) for name, synonyms in data["aspects"].items() for h in (name, *synonyms))
    assert [k for k, n in keys.items() if n > 1] == []
    assert set(data["parts"]["inside"]) <= set(data["aspects"])


def test_empty_and_headless_texts() -> None:
    assert sections("") == []
    (blank,) = sections(" \n")
    assert (blank.begin, blank.end, blank.heading, blank.aspect) == (0, 2, "", "")
    first, second = sections("Letter.\n\nPLAN: rest")
    assert (first.heading, first.aspect, first.heading_begin, first.heading_end) == ("", "", 0, 0)
    assert second.begin == second.heading_begin == 9


@given(TEXTS)
def test_sections_cover_the_text_in_order(text: str) -> None:
    cut = sections(text)
    assert "".join(text[s.begin : s.end] for s in cut) == text
    assert all(before.end == after.begin for before, after in pairwise(cut))
    for s in cut:
        assert s.begin <= s.heading_begin <= s.heading_end <= s.end
        assert s.begin < s.end
        assert s.heading == text[s.heading_begin : s.heading_end]
        assert not text[s.begin : s.heading_begin].strip()
        assert s.heading or s.heading_begin == s.heading_end == s.begin


def _ways_to_retry(pattern: Any) -> int:
    """Upper bound of the ways to retry a pattern at one place; a possessive run of characters has one."""
    steps = 1
    for code, argument in pattern:
        if code is codes.MAX_REPEAT or code is codes.MIN_REPEAT:
            steps *= max(1, int(argument[1])) * _ways_to_retry(argument[2])
        elif code is codes.POSSESSIVE_REPEAT:
            inner = _ways_to_retry(argument[2])
            steps *= int(argument[1]) * inner if inner > 1 else 1
        elif code is codes.SUBPATTERN:
            steps *= _ways_to_retry(argument[-1])
        elif code is codes.BRANCH:
            steps *= max(_ways_to_retry(branch) for branch in argument[1])
    return steps


def test_no_pattern_backtracks_without_bound() -> None:
    for pattern in (*vars(headings).values(), *vars(sectioner).values()):
        if isinstance(pattern, re.Pattern):
            assert _ways_to_retry(parser.parse(pattern.pattern, pattern.flags)) < 100_000, pattern.pattern


@pytest.mark.parametrize(
    "piece", ["A", "AB: ", "A, ", "(A", "clear. PLAN: x ", "A(", "\n", " ", ". A", "PMHx a ", "Plan: ", "plan:\n", "| "]
)
def test_work_grows_with_the_text_only(piece: str) -> None:
    def calls(text: str) -> int:
        count = 0

        def note(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(note)
        try:
            sections(text)
        finally:
            sys.setprofile(None)
        return count

    sections("warm")
    assert calls(piece * 2000) <= 2.2 * calls(piece * 1000)


def test_what_somebody_is_allergic_to_ends_with_the_paragraph() -> None:
    told = "Allergies: penicillin - rash\n\nSimvastatin - stopped\nSenna - new"
    listed = "Allergies:\n\npenicillin - rash"
    assert [s.aspect == "allergies" for s in sections(told)] == [True, False]
    assert [s.aspect for s in sections(listed)] == ["allergies"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PMH: asthma. Allergies: latex\nEMS: syncope.", ["PMH:", "Allergies:", ""]),
        ("PMH: asthma. Allergies: latex\nand codeine.", ["PMH:", "Allergies:"]),
        ("Allergies: latex\nCodeine: nausea", ["Allergies:"]),
    ],
)
def test_allergies_in_the_midst_of_a_line_end_at_the_next_label(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("FHx: mother + sister asthma\nCXR portable: clear", "CXR portable: clear"),
        ("FH: father cirrhosis\n\nFebrile overnight.\nTachycardic.", "Febrile overnight.\nTachycardic."),
        ("FH: nil\nFebrile since, cultures sent", "Febrile since, cultures sent"),
        ("FH: father MI\nmother breast ca\nSeen on the ward round, febrile", "Seen on the ward round, febrile"),
        ("FH: mother stroke, aunt PMR. Ex-smoker, quit 2005.", "Ex-smoker, quit 2005."),
        ("FH: father MI. Mother well; lives in Leeds.", "lives in Leeds."),
        ("FH: father a smoker. Sister well.", ""),
        # Still the family's: somebody is named, it is an answer, it goes on, or nobody was named on the first line.
        ("FH: father MI\nBreast cancer - sister", ""),
        ("FH: father MI\nNo diabetes", ""),
        ("FH: father MI,\nHTN", ""),
        ("FH: father MI\n- HTN", ""),
        ("FH: DM\nHTN", ""),
        ("FH:\nFather MI\nDiabetes", ""),
        ("FH: Father died of complications of diabetes and her mother had a\nStroke", ""),
    ],
)
def test_what_is_said_of_the_family_on_its_line_ends_before_a_statement_of_its_own(text: str, rest: str) -> None:
    of_kin, *others = [s for s in sections(text) if text[s.begin : s.end].strip()]
    assert of_kin.aspect == "family history"
    assert "".join(text[s.begin : s.end] for s in others) == rest
