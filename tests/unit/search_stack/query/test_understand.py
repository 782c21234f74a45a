"""What is said to the person: what was left aside, how it was read, what cannot be read."""

from __future__ import annotations

import pytest

from search_stack.query.nodes import FieldIs, Finding, Node, Phrase, Words
from search_stack.query.tree import QueryError, all_of
from search_stack.query.understand import Understanding


@pytest.mark.parametrize(
    ("line", "aside"),
    [
        ("patients with pneumothorax", ("patients",)),
        ("show me all reports of pneumonia", ("show me all reports of",)),
        ("Which patients have gout?", ("Which patients have",)),
        ("gout", ()),
        ("any mention of gout", ()),  # It is what is asked of gout.
        ("mentions of the team", ("mentions of the",)),
    ],
)
def test_what_asks_and_names_nothing_is_left_aside_and_shown(
    understanding: Understanding, line: str, aside: tuple[str, ...]
) -> None:
    assert understanding.understand(line).aside == aside


@pytest.mark.parametrize(
    ("dashes", "lines"),
    [
        ("Inclusion: - gout Exclusion: - asthma - fever", "Inclusion: gout\nExclusion: asthma\nfever"),
        ("- gout - fever", "gout\nfever"),
    ],
)
def test_dashes_are_bullets_where_a_list_begins_with_one_also_without_line_ends(
    understanding: Understanding, dashes: str, lines: str
) -> None:
    assert understanding.understand(dashes).query == understanding.understand(lines).query


@pytest.mark.parametrize(
    ("line", "kind", "message", "other"),
    [
        ("pnuemothorax", "spelling", '"pnuemothorax" was understood as pneumothorax.', '"pnuemothorax"'),
        ("gout and colchicin", "spelling", '"colchicin" was understood as colchicine.', 'gout and "colchicin"'),
        ("aids", "abbreviation", None, "AIDS"),
        (
            "elderly patients with gout",
            "people",
            '"elderly patients" says no exact age in years; it was read as age:>=65.',
            "with gout",
        ),
        ("fever and cough or gout", "brackets", "Read as: (fever and cough) or gout", ""),
        (
            "stroke 30 days after knee replacement",
            "time",
            '"30 days after" was read as within that time.',
            "",
        ),
    ],
)
def test_what_was_guessed_is_told_with_the_way_back(
    understanding: Understanding, line: str, kind: str, message: str | None, other: str
) -> None:
    (notice,) = understanding.understand(line).notices
    assert (notice.kind, notice.line) == (kind, other)
    assert message in (None, notice.message)


def test_one_click_takes_a_guess_back(understanding: Understanding) -> None:
    (notice,) = understanding.understand("pnuemothorax").notices
    assert understanding.understand(notice.line).query == Phrase("pnuemothorax")


def test_what_is_spelt_right_is_not_corrected(understanding: Understanding) -> None:
    for line in ("pneumothoraces", "haemorrhage", "oedema", "COPD", "copd", "MIs", "non-cardiac chest pain"):
        assert [n for n in understanding.understand(line).notices if n.kind == "spelling"] == [], line


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "The query is empty."),
        ("   ", "The query is empty."),
        ("x" * 2001, "The query has 2,001 characters"),
        ('"chest pain', 'A quote (") is not closed.'),
        ('" "', "The quotes hold no word."),
        ("(fever", "A bracket is not closed."),
        ("fever)", "A bracket is closed that was not opened."),
        ("() fever", "A bracket holds no word."),
        ("fever OR", "The operator OR lacks a word after it."),
        ("OR fever", "The operator OR lacks a word before it."),
        ("fever AND AND cough", "The operator AND lacks a word after it."),
        ("fever NOT", "The operator NOT lacks a word after it."),
        ("pneumo*", 'This wildcard is not read: "pneumo*"'),
        ("wom?n", 'This wildcard is not read: "wom?n"'),
        ("thrombo$", 'This wildcard is not read: "thrombo$"'),
        ("card.*", 'This wildcard is not read: "card.*"'),
        ("sectoin:impression", "There is no field sectoin."),
        ("author:smith", "There is no field author."),
        ("age:old", "age:old is no age."),
        ("section:", "section: names nothing."),
        ("after:soon", "after:soon is not a date."),
        ("gout after:2021 before:2020", "after:2021-01-01 and before:2020-01-01 leave no day."),
        ("zzyzx " * 65, "The query has 65 words that name nothing; at most 64 are searched."),
        ("finding:zzz", 'There is no finding called "zzz" in the lexicon.'),
        ("show me all patients", "The query names nothing to look for."),
    ],
)
def test_what_cannot_be_read_is_told_with_a_remedy(understanding: Understanding, line: str, says: str) -> None:
    with pytest.raises(QueryError) as told:
        understanding.understand(line)
    assert told.value.message.startswith(says)
    assert told.value.remedy


@pytest.mark.parametrize(
    ("line", "query", "aside"),
    [
        ("system review", Words("system"), ("review",)),
        ("patients with a diagnosis", Words("diagnosis"), ("patients with a",)),
        ("we need the studies please", Words("studies"), ("we need the", "please")),
        # Where something else is asked for, they ask for nothing.
        ("gout confirmed", Finding("gout"), ("confirmed",)),
        ("gout study", Finding("gout"), ("study",)),
        # A line by itself means notes that tell of consent; an item of a protocol what no note answers.
        ("informed consent", Words("informed consent"), ()),
        ("gout and informed consent", all_of([Finding("gout"), Words("informed consent")]), ()),
        ("Inclusion:\n- Gout\n- Signed informed consent", Finding("gout"), ("Inclusion:", "- Signed informed consent")),
    ],
)
def test_words_that_ask_are_searched_where_nothing_else_is_asked_for(
    understanding: Understanding, line: str, query: Node, aside: tuple[str, ...]
) -> None:
    understood = understanding.understand(line)
    assert understood.query == query
    assert understood.aside == aside


def test_a_colon_between_words_is_told_to_be_no_field(understanding: Understanding) -> None:
    (notice,) = understanding.understand("BP:120").notices
    assert notice.kind == "field"


def test_criteria_know_how_they_were_typed(understanding: Understanding) -> None:
    found = understanding.understand("PTX in the impression")
    assert found.typed[Finding("pneumothorax")] == "PTX"
    assert found.typed[FieldIs("section", "impression")] == "in the impression"


@pytest.mark.parametrize(
    ("line", "after", "before"),
    [
        ("gout since 2019", "2019-01-01", None),
        ("gout in 2019", "2019-01-01", "2020-01-01"),
        ("gout between March 2015 and 2018", "2015-03-01", "2019-01-01"),
        ("gout in the last two years", "2024-11-22", None),
        ("gout in the past 6 months", "2026-05-22", None),
        ("gout before 2 May 2020", None, "2020-05-02"),
        ("gout until December 2020", None, "2021-01-01"),
        ("gout 2015-2018", "2015-01-01", "2019-01-01"),
        ("gout, 2022 or later", "2022-01-01", None),
    ],
)
def test_times_in_words(understanding: Understanding, line: str, after: str | None, before: str | None) -> None:
    typed = understanding.understand(line).typed
    days = {leaf.field: leaf.value for leaf in typed if isinstance(leaf, FieldIs)}
    assert (days.get("after"), days.get("before")) == (after, before)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("uses cocaine", "uses cocaine"),
        ("when to come back to the er?", "when to come back to the er?"),
        ("back pain without loss of bladder control", "back pain without loss of bladder control"),
        ("pneumonia -effusion", "pneumonia"),
        ("pneumonia NOT effusion", "pneumonia"),
        ("NOT (effusion OR edema) cough", "cough"),
        ("section:impression nodule", "nodule"),
        ('finding:pneumothorax "chest tube" placed', "pneumothorax chest tube placed"),
        ("section:impression", ""),
    ],
)
def test_a_line_tells_the_words_to_rank_by(understanding: Understanding, line: str, words: str) -> None:
    assert understanding.understand(line).words == words


def test_a_wildcard_is_told_with_names_that_begin_so(understanding: Understanding) -> None:
    with pytest.raises(QueryError) as told:
        understanding.understand("pneumo* AND fever")
    assert told.value.remedy.startswith("Write out which is meant: pneumonia OR pneumo")
    with pytest.raises(QueryError) as told:
        understanding.understand("*itis")
    assert told.value.remedy.startswith("Write the word out")


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("gout NOT after:2019", "gout before:2019-01-01"),
        ("gout -before:2019-03", "gout after:2019-03-01"),
        ("gout NOT (after:2019 before:2021)", ""),
    ],
)
def test_notes_without_a_date_are_told_to_stay(understanding: Understanding, line: str, other: str) -> None:
    (told,) = understanding.understand(line).notices
    assert told.message.startswith("Notes without a date are not left out")
    assert told.line == other
    assert not understanding.understand("gout not after 2019").notices
