"""What is said stays what it is however it is laid out: labels of notes against those of the same notes wrapped at a
margin, marked up, in other characters, or in letters of one case."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable
from textwrap import wrap

import pytest

from search_stack.language.layout import letters, plain, unmarked
from tests import language

SAID = {
    "Chief Complaint": (
        "The patient comes in with chest pain and increasing shortness of breath when he climbs stairs.",
        "This is a 61-year-old man who was sent in by his general practitioner with left shoulder pain.",
    ),
    "History of Present Illness": (
        "He denies any fever, weight loss or night sweats, and he has not had any recent nausea or vomiting.",
        "There is no evidence for a retroperitoneal hematoma, and the cough that he had in March has resolved.",
        "He was started on lisinopril last week; he doesn't take aspirin, warfarin or other blood thinners.",
        "An EKG showed sinus tachycardia, and the doctors could not rule out a pulmonary embolism at that time.",
    ),
    "Past Medical History": (
        "Hypertension, type 2 diabetes and coronary artery disease, status post appendectomy as a young man.",
        "He has had COPD for years, with a history of pneumonia that was treated in another hospital.",
    ),
    "Family History": (
        "His mother had breast cancer and his father died of a myocardial infarction when he was very young.",
        "There is no family history of asthma, and both of his older brothers are known to have high blood pressure.",
    ),
    "Physical Examination": (
        "The abdomen is soft without tenderness, and there is no hepatomegaly or any palpable abdominal mass.",
        "There is mild pitting edema of both ankles, and the lungs are free of wheezes and of crackles.",
    ),
    "Plan": (
        "We will schedule a colonoscopy, and he should return if he has any fever or worsening chest pain.",
        "Metformin is held until the contrast study is done, and we are going to order a CT scan of the chest.",
    ),
}
Place = Callable[[int], int]
"""Where what stands at an offset of a text stood before."""
Transform = Callable[[str], tuple[str, Place]]


def edited(text: str, edits: list[tuple[int, int, str]]) -> tuple[str, Place]:
    """``text`` with new words for its stretches, in order, and where each character stood."""
    out, at, news, olds = "", 0, [0], [0]
    for begin, end, new in edits:
        out += text[at:begin] + new
        at = end
        news.append(len(out))
        olds.append(end)
    return out + text[at:], lambda n: olds[bisect_right(news, n) - 1] + n - news[bisect_right(news, n) - 1]


def replaced(pattern: str, new: str) -> Transform:
    return lambda text: edited(text, [(*m.span(), m.expand(new)) for m in re.finditer(pattern, text, re.MULTILINE)])


def wrapped(width: int) -> Transform:
    """Lines broken where no further word has room."""

    def transform(text: str) -> tuple[str, Place]:
        edits, at = list[tuple[int, int, str]](), 0
        for line in text.split("\n"):
            begun = at
            for part in wrap(line, width, break_on_hyphens=False)[:-1]:
                begun = text.index(part, begun) + len(part)
                edits.append((begun, begun + 1, "\n"))
            at += len(line) + 1
        return edited(text, edits)

    return transform


def letter_for_letter(change: Callable[[str], str]) -> Transform:
    return lambda text: (change(text), lambda n: n)


HEADING = r"^(.+):\n"
LAYOUTS: dict[str, Transform] = {
    "wrapped at 60": wrapped(60),
    "wrapped at 72": wrapped(72),
    "wrapped at 80": wrapped(80),
    "no-break spaces": replaced(r"(?<=\w) (?=\w)", "\xa0"),
    "hyphens of a word processor": replaced(r"(?<=\w)-(?=\w)", "\u2010"),
    "quotes of a word processor": replaced("'", "\u2019"),
    "line ends of Windows": replaced(r"\n", "\r\n"),
    "bold headings": replaced(HEADING, r"**\1:**\n"),
    "framed headings": replaced(HEADING, r"=== \1 ===\n"),
    "headings in brackets": replaced(HEADING, r"[\1]\n"),
    "headings above a rule": replaced(HEADING, r"\1\n--------\n"),
    "small letters": letter_for_letter(str.lower),
    "capitals": letter_for_letter(str.upper),
}


def notes() -> list[str]:
    rng = random.Random(11)
    return [
        "\n\n".join(f"{heading}:\n{' '.join(rng.sample(said, len(said)))}" for heading, said in SAID.items())
        for _ in range(3)
    ]


def labels(text: str, stood: Place = lambda n: n) -> set[tuple[int, int, str, str, str, str | None]]:
    """Each mention where it stood before, with its concept and what is said of it."""
    found = language.labeller().label(text).findings
    return {(stood(f.begin), stood(f.end - 1), f.concept, f.assertion, f.status, f.result) for f in found}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_labels_stay_however_a_note_is_laid_out(layout: str) -> None:
    for note in notes():
        assert labels(*LAYOUTS[layout](note)) == labels(note)


@pytest.mark.parametrize("bullet", ["*", "\u25cf", "\u25aa", "\uf0b7"])
def test_labels_stay_whatever_the_bullet(bullet: str) -> None:
    for note in notes():
        listed, _ = replaced(r"(?<=[.:\n])[ \n](?=[A-Z])(?!.*:$)", "\n\u2022 ")(note)
        assert labels(listed.replace("\u2022", bullet)) == labels(listed)


@pytest.mark.parametrize("mark", ["- ", "\u2022 ", "2) ", "(a) ", "#2 ", "#2. ", "Number two, "])
@pytest.mark.parametrize(
    "said",
    [
        "Excluded: PE, pneumonia.",
        "Risks incl infection, haematoma, nerve damage.",
        "For urgent MRI spine.",
        "Mum had chickenpox as a child.",
        "Should she become neutropenic, we would hold cycle 3.",
    ],
)
def test_a_sentence_says_as_an_item_what_it_says_alone(mark: str, said: str) -> None:
    alone, item = (
        [(f.concept, f.assertion, f.status) for f in language.rules().label(text).findings]
        for text in (said, f"{mark}{said}")
    )
    assert item == alone


@pytest.mark.parametrize(
    "text",
    [
        "1. He is well.\n2. Differential: PE, pneumonia.\n3. He walks.",
        "Poss. DVT, prob. pneumonia.",
        "Susp DVT. Susp. pneumonia.",
    ],
)
def test_a_doubt_holds_behind_a_number_and_a_full_stop_that_shortens(text: str) -> None:
    assert [f.assertion for f in language.rules().label(text).findings] == ["possible", "possible"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SEVERE ALLERGIES. TWO EKGS", {"allergic-disorder", "electrocardiogram"}),
        ("ALLERGIES: NONE", {"drug-allergy"}),
        ("he ate the bun. the ekg was done", {"electrocardiogram"}),
        ("HE DOES WELL", set()),
        ("on gtn, h. pylori found", {"nitroglycerin", "helicobacter-pylori-infection"}),
    ],
)
def test_abbreviations_stand_in_a_note_whose_letters_are_all_of_one_case(text: str, expected: set[str]) -> None:
    assert {concept for _, _, concept, *_ in labels(text)} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("he has no fever. esr 14.", "small"),
        ("pt well.\nNo fever.", "both"),
        ("BP 120/80. NO FEVER.", "capital"),
        ("BP 120/80. NO FEVER, 5 mg", "both"),
    ],
)
def test_letters_of_a_note(text: str, expected: str) -> None:
    assert letters(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Plan**\nCT", "  Plan  \nCT"),
        ("seen on [**2012-3-4**]", "seen on [**2012-3-4**]"),
        ("2 ** 3", "2 ** 3"),
        ("== Plan ==\nCT", "   Plan   \nCT"),
        ("[x] smoker", "[x] smoker"),
        ("## Plan\nCT", "   Plan\nCT"),
        ("# Depression", "# Depression"),
        ("Plan\n-----\nCT", "Plan\n     \nCT"),
        ("* CT\n* MRI", "\u2022 CT\n\u2022 MRI"),
        ("pain 5*", "pain 5*"),
    ],
)
def test_marks_that_are_only_layout_are_blanks(text: str, expected: str) -> None:
    assert unmarked(text) == expected


def test_characters_that_mean_the_same_are_one() -> None:
    assert plain("\u201cpost\u2011op\u201d\xa0doesn\u2019t \u2013 \u25cf") == '"post-op" doesn\'t \u2013 \u2022'
