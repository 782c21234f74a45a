"""Reading a lexicon file: taken whole, or refused whole with file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.files import (
    MOST_SHOWN,
    LexiconError,
    read_lexicon,
    read_placed,
    read_remarks,
    write_lexicon,
)

HEADER = "id,name,kind,parents,synonyms,abbreviations,exclusions,denials\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own.csv"


def problems(file: Path, text: str | bytes) -> list[str]:
    """What is said of a file with that content, line by line, without the file's name."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(LexiconError) as refused:
        read_lexicon(file)
    assert refused.value.remedy
    lines = refused.value.message.split("\n")
    named = [line.startswith(f"{file}:") for line in lines if not line.startswith("and ")]
    assert all(named)
    return [line.removeprefix(f"{file}:") for line in lines]


def test_every_column_is_read(file: Path) -> None:
    file.write_text(
        HEADER + "cough,cough,symptom,airway;throat,coughing fit ; tussis,CGH,cough syrup,lungs  clear;\n"
        'pain,"pain, any",symptom,,,,,\n'
    )
    assert read_lexicon(file) == [
        Concept(
            "cough",
            "cough",
            "symptom",
            ("airway", "throat"),
            ("coughing fit", "tussis"),
            ("CGH",),
            ("cough syrup",),
            ("lungs clear",),
        ),
        Concept("pain", "pain, any", "symptom"),
    ]


def test_only_three_columns_are_needed_in_any_order(file: Path) -> None:
    file.write_text("Kind,ID,synonyms,name\nsymptom,cough,tussis,cough\n")
    assert read_lexicon(file) == [Concept("cough", "cough", "symptom", synonyms=("tussis",))]


def test_a_spreadsheets_file_is_read(file: Path) -> None:
    """A byte order mark, CRLF, empty columns at the right and empty rows below."""
    file.write_bytes("\ufeffid,name,kind,,\r\noedeme,œdème,finding,,\r\n,,,,\r\n\r\n".encode())
    assert read_lexicon(file) == [Concept("oedeme", "œdème", "finding")]


def test_a_row_knows_its_line_where_cells_break_lines(file: Path) -> None:
    file.write_text('id,name,kind\na,"first\nname",finding\n\nb,second,finding\n')
    assert [(p.concept.name, p.line) for p in read_placed(file)] == [("first\nname", 2), ("second", 5)]


def test_what_is_written_is_read_back(file: Path) -> None:
    concepts = [
        Concept("a", 'a "quoted", long name', "drug", ("b",), ("x", "y z"), ("AB",), ("no a",), ("a free",)),
        Concept("b", "b", "drug"),
    ]
    file.write_text(write_lexicon(concepts))
    assert read_lexicon(file) == concepts


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (",cough,symptom,,,,,", "2: column id: is empty, too long, or holds a blank, comma or semicolon"),
        ("a b,cough,symptom,,,,,", "2: column id: is empty, too long, or holds a blank, comma or semicolon"),
        ("a;b,cough,symptom,,,,,", "2: column id: is empty, too long, or holds a blank, comma or semicolon"),
        ("cough, ,symptom,,,,,", "2: column name: is empty"),
        ("cough,123,symptom,,,,,", '2: column name: "123" holds no letter'),
        ("cough,cough,symptom,,12;ab,,,", '2: column synonyms: "12" holds no letter'),
        ("cough,cough,symptom,,,,,-", '2: column denials: "-" holds no letter'),
        (f"cough,{'c' * 201},symptom,,,,,", "2: column name: longer than 200 characters"),
        ("cough,cough,symptm,,,,,", '2: column kind: "symptm" is no kind; did you mean symptom?'),
        (
            "cough,cough,thing,,,,,",
            '2: column kind: "thing" is no kind; '
            "there are finding, disorder, symptom, procedure, device, drug, anatomy, vital sign",
        ),
        (
            "cough,cough,symptom,,,COUGHCOUGHCOUGH,,",
            '2: column abbreviations: "COUGHCOUGHCOUGH" is longer than 12 characters: is it a synonym?',
        ),
        ("cough,cough,symptom,,Cough;tussis,,,", '2: column synonyms: "cough" is there twice'),
        ("cough,cough,symptom,,,C2;C2,,", '2: column abbreviations: "C2" is there twice'),
        ("cough,cough,symptom,,,,no-cough;no cough,", '2: column exclusions: "no cough" is there twice'),
        ("cough,cough,symptom", "2: 3 cells under 8 columns; a cell that holds a comma must be in quotes"),
        ("cough,cough,dry,symptom,,,,,", "2: 9 cells under 8 columns; a cell that holds a comma must be in quotes"),
        (
            'cough,"cough,symptom,,,,,',
            "2: a quote is not closed, or stands inside a cell.",
        ),
    ],
)
def test_what_is_wrong_is_named_with_line_and_column(file: Path, row: str, said: str) -> None:
    # The last cell of a row that is too long may be empty: only one with content is too many.
    row = row + "x" if row.count(",") == 8 else row
    assert problems(file, f"{HEADER}{row}\n") == [said]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("id,name", ["1: column kind: is missing"]),
        ("", ["1: column id: is missing", "1: column name: is missing", "1: column kind: is missing"]),
        ("id,name,kind,synonym", ["1: column synonym: is not known; did you mean synonyms?"]),
        ("id,name,kind,name", ["1: column name: is there twice"]),
        ("id;name;kind", ["1: semicolons stand between the columns."]),
    ],
)
def test_a_wrong_header_is_refused(file: Path, header: str, said: list[str]) -> None:
    assert problems(file, header + "\n") == said


def test_an_unknown_column_without_a_near_name_gets_the_list(file: Path) -> None:
    assert problems(file, "id,name,kind,zzz\n") == [
        "1: column zzz: is not known; there are id, name, kind, parents, synonyms, abbreviations, exclusions, denials, "
        "phrases, codes"
    ]


def test_an_id_twice_names_both_lines(file: Path) -> None:
    assert problems(file, "id,name,kind\na,one,finding\nb,two,finding\na,three,finding\n") == [
        "4: column id: a is in line 2 too"
    ]


def test_two_concepts_may_share_a_name(file: Path) -> None:
    file.write_text("id,name,kind\na,cold,finding\nb,cold,symptom\n")
    assert [c.id for c in read_lexicon(file)] == ["a", "b"]


def test_all_problems_are_told_at_once(file: Path) -> None:
    assert problems(file, "id,name,kind\n,one,finding\nb,,finding\nc,three,fnding\n") == [
        "2: column id: is empty, too long, or holds a blank, comma or semicolon",
        "3: column name: is empty",
        '4: column kind: "fnding" is no kind; did you mean finding?',
    ]


def test_of_very_many_problems_the_first_are_told(file: Path) -> None:
    said = problems(file, "id,name,kind\n" + ",x,finding\n" * 500)
    assert len(said) == MOST_SHOWN + 1
    assert said[MOST_SHOWN - 1].startswith(f"{MOST_SHOWN + 1}: ")
    assert said[-1] == "and 480 more"


def test_other_encodings_are_refused_with_their_line(file: Path) -> None:
    assert problems(file, b"id,name,kind\na,caf\xe9,finding\n") == ["2: not UTF-8."]
    assert problems(file, "id,name,kind\n".encode("utf-16")) == ["1: not UTF-8."]


def test_a_quote_that_is_never_closed_is_found_where_it_begins(file: Path) -> None:
    rows = "".join(f"c{n},name {n},finding\n" for n in range(20_000))
    assert problems(file, 'id,name,kind\na,one,finding\nb,"two,finding\n' + rows) == [
        "3: a quote is not closed, or stands inside a cell."
    ]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"none\.csv: cannot be read"):
        read_lexicon(tmp_path / "none.csv")


def test_remarks_stand_at_the_top_and_lines_are_counted_with_them(file: Path) -> None:
    cough = Concept("cough", "cough", "symptom", phrases=("tussis nervosa",), codes=("HP:0012735",))
    text = write_lexicon([cough], ["licence: none", "by hand"])
    assert text.startswith("# licence: none\n# by hand\nid,name")
    file.write_text(text)
    assert read_lexicon(file) == [cough]
    assert read_remarks(file) == ["licence: none", "by hand"]
    assert problems(file, "# one\n# two\nid,name,kind\nx,y,disorde\n")[0].startswith("4: column kind")
    assert problems(file, "# one\nid,name\n") == ["2: column kind: is missing"]


def test_a_code_with_a_blank_and_a_phrase_twice_are_refused(file: Path) -> None:
    assert problems(file, "id,name,kind,phrases,codes\na,b,drug,one c;One C,X 1\n") == [
        '2: column phrases: "one c" is there twice',
        '2: column codes: "X 1" holds a blank, or is too long',
    ]
