"""OBO, MRCONSO and tables: what is read, what is left out, what is refused."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest

from ingest.vocab import open_vocabulary
from ingest.vocab.detect import OWN, form
from ingest.vocab.entry import Entry, Left
from search_stack.core.errors import AspectraError

OBO = r"""format-version: 1.2
! a remark
[Term]
id: X:1
name: lung inflammation ! a remark
synonym: "pneumonic \"state\"" EXACT [REF:1]
synonym: "inflammation" BROAD []
synonym: "lobar lung inflammation" NARROW [] {source="x"}
synonym: "something like it" RELATED []
exact_synonym: "old style" []
is_a: X:2 {source="y"} ! lung disease
is_a: X:3
xref: Y:1

[Term]
id: X:2
name: lung disease

[Term]
id: X:9
name: gone
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""


COLUMNS = "CUI|LAT|TS|LUI|STT|SUI|ISPREF|AUI|SAUI|SCUI|SDUI|SAB|TTY|CODE|STR|SRL|SUPPRESS|CVF"


def mrconso(cui: str, name: str, **marks: str) -> str:
    usual = {"CUI": cui, "LAT": "ENG", "TS": "S", "STT": "VO", "ISPREF": "N", "STR": name, "SUPPRESS": "N"}
    return "|".join((usual | marks).get(column, "") for column in COLUMNS.split("|")) + "|\n"


MRCONSO = "".join(
    (
        mrconso("C0000001", "lung inflammation"),
        mrconso("C0000001", "Pneumonia", TS="P", STT="PF", ISPREF="Y", TTY="PT"),
        mrconso("C0000001", "Lungenentzündung", LAT="GER"),
        mrconso("C0000001", "pneumonia old", SUPPRESS="O"),
        mrconso("C0000001", "pneumonia odd", SUPPRESS="E"),
        mrconso("C0000001", "pneumonia yes", SUPPRESS="Y"),
        mrconso("C0000002", "toux", LAT="FRE", TS="P", STT="PF", ISPREF="Y"),
        mrconso("C0000003", "Cough"),
    )
)


def read(path: Path) -> tuple[list[Entry], Left]:
    left: Left = Counter()
    return list(open_vocabulary(path, form(path), left, lambda _: None)), left


def refused(path: Path) -> str:
    with pytest.raises(AspectraError) as error:
        read(path)
    assert error.value.remedy
    return error.value.message.removeprefix(str(path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Without an ending that would tell anything."""
    return tmp_path / "vocabulary"


def test_obo_terms_are_read(file: Path) -> None:
    file.write_text(OBO)
    entries, left = read(file)
    assert entries == [
        Entry(
            "X:1",
            ("lung inflammation", 'pneumonic "state"', "lobar lung inflammation", "old style"),
            3,
            ("X:2", "X:3"),
        ),
        Entry("X:2", ("lung disease",), 15),
    ]
    assert left == {"obsolete": 1, "broader or related": 2}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[Term", ":2: a stanza's name is not closed."),
        ("no tag at all", ":2: neither a tag with its value nor a stanza."),
        ("[Term]\nid: X:1\n", ":2: name: the term has none."),
        ("[Term]\nname: x\n", ":2: id: the term has none."),
        ("[Term]\nid: X:1\nname: x\nsynonym: bare EXACT []", ":5: synonym: not in quotes."),
        ('[Term]\nid: X:1\nname: x\nsynonym: "open EXACT []', ":5: synonym: not in quotes."),
    ],
)
def test_broken_obo_is_refused_with_its_line(file: Path, line: str, said: str) -> None:
    file.write_text(f"format-version: 1.2\n{line}\n")
    assert refused(file) == said


def test_mrconso_rows_become_concepts(file: Path) -> None:
    file.write_text(MRCONSO)
    entries, left = read(file)
    assert entries == [
        Entry("C0000001", ("Pneumonia", "lung inflammation"), 1),
        Entry("C0000003", ("Cough",), 8),
    ]
    assert left == {"in other languages": 2, "suppressed": 3}


def test_mrconso_is_read_without_the_last_bar_too(file: Path) -> None:
    file.write_text(MRCONSO.replace("|\n", "\n"))
    assert [e.id for e in read(file)[0]] == ["C0000001", "C0000003"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("C0000004|ENG|P\n", ":9: 3 fields, not 18."),
        (mrconso("0000004", "x"), ":9: CUI: not a concept's id, such as C0032285."),
        (mrconso("C0000004", "a|b"), ":9: 19 fields, not 18."),
    ],
)
def test_broken_mrconso_is_refused_with_its_line(file: Path, row: str, said: str) -> None:
    file.write_text(MRCONSO + row)
    assert refused(file) == said


@pytest.mark.parametrize(
    "text",
    [
        'Code,Term,Synonyms\nJ18,"Pneumonia, any",lung inflammation;PNA\n',
        "term;code;synonym\nPneumonia, any;J18;lung inflammation|PNA\n",
        "code\tlabel\tsynonyms\nJ18\tPneumonia, any\tlung inflammation; PNA\n",
        "concept_id|name|synonyms\nJ18|Pneumonia, any|lung inflammation; PNA\n",
    ],
)
def test_tables_of_several_kinds_are_read(file: Path, text: str) -> None:
    file.write_text(text)
    assert read(file)[0] == [Entry("J18", ("Pneumonia, any", "lung inflammation", "PNA"), 2)]


def test_a_table_may_tell_kinds_and_parents(file: Path) -> None:
    file.write_text('id,name,kind,parent,origin\na,ay,drug,"b;c",here\n')
    assert read(file)[0] == [Entry("a", ("ay",), 2, ("b", "c"), "drug")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("code,term\nA1,first\n,second\n", ":3: column id: is empty."),
        ('code,term\nA1,"first\nline"\nA2,\n', ":4: column name: is empty."),
        ('code,term\nA1,one\nA2,"first\nA3,second\n', ":3: a quote is not closed, or stands inside a cell."),
        ("code,term,kind\nA1,one,thing\n", ":2: column kind: no such kind"),
        ("code,words\nA1,one\n", ":1: neither OBO"),
        ("", " is empty."),
    ],
)
def test_a_broken_table_is_refused_with_its_line(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    assert refused(file).startswith(said)


def test_the_form_is_told_by_the_content_alone(tmp_path: Path) -> None:
    contents = {
        "obo": OBO,
        "mrconso": MRCONSO,
        "table": "code,term\nA,b\n",
        OWN: "id,name,kind,parents\na,ay,drug,\n",
    }
    for wanted, text in contents.items():
        for ending in ("csv", "obo", "RRF", "txt"):
            path = tmp_path / f"{wanted}.{ending}"
            path.write_bytes(b"\xef\xbb\xbf" + text.encode())
            assert form(path) == wanted
    assert form_of_gzip(tmp_path) == "mrconso"


def form_of_gzip(folder: Path) -> str:
    path = folder / "packed"
    path.write_bytes(gzip.compress(MRCONSO.encode()))
    return form(path)


def test_the_position_reaches_the_end_of_the_file(file: Path) -> None:
    file.write_text("".join(mrconso(f"C{n:07}", f"name {n}") for n in range(2_000)))
    seen: list[int] = []
    entries = list(open_vocabulary(file, "mrconso", Counter(), seen.append))
    assert len(entries) == 2_000
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] == file.stat().st_size


def test_other_encodings_are_refused_with_their_line(file: Path) -> None:
    file.write_bytes(b"code,term\nA1,one\nA2,caf\xe9\n")
    assert re.fullmatch(r":3: not UTF-8\.", refused(file))


def test_a_folder_is_no_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="is a folder"):
        form(tmp_path)
