from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from search_stack.criteria import FIELDS, LONGEST, MOST_TERMS, ConceptTerm, Query, QueryError, Term, parse, plain


def words(*texts: str) -> tuple[tuple[Term, ...], ...]:
    return tuple((Term(t),) for t in texts)


def test_words_are_joined_by_and() -> None:
    assert parse("pleural effusion") == Query(clauses=words("pleural", "effusion"))
    assert parse("pleural AND effusion") == parse("pleural effusion")


def test_lower_case_operators_are_words() -> None:
    assert parse("and or not").clauses == words("and", "or", "not")


def test_quotes_make_a_phrase() -> None:
    assert parse('"chest pain" fever').clauses == ((Term("chest pain", phrase=True),), (Term("fever"),))


@pytest.mark.parametrize("line", ["“chest pain”", "„chest pain“", "«chest pain»", '"chest pain”'])
def test_typographic_quotes_are_quotes(line: str) -> None:
    assert parse(line).clauses == ((Term("chest pain", phrase=True),),)


def test_operators_inside_a_phrase_are_words() -> None:
    assert parse('"rise OR fall" "-x"').clauses == ((Term("rise OR fall", True),), (Term("-x", True),))


def test_or_joins_neighbours() -> None:
    query = parse('effusion OR "pleural fluid" OR hydrothorax fever')
    assert query.clauses == (
        (Term("effusion"), Term("pleural fluid", True), Term("hydrothorax")),
        (Term("fever"),),
    )


@pytest.mark.parametrize("line", ["effusion -fever", "effusion NOT fever", "effusion AND NOT fever", "-fever effusion"])
def test_exclusion(line: str) -> None:
    assert parse(line) == Query(clauses=words("effusion"), excluded=(Term("fever"),))


def test_phrases_can_be_excluded() -> None:
    assert parse('effusion -"chest pain"').excluded == (Term("chest pain", True),)


def test_a_hyphen_inside_a_word_or_between_spaces_excludes_nothing() -> None:
    assert parse("x-ray follow-up").clauses == words("x-ray", "follow-up")


def test_every_field() -> None:
    query = parse(
        'effusion section:impression section:findings type:"radiology report" patient:P-1 note:n-1 '
        "collection:demo after:2019 before:2023-07"
    )
    assert query == Query(
        clauses=words("effusion"),
        sections=("impression", "findings"),
        types=("radiology report",),
        patients=("P-1",),
        notes=("n-1",),
        collections=("demo",),
        after=date(2019, 1, 1),
        before=date(2023, 7, 1),
    )


@pytest.mark.parametrize("example_line", FIELDS.values())
def test_the_examples_of_the_fields_can_be_read(example_line: str) -> None:
    assert parse(example_line)


def test_names_of_fields_have_no_case() -> None:
    assert parse("SECTION:impression").sections == ("impression",)


def test_a_colon_after_another_word_is_no_field() -> None:
    assert parse("BP:120").clauses == words("BP 120")
    assert parse('diagnosis:"heart failure"').clauses == ((Term("diagnosis heart failure", True),),)
    assert parse("effusion NOT BP:120").excluded == (Term("BP 120"),)


@pytest.mark.parametrize("line", ["What is asthma ?", "What, is asthma …", "What is asthma ? !?", 'What is "?" asthma'])
def test_punctuation_between_words_is_left_out(line: str) -> None:
    assert "asthma" in parse(line).text
    assert "?" not in parse(line).text.split()


def test_control_characters_are_spaces() -> None:
    assert parse("pleural\x00effusion\tfever\u2028cough\x85\ufeff") == parse("pleural effusion fever cough")


def test_halves_of_characters_are_spaces() -> None:
    assert parse("pleural\udcffeffusion") == parse("pleural effusion")


def test_text_is_what_is_ranked_by() -> None:
    query = parse('effusion OR "pleural fluid" -fever section:impression')
    assert query.text == "effusion pleural fluid"


def test_without_dates() -> None:
    query = parse("effusion after:2019 before:2020")
    assert query.without_dates() == parse("effusion")


@pytest.mark.parametrize(
    ("line", "message", "remedy"),
    [
        ("", "The query is empty.", "Type a finding"),
        (" \x00\t ", "The query is empty.", "Type a finding"),
        ("? !? …", "The query holds no word.", "Type a finding"),
        ('"', 'A quote (") is not closed.', "Close it"),
        ("“chest pain", 'A quote (") is not closed.', "Close it"),
        ("x" * (LONGEST + 1), "The query has 2,001 characters; at most 2,000 are read.", "Shorten"),
        ("x" * 100_000, "The query has 100,000 characters; at most 2,000 are read.", "Shorten"),
        ("a " * (MOST_TERMS + 1), "The query has more than 64 terms.", "Shorten"),
        ("-fever", "The query only excludes.", "Add what to look for"),
        ("NOT fever", "The query only excludes.", "Add what to look for"),
        ("OR", "The operator OR lacks a word before it.", "Write it as"),
        ("AND fever", "The operator AND lacks a word before it.", "Write it as"),
        ("fever OR", "The operator OR lacks a word after it.", "Write it as"),
        ("fever OR ?", "The operator OR lacks a word after it.", "Write it as"),
        ("fever NOT", "The operator NOT lacks a word after it.", "Write it as"),
        ("fever OR OR cough", "The operator OR lacks a word after it.", "Write it as"),
        ("fever OR NOT cough", "The operator OR lacks a word after it.", "Write it as"),
        ("fever OR -cough", "The operator OR lacks a word after it.", "Write it as"),
        ("fever NOT -cough", "The operator NOT lacks a word after it.", "Write it as"),
        ("fever -cough OR rash", "The operator OR lacks a word before it.", "Write it as"),
        ("section:plan OR rash", "The operator OR lacks a word before it.", "Write it as"),
        ("fever -", "The operator - stands alone.", "Put a word after it"),
        ("fever -?!", "The operator - stands alone.", "Put a word after it"),
        ('fever -""', "The operator - stands alone.", "Put a word after it"),
        ("fever --", "The operator -- stands alone.", "Put a word after it"),
        ("fever + cough", "The operator + stands alone.", "Put a word after it"),
        ("fever || cough", "The operator || stands alone.", "Put a word after it"),
        ("fever & cough", "The operator & stands alone.", "Put a word after it"),
        ("section: plan", "section: names nothing.", "without a space"),
        ('section:""', "section: names nothing.", "section:impression"),
        ("type:???", "type: names nothing.", "radiology report"),
        ("fever -section:plan", "section: cannot be excluded or joined by OR.", "section:impression"),
        ("fever NOT type:letter", "type: cannot be excluded or joined by OR.", "radiology report"),
        ("fever OR note:a", "note: cannot be excluded or joined by OR.", "note:demo-0001"),
        ("sectoin:plan", "There is no field sectoin.", "Did you mean section:impression?"),
        ("after:soon", "after:soon is not a date.", "after:2019-01-01"),
        ("after:2019-13", "after:2019-13 is not a date.", "after:2019-01-01"),
        ("after:2019-02-30", "after:2019-02-30 is not a date.", "after:2019-01-01"),
        ("before:0000", "before:0000 is not a date.", "before:2024-01-01"),
        ("after:2019 after:2020", "after: stands there twice.", "Keep one"),
        ("after:2020 before:2020", "after:2020-01-01 and before:2020-01-01 leave no day.", "Swap"),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(line: str, message: str, remedy: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(line)
    assert caught.value.message == message
    assert remedy in caught.value.remedy


def test_errors_repeat_little_of_the_line() -> None:
    for line in ("after:" + "9" * 1500, "section" + "n" * 3 + ":x", "fever -" + "!" * 1500):
        with pytest.raises(QueryError) as caught:
            parse(line)
        assert len(str(caught.value)) < 150


PIECES = st.sampled_from(
    ['"', "“", "-", "--", " ", "AND", "OR", "NOT", ":", "section:", "after:", "before:2020", "x", "?", "\x00", "note:a"]
)


def outcome(line: str) -> Query | QueryError:
    try:
        return parse(line)
    except QueryError as e:
        return e


def repeats(error: QueryError, line: str, length: int) -> bool:
    """Whether ``error`` holds a run of more than ``length`` characters of ``line``."""
    windows = (line[i : i + length + 1] for i in range(len(line) - length))
    return any(window in str(error) for window in windows)


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(PIECES, max_size=30).map("".join),
        st.lists(PIECES).map(" ".join),
        st.tuples(PIECES, st.text(alphabet="z-:!?9", min_size=100, max_size=300)).map("".join),
    )
)
@example("secti0n:" + "y" * 1900)
@example("x" * 100_000)
def test_any_line_gives_a_query_or_a_query_error(line: str) -> None:
    out = outcome(line)
    if isinstance(out, QueryError):
        assert out.remedy
        assert not repeats(out, line, 60)
    else:
        assert out != Query()
        assert all(out.clauses)
        assert all(any(c.isalnum() for c in t.text) for clause in out.clauses for t in clause)


@given(st.text(max_size=200))
def test_plain_takes_every_word_as_a_word(text: str) -> None:
    query = plain(text)
    assert query == Query(clauses=query.clauses)
    assert not any(t.phrase for clause in query.clauses for t in clause)


def test_plain_knows_no_operators() -> None:
    assert plain("NOT section:impression -x ?").clauses == words("NOT", "section:impression", "-x")


def test_a_finding_has_the_assertion_that_follows_it() -> None:
    assert parse("finding:pneumothorax absent").clauses == ((ConceptTerm("pneumothorax", assertion="absent"),),)
    assert parse('finding:"pleural effusion" Possible cough').clauses == (
        (ConceptTerm("pleural effusion", assertion="possible"),),
        (Term("cough"),),
    )
    assert parse("finding:pneumothorax any").concepts == (ConceptTerm("pneumothorax", assertion="any"),)


def test_a_finding_is_present_unless_said_otherwise() -> None:
    assert parse("finding:pneumothorax").concepts == (ConceptTerm("pneumothorax", assertion="present"),)
    assert parse('finding:pneumothorax "absent"').clauses[1] == (Term("absent", phrase=True),)
    assert parse("finding:pneumothorax -absent").excluded == (Term("absent"),)


def test_findings_can_be_excluded_and_joined_by_or() -> None:
    query = parse("finding:effusion OR finding:pneumothorax absent -finding:edema possible")
    assert query.clauses == ((ConceptTerm("effusion"), ConceptTerm("pneumothorax", assertion="absent")),)
    assert query.excluded == (ConceptTerm("edema", assertion="possible"),)


def test_entities_and_aspects_are_fields() -> None:
    query = parse("entity:asthma aspect:treatment")
    assert query.concepts == (ConceptTerm("asthma", role="entity", assertion="any"),)
    assert query.aspects == ("treatment",)


def test_a_finding_that_is_named_by_nothing_is_refused() -> None:
    with pytest.raises(QueryError, match="finding: names nothing"):
        parse("finding:")


def test_what_is_ranked_by_says_no_for_what_is_absent() -> None:
    assert parse("finding:pneumothorax absent").text == "no pneumothorax"
