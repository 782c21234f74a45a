"""CSV collections: what comes out, with its line, and what is refused."""

from __future__ import annotations

import csv
import gzip
import random
import tracemalloc
import zlib
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ingest.readers import Rejected, columns_of, open_source
from ingest.readers.fields import INEXACT
from ingest.readers.streams import RECORD_BYTES
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Patient, Person


def items(path: Path, **options: object) -> list[Note | Patient | Rejected]:
    mapping = columns_of(options) if options else None
    return [record.item for record in open_source(path, "csv", mapping)]


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_every_field_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "ward.csv",
        "note_id,subject_id,category,chartdate,description,text\nn1, p1 ,Radiology,2019-03-04,Chest,No effusion.\n",
    )
    expected = Note("n1", "No effusion.", "p1", "Radiology", date(2019, 3, 4), "Chest", "ward")
    assert items(path) == [expected]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_though_the_text_holds_the_others(tmp_path: Path, delimiter: str) -> None:
    text = "a,b;c\td|e, f; g"
    path = tmp_path / "notes.csv"
    with path.open("w", newline="", encoding="utf-8") as f:
        csv.writer(f, delimiter=delimiter).writerows([["id", "report", "mrn"], ["1", text, "7"]])
    assert items(path) == [Note("1", text, "7", collection="notes")]


def test_a_header_that_holds_another_delimiter_is_split_at_the_right_one(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,text,name (last; first; middle; suffix)\n1,well,x\n")
    assert items(path) == [Note("1", "well", "1", collection="a")]


@pytest.mark.parametrize("value", ["1.23457E+11", "1,23457E+11", "1E+11", "-1.2e+11"])
def test_an_id_that_a_spreadsheet_has_shortened_is_rejected(tmp_path: Path, value: str) -> None:
    path = written(tmp_path / "a.csv", f"id;mrn;text\n1;{value};t\n2;1E11;t\n")
    first, second = items(path)
    assert first == Rejected("a.csv", 2, "patient_id", INEXACT)
    assert isinstance(second, Note)


def test_a_field_of_utf16_in_a_table_of_utf8_is_rejected(tmp_path: Path) -> None:
    """As of a database that hands out the bytes of its own text."""
    path = written(tmp_path / "a.csv", b"id,text\n1," + "No fever.".encode("utf-16-le") + b"\n2,well\n")
    reason = "many NUL characters: UTF-16 without a byte order mark? Save it as UTF-8"
    assert items(path) == [Rejected("a.csv", 2, "text", reason), Note("2", "well", "2", collection="a")]


def test_text_keeps_its_line_ends_blanks_and_quotes(tmp_path: Path) -> None:
    text = '  FINDINGS:\r\nsaid "no pain"\n\n\tend \r\n'
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([["id", "text"], ["1", text]])
    (note,) = items(path)
    assert isinstance(note, Note)
    assert note.text == text


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b"\xef\xbb\xbfnote_id,text\r\n1,well\r\n")
    assert items(path) == [Note("1", "well", "1", collection="a")]


def test_lines_are_counted_through_quoted_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'id,text\n1,"a\nb\nc"\n\n2,\n3,x,y\n')
    first, empty, wide = items(path)
    assert isinstance(first, Note)
    assert empty == Rejected("a.csv", 6, "text", "empty")
    assert wide == Rejected("a.csv", 7, "", "3 columns where the header has 2")


def test_a_row_with_bad_bytes_is_rejected_and_the_others_stay(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b"id,text\n1,fi\xe8vre\n2,fi\xc3\xa8vre\n")
    assert items(path) == [
        Rejected("a.csv", 2, "text", "not valid UTF-8"),
        Note("2", "fièvre", "2", collection="a"),
    ]


def test_nul_in_text_becomes_one_replacement_character(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b"id,text\n1,a\x00b\n")
    assert items(path) == [Note("1", "a\ufffdb", "1", collection="a")]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        (",t,p,", "note_id", "empty"),
        ("  ,t,p,", "note_id", "empty"),
        ("a\x01,t,p,", "note_id", "holds a control character"),
        ("a,t,p\x7f,", "patient_id", "holds a control character"),
        ("x" * 256 + ",t,p,", "note_id", "longer than 255 characters"),
        ("1, \t,p,", "text", "empty"),
        ("1,t,p,3.4.2019", "date", "not an ISO date"),
        ("1,t,p,2019-02-30", "date", "not an ISO date"),
    ],
)
def test_a_bad_field_rejects_its_row_without_its_value(tmp_path: Path, row: str, field: str, reason: str) -> None:
    path = written(tmp_path / "a.csv", f"id,text,patient_id,date\n{row}\n")
    assert items(path) == [Rejected("a.csv", 2, field, reason)]


def test_an_id_of_255_characters_is_taken(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", f"id,text\n{'x' * 255},t\n")
    assert items(path) == [Note("x" * 255, "t", "x" * 255, collection="a")]


@pytest.mark.parametrize(
    ("written_date", "day"),
    [
        ("2019-03-04", date(2019, 3, 4)),
        ("20190304", date(2019, 3, 4)),
        ("2019-03-04 23:59:00", date(2019, 3, 4)),
        ("2019-03-04T23:59:00.5Z", date(2019, 3, 4)),
        (" ", None),
        ("", None),
    ],
)
def test_dates(tmp_path: Path, written_date: str, day: date | None) -> None:
    path = written(tmp_path / "a.csv", f"id,text,date\n1,t,{written_date}\n")
    assert items(path) == [Note("1", "t", "1", date=day, collection="a")]


# Patients


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("encounter_id,sex,age,birth_date,death_date", True),
        ("HADM_ID,Gender,patient_age,DOB,dod", True),
        ("visit id,patient-sex,Age at note,date of birth,Date of death", True),
        ("episode,s,years,born,died", False),
    ],
)
def test_what_a_row_tells_of_its_patient(tmp_path: Path, header: str, expected: bool) -> None:
    path = written(tmp_path / "a.csv", f"id,text,mrn,{header}\n1,t,p, e-1 ,F,62,1950-02-28,20200101\n")
    told = Person("female", date(1950, 2, 28), date(2020, 1, 1))
    plain = Note("1", "t", "p", collection="a")
    assert items(path) == [replace(plain, encounter_id="e-1", age=62, person=told) if expected else plain]


def test_columns_of_a_patient_may_be_named_and_switched_off(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,text,mrn,born,age,stay,g\n1,t,p,28.02.1950,three,s1,M\n")
    options = {"birth_date": "born", "age": "", "encounter_id": "stay", "sex": "g", "date_format": "%d.%m.%Y"}
    told = Person("male", date(1950, 2, 28))
    assert items(path, **options) == [Note("1", "t", "p", collection="a", encounter_id="s1", person=told)]


def row_with(tmp_path: Path, column: str, value: str) -> Note | Patient | Rejected:
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([["id", "text", column], ["1", "t", value]])
    (item,) = items(path)
    return item


@pytest.mark.parametrize(
    ("value", "age"),
    [
        ("62", 62),
        (" 62 ", 62),
        ("62.0", 62),
        ("062Y", 62),
        ("3 months", 0),
        ("030M", 2),
        ("62y", 62),
        ("62 years", 62),
        ("62 years old", 62),
        ("62 yo", 62),
        ("90+", 90),
        (">=90", 90),
        ("0", 0),
        ("130", 130),
        ("", None),
        ("  ", None),
    ],
)
def test_ages(tmp_path: Path, value: str, age: int | None) -> None:
    found = row_with(tmp_path, "age", value)
    assert isinstance(found, Note)
    assert found.age == age


@pytest.mark.parametrize("value", ["abc", "-1", "131", "1000", "62-65", "62 kg", "y", "6 2"])
def test_what_is_no_age_rejects_its_row_without_its_value(tmp_path: Path, value: str) -> None:
    assert row_with(tmp_path, "age", value) == Rejected("a.csv", 2, "age", "not an age in whole years")


@pytest.mark.parametrize(
    ("value", "sex"),
    [
        ("F", "female"),
        ("f", "female"),
        (" Female ", "female"),
        ("W", "female"),
        ("m", "male"),
        ("MALE", "male"),
        ("unknown", ""),
        ("U", ""),
        ("UNK", ""),
        ("?", ""),
        ("", ""),
        ("Intersex", "intersex"),
        ("x" * 40, "x" * 32),
    ],
)
def test_sexes(tmp_path: Path, value: str, sex: str) -> None:
    found = row_with(tmp_path, "sex", value)
    assert isinstance(found, Note)
    assert found.person == Person(sex)


@pytest.mark.parametrize("field", ["birth_date", "death_date"])
def test_dates_of_a_patient(tmp_path: Path, field: str) -> None:
    for value in ("1950-02-28", "19500228", "1950-02-28T10:00:00"):
        found = row_with(tmp_path, field, value)
        assert isinstance(found, Note)
        assert getattr(found.person, field) == date(1950, 2, 28)
    for value in ("28.2.1950", "1950", "1950-02-30", "abc"):
        assert row_with(tmp_path, field, value) == Rejected("a.csv", 2, field, "not an ISO date")


def test_an_encounter_is_an_id(tmp_path: Path) -> None:
    none = row_with(tmp_path, "encounter_id", "  ")
    assert isinstance(none, Note)
    assert none.encounter_id == ""
    long = row_with(tmp_path, "encounter_id", "x" * 256)
    assert long == Rejected("a.csv", 2, "encounter_id", "longer than 255 characters")


TOMORROW = datetime.now(UTC).date() + timedelta(days=1)
SETTING = f"after {TOMORROW} (ASPECTRA_LATEST_DAY)"


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ("1849-12-31,", "date", "before 1850"),
        ("0001-01-01,", "date", "before 1850"),
        ("2199-01-01,", "date", SETTING),
        (",2199-01-01", "birth_date", SETTING),
        ("2019-03-04,2019-03-05", "birth_date", "after the note's day"),
    ],
)
def test_days_that_cannot_be_meant_reject_the_row(tmp_path: Path, row: str, field: str, reason: str) -> None:
    rows = f"id,text,date,birth_date\n1,t,{row}\n2,t,{TOMORROW},{TOMORROW}\n3,t,1850-01-01,\n"
    first, second, third = items(written(tmp_path / "a.csv", rows))
    assert first == Rejected("a.csv", 2, field, reason)
    assert second == Note("2", "t", "2", date=TOMORROW, collection="a", person=Person(birth_date=TOMORROW))
    assert isinstance(third, Note)


def test_shifted_days_are_taken_where_that_is_set(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,text,date,birth_date\n1,t,2199-01-01,2150-01-01\n2,t,2250-01-02,\n")
    first, second = (r.item for r in open_source(path, latest_day=date(2250, 1, 1)))
    assert isinstance(first, Note)
    assert second == Rejected("a.csv", 3, "date", "after 2250-01-01 (ASPECTRA_LATEST_DAY)")


def test_a_birth_year_of_two_digits_is_of_the_century_before_where_it_would_be_to_come(tmp_path: Path) -> None:
    rows = "id,text,date,dob\n1,t,03.02.20,05.06.58\n2,t,03.02.20,05.06.11\n3,t,03.02.99,05.06.11\n4,t,,29.02.68\n"
    rows += "5,t,03.02.99,29.02.00\n"
    *found, none = items(written(tmp_path / "a.csv", rows), date_format="%d.%m.%y")
    assert none == Rejected("a.csv", 6, "birth_date", "after the note's day")
    born = [n.person.birth_date for n in found if isinstance(n, Note)]
    assert born == [date(1958, 6, 5), date(2011, 6, 5), date(1911, 6, 5), date(1968, 2, 29)]


def test_date_format_replaces_the_iso_formats(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,text,date\n1,t,04.03.2019\n2,t,2019-03-04\n")
    good, bad = items(path, date_format="%d.%m.%Y")
    assert isinstance(good, Note)
    assert good.date == date(2019, 3, 4)
    assert bad == Rejected("a.csv", 3, "date", "does not match date_format")


def test_a_note_of_nearly_the_largest_size_is_read(tmp_path: Path) -> None:
    text = "No effusion. " * 150_000
    path = written(tmp_path / "a.csv", f'id,text\n1,"{text}"\n')
    assert items(path) == [Note("1", text, "1", collection="a")]


def test_broken_quotes_cost_their_row_and_prose_never_passes_for_one(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.csv",
        'id,text\nN-1,fine\nN-2,"said "no" pain\nAllergies: penicillin, rash\nAspirin,daily\nend"\nN-3,fine\n',
    )
    good, damage, last = items(path)
    assert isinstance(good, Note)
    assert isinstance(last, Note)
    assert (good.note_id, last.note_id) == ("N-1", "N-3")
    assert isinstance(damage, Rejected)
    assert damage.line == 3
    assert damage.reason.endswith("lines 3 to 6 left out")


def test_a_quote_that_never_closes_costs_its_own_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'id,text\n1,fine\n2,"no end\n3,x\n')
    good, damage, last = items(path)
    assert (good, last) == (Note("1", "fine", "1", collection="a"), Note("3", "x", "3", collection="a"))
    assert damage == Rejected("a.csv", 3, "", "quotes or line ends do not match; line 3 left out")


def test_a_file_that_ends_inside_a_quote_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'id,text\n1,fine\n2,"no end\nof it\n')
    _, damage = items(path)
    assert damage == Rejected("a.csv", 3, "", "quotes or line ends do not match; lines 3 to 4 left out", 2, cut=True)


def test_a_file_that_ends_inside_a_line_is_cut(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,text,more\n1,fine,x\n2,not")
    _, damage = items(path)
    assert damage == Rejected("a.csv", 3, "", "2 columns where the header has 3", cut=True)
    whole = written(tmp_path / "a.csv", "id,text,more\n1,fine,x\n(1 row)\n")
    assert items(whole)[1] == Rejected("a.csv", 3, "", "1 column where the header has 3")


def test_a_record_beyond_the_limit_is_rejected_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with path.open("wb") as f:
        f.write(b"id,text\n1,t\n2,")
        f.writelines(b"x" * 2**20 for _ in range(RECORD_BYTES // 2**20 + 1))
        f.write(b"\n3,t\n")
    first, long, last = items(path)
    assert isinstance(first, Note)
    assert long == Rejected("a.csv", 3, "", "longer than 32 MiB; line 3 left out")
    assert last == Note("3", "t", "3", collection="a")


def test_several_text_columns_become_sections(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "id,chief_complaint,findings,plan\n1,cough,,rest\n")
    (note,) = items(path, text=["chief_complaint", "findings", "plan"])
    assert isinstance(note, Note)
    assert note.text == "CHIEF COMPLAINT:\ncough\n\nPLAN:\nrest"


def test_without_an_id_column_the_error_says_which_option_to_give(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "Key,Text\n1,secret\n")
    with pytest.raises(AspectraError, match=r"a\.csv.*note_id.*Key, Text.*--column note_id=") as e:
        open_source(path)
    assert "secret" not in str(e.value)


def test_where_the_header_is_missing_its_data_is_not_shown(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "17,Smith,has pneumonia\n18,Jones,well\n")
    with pytest.raises(AspectraError, match="header missing") as e:
        open_source(path)
    assert "Smith" not in str(e.value)


@pytest.mark.parametrize("content", [b'id,"text\n1,t\n', b"id,te\xffxt\n1,t\n", b"\n\n"])
def test_a_header_that_cannot_be_read_is_an_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(AspectraError, match="header"):
        open_source(written(tmp_path / "a.csv", content))


def test_utf16_is_an_error_that_names_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match=r"UTF-16.*UTF-8"):
        open_source(written(tmp_path / "a.csv", "id,text\n1,t\n".encode("utf-16")))


@pytest.mark.parametrize("bad", ["", '0,"said "none",x\n'])
def test_every_whole_row_before_the_damage_of_a_packed_file_is_read(tmp_path: Path, bad: str) -> None:
    """Also the last, which is held since its quotes are judged by what follows, and those that were looked at ahead."""
    noise = random.Random(7)
    rows = [f'{n},"No effusion, {noise.getrandbits(900):x}",x\n' for n in range(1, 2000)]
    content = ("id,text,more\n" + bad + "".join(rows)).encode()
    packed = gzip.compress(content)[:100_000]
    whole = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed).decode().splitlines(keepends=True)[:-1]
    (tmp_path / "a.csv.gz").write_bytes(packed)
    seen: list[str] = []
    with pytest.raises(AspectraError, match="damaged or cut off"):  # noqa: PT012 - the error comes amid the loop
        for record in open_source(tmp_path / "a.csv.gz"):
            seen += [record.item.note_id] if isinstance(record.item, Note) else []
    assert seen == [row.split(",")[0] for row in whole[2 if bad else 1 :]]


def test_a_cut_off_gzip_file_yields_its_notes_and_then_an_error(tmp_path: Path) -> None:
    rows = "".join(f"{i},note number {i * 7919}\n" for i in range(50_000))
    whole = gzip.compress(f"id,text\n{rows}".encode())
    path = written(tmp_path / "a.csv.gz", whole[: len(whole) // 2])
    seen = 0
    with pytest.raises(AspectraError, match="cut off"):  # noqa: PT012 - the error comes amid the loop
        for record in open_source(path):
            assert isinstance(record.item, Note)
            seen += 1
    assert seen > 1000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.csv.gz"
    body = "No focal consolidation,\nno effusion. " * 200
    with gzip.open(path, "wt", compresslevel=1, newline="") as f:
        out = csv.writer(f)
        out.writerow(["note_id", "text"])
        out.writerows([str(i), body] for i in range(8_000))
    tracemalloc.start()
    try:
        count, last, collection = 0, 0, open_source(path)
        for record in collection:
            assert isinstance(record.item, Note)
            assert last <= record.done <= path.stat().st_size
            last = record.done
            count += 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 8_000 * len(body) > 55 * 2**20
    assert count == 8_000
    assert last > 0.9 * collection.work.total
    assert peak < 8 * 2**20
