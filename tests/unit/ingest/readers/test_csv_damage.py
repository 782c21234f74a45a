"""A row whose quotes do not match costs itself, and no other row; nothing else is taken for a row."""

from __future__ import annotations

import csv
import io
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.readers import csv_block, open_source
from ingest.readers.csv_rows import Damage, Row, Rows
from ingest.readers.streams import InputFile, Lines
from search_stack.core.schema import Note

IDS = ("N-{}", "{}", "p{}_x", "RAD-2020-{}")
KINDS = ("stray", "cut", "unclosed", "unopened", "opened")
PIECES = st.sampled_from(
    [
        "no effusion",
        "Allergies: rash",
        "said ",
        '"',
        '""',
        "\n",
        "\n",
        "\r\n",
        ",",
        ";",
        "|",
        "\t",
        "\nAspirin,daily\n",
        " ",
    ]
)


@dataclass
class Table:
    delimiter: str
    ids: list[str]
    texts: list[str]
    last: list[str]
    quoting: int

    def raw(self, number: int) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.delimiter, quoting=self.quoting, lineterminator="\n")
        writer.writerow([self.ids[number], self.texts[number], self.last[number]])
        return out.getvalue()

    def rows(self) -> list[str]:
        return [self.raw(number) for number in range(len(self.ids))]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    pattern, n = draw(st.sampled_from(IDS)), draw(st.integers(3, 9))
    ids = [pattern.format(100 + k) for k in range(n)]
    pieces = (
        st.lists(PIECES, min_size=1, max_size=8).map("".join).map(lambda text: f"w{text}" if not text.strip() else text)
    )
    return Table(
        draw(st.sampled_from([",", ";", "\t", "|"])),
        ids,
        [draw(pieces) for _ in ids],
        [draw(pieces) for _ in ids],
        draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])),
    )


def damaged(raw: str, kind: str, at: int, delimiter: str) -> str:
    body = raw.removesuffix("\n")
    at %= len(body) + 1
    quotes = [i for i, c in enumerate(body) if c == '"']
    if kind == "cut":
        return body[:at] + "\n"
    if kind == "opened":  # a quote after a delimiter or at the line's start
        starts = [0, *(i + 1 for i, c in enumerate(body) if c == delimiter)]
        at = starts[at % len(starts)]
    elif kind in ("unclosed", "unopened") and quotes:
        gone = quotes[-1 - at % len(quotes)]
        return body[:gone] + body[gone + 1 :] + "\n"
    return f'{body[:at]}"{body[at:]}\n'


def read(path: Path, content: str, delimiter: str, width: int = 3) -> list[Row | Damage]:
    path.write_text(content, encoding="utf-8", newline="")
    with InputFile(path) as source:
        return list(Rows(Lines(source), delimiter, width, 0))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csv") / "a.csv"


def header(table: Table) -> str:
    return table.delimiter.join(("id", "text", "more")) + "\n"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables(), row_like=st.integers(0, 8))
def test_rows_whose_quotes_match_are_never_split(file: Path, table: Table, row_like: int) -> None:
    number = row_like % len(table.ids)
    table.texts[number] += "".join("\n" + row for row in table.rows())  # a note that quotes the table itself
    found = read(file, header(table) + "".join(table.rows()), table.delimiter)
    assert [row.values for row in found if isinstance(row, Row)] == [
        [*three] for three in zip(table.ids, table.texts, table.last, strict=True)
    ]
    assert len(found) == len(table.ids)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables(), which=st.integers(0, 8), kind=st.sampled_from(KINDS), at=st.integers(0, 200))
def test_one_damaged_row_costs_no_other(file: Path, table: Table, which: int, kind: str, at: int) -> None:
    which %= len(table.ids)
    raws = table.rows()
    bad = damaged(raws[which], kind, at, table.delimiter)
    content = header(table) + "".join([*raws[:which], bad, *raws[which + 1 :]])
    found = read(file, content, table.delimiter)
    whole = [[*three] for three in zip(table.ids, table.texts, table.last, strict=True)]
    taken = [row.values for row in found if isinstance(row, Row)]
    lost = [k for k, values in enumerate(whole) if k != which and values not in taken]
    if table.ids[which] not in bad.replace('"', ""):
        # Without its id it may be the rest of the row before, whose quote closed too soon.
        lost = [k for k in lost if k != which - 1]
    assert not lost, (kind, bad, found)
    own = [values for values in taken if values not in whole]
    assert len(own) <= 1
    for value in (v for values in own for v in values):
        # What is left of the damaged row itself, with a quote more or less or cut short.
        assert value.replace('"', "") in raws[which].replace('"', ""), (kind, bad, found)
    assert_every_line_is_told(found, content)


def assert_every_line_is_told(found: list[Row | Damage], content: str) -> None:
    """Lines of rows and of damages follow each other and leave out blank lines only."""
    lines = content.split("\n")
    told = 1
    for one in found:
        assert not "".join(lines[told : one.line - 1]).strip("\r")
        assert one.line > told
        told = one.last
    assert not "".join(lines[told:]).strip("\r")


@pytest.mark.parametrize("line", [2, 3, 900, 1999])
def test_an_unclosed_quote_costs_one_row_of_a_long_table(file: Path, line: int) -> None:
    rows = [f"R-{k},heart size is normal,no effusion {k}" for k in range(2, 2000)]
    rows[line - 2] = f'R-{line},"heart size is normal,no effusion'
    found = read(file, "id,text,more\n" + "\n".join(rows) + "\n", ",")
    (damage,) = (one for one in found if isinstance(one, Damage))
    assert (damage.line, damage.last, len(found)) == (line, line, 1998)


def test_prose_after_a_damaged_first_row_is_no_row(file: Path) -> None:
    """No id is known yet: what one looks like is learned from the rows further down."""
    torn = 'N-1,"said "no" pain\nAspirin,daily\nRest,well\nend"\n'
    rows = "".join(f'N-{k},"two\nlines"\n' for k in range(2, 9))
    found = read(file, f"id,text\n{torn}{rows}", ",", 2)
    assert [row.values[0] for row in found if isinstance(row, Row)] == [f"N-{k}" for k in range(2, 9)]


def test_a_row_that_was_swallowed_with_the_right_width_is_found(file: Path) -> None:
    """The stray quote pairs with the one that opens a later row's last field, and nothing seems wrong."""
    rows = ["N-1,a,b", 'N-2,a,"b', "N-3,a,b", 'N-4,a,"\nlong\nnote"', "N-5,a,b"]
    found = read(file, "id,text,more\n" + "\n".join(rows) + "\n", ",")
    assert [row.values[0] for row in found if isinstance(row, Row)] == ["N-1", "N-3", "N-4", "N-5"]


def test_a_note_that_a_stray_quote_closes_too_soon_is_not_taken_in_part(file: Path) -> None:
    rows = ["N-1,a", 'N-2,"first"\nsecond line, and more\nend"', "N-3,b"]
    found = read(file, "id,text\n" + "\n".join(rows) + "\n", ",", 2)
    assert [row.values for row in found if isinstance(row, Row)] == [["N-1", "a"], ["N-3", "b"]]
    (damage,) = (one for one in found if isinstance(one, Damage))
    assert (damage.line, damage.last) == (3, 5)


HOSTILE = {
    "quotes": '"\n',
    "open": '1,"a\n',
    "never ending": 'x",y,"\n',
    "good and never ending": '1,x,z\n2,k",y,"\n',
    "good and open": '1,a,b\n2,"a,b\n',
    "rows within rows": '1,"a\n3,b,c\n",b\n',
    "too wide": '1,"a\n3,b,c\n"\n',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_every_line_of_a_hostile_file_is_looked_at_a_few_times(
    file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks are made small here, so that there are many of them in a file of some 10,000 lines."""
    looked = 0
    step = csv_block._step

    def counted(line: csv_block.Line, delimiter: str) -> tuple[bool, int, bool] | None:
        nonlocal looked
        looked += 1
        return step(line, delimiter)

    monkeypatch.setattr(csv_block, "_step", counted)
    monkeypatch.setattr("ingest.readers.csv_rows.LOOK_AHEAD", 20_000)
    content = "id,text,more\n" + HOSTILE[name] * (10_000 // HOSTILE[name].count("\n"))
    found = read(file, content, ",")
    assert_every_line_is_told(found, content)
    assert looked < 20 * content.count("\n")


def test_memory_is_bounded_in_a_damaged_file(file: Path) -> None:
    with file.open("w") as out:
        out.write('id,text\n1,"a\n')
        out.writelines("no effusion, no pneumothorax\n" * 1000 for _ in range(100))
    assert file.stat().st_size > 2_500_000
    tracemalloc.start()
    try:
        with InputFile(file) as source:
            found = list(Rows(Lines(source), ",", 2, 0))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found) == 1
    assert peak < 60 * 2**20


def test_a_quote_in_the_second_row_of_real_reports_costs_that_row(data_dir: Path, tmp_path: Path) -> None:
    whole = data_dir / "reports" / "openi.csv"
    lines = whole.read_text(encoding="utf-8").split("\n")
    at = lines[1].index(",") + 1
    lines[1] = f'{lines[1][:at]}"{lines[1][at:]}'
    torn = tmp_path / "openi.csv"
    torn.write_text("\n".join(lines), encoding="utf-8", newline="")
    before = {r.item for r in open_source(whole) if isinstance(r.item, Note)}
    after = {r.item for r in open_source(torn) if isinstance(r.item, Note)}
    assert after < before
    assert len(before) - len(after) <= 2
