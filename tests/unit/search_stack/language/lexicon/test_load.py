"""All lexicon files together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from search_stack.language.lexicon.files import LexiconError
from search_stack.language.lexicon.load import load_lexicon

HEADER = "id,name,kind,parents\n"


def write(folder: Path, **files: str) -> None:
    for name, rows in files.items():
        (folder / f"{name}.csv").write_text(HEADER + rows)


def refused(folder: Path) -> list[str]:
    with pytest.raises(LexiconError) as error:
        load_lexicon(folder)
    assert error.value.remedy
    return error.value.message.replace(f"{folder}/", "").split("\n")


def test_the_shipped_files_are_sound_together() -> None:
    lexicon = load_lexicon(None)
    assert len(lexicon) >= 120 + 420
    assert lexicon.concepts["dextroscoliosis"]
    assert lexicon.concepts["type-2-diabetes-mellitus"]


def test_a_folder_that_is_not_there_adds_nothing(tmp_path: Path) -> None:
    assert load_lexicon(tmp_path / "none").digest == load_lexicon(None).digest


def test_own_concepts_join_the_shipped_ones(tmp_path: Path) -> None:
    write(tmp_path, one="quizzle,quizzle,disorder,pneumonia\n", two="quozzle,quozzle,disorder,quizzle\n")
    (tmp_path / "notes.txt").write_text("not a lexicon")
    (tmp_path / ".one.csv.7.draft").write_text("half written")
    lexicon = load_lexicon(tmp_path)
    assert len(lexicon) == len(load_lexicon(None)) + 2
    assert lexicon.ancestors("quozzle") == {"quizzle", "pneumonia", *lexicon.ancestors("pneumonia")}
    assert "quozzle" in lexicon.descendants("pneumonia")


def test_a_parent_may_be_called_by_any_of_its_names(tmp_path: Path) -> None:
    write(tmp_path, own="quizzle,quizzle,disorder,pulmonary-disease; heart attack\n")
    assert load_lexicon(tmp_path).concepts["quizzle"].parents == ("lung-disease", "myocardial-infarction")


def test_an_own_row_replaces_the_shipped_one(tmp_path: Path) -> None:
    write(tmp_path, own="pneumonia,lung inflammation,disorder,\n")
    lexicon = load_lexicon(tmp_path)
    assert len(lexicon) == len(load_lexicon(None))
    assert lexicon.concepts["pneumonia"].name == "lung inflammation"
    assert lexicon.concepts["pneumonia"].synonyms == ()
    assert "lobar-pneumonia" in lexicon.descendants("pneumonia")


def test_one_id_in_two_own_files_names_both_places(tmp_path: Path) -> None:
    write(tmp_path, one="x,ex,disorder,\nquizzle,quizzle,disorder,\n", two="quizzle,other,disorder,\n")
    assert refused(tmp_path) == ["two.csv:2: column id: quizzle is in one.csv:3 too"]


def test_a_parent_that_is_nowhere_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, own="a,ay,disorder,pneumonia\nquizzle,quizzle,disorder,nowhere\n")
    assert refused(tmp_path) == ['own.csv:3: column parents: there is no concept "nowhere"']


def test_a_loop_through_several_files_is_told_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        one="qa,qa,disorder,qb\nbelow,below,disorder,qa\n",
        two="qb,qb,disorder,qc\nqc,qc,disorder,qa;pneumonia\n",
    )
    (said,) = refused(tmp_path)
    assert re.fullmatch(r"(one|two)\.csv:[23]: column parents: (q[abc]) < q[abc] < q[abc] < \2 is a loop", said)


def test_every_loop_is_told(tmp_path: Path) -> None:
    write(tmp_path, own="qa,qa,disorder,qa\nqb,qb,disorder,qc\nqc,qc,disorder,qb\n")
    said = refused(tmp_path)
    assert len(said) == 2
    assert "own.csv:2: column parents: qa < qa is a loop" in said


def test_a_long_chain_of_parents_is_no_loop(tmp_path: Path) -> None:
    rows = "".join(f"q{n},q name {n},disorder,{f'q{n - 1}' if n else ''}\n" for n in range(5_000))
    write(tmp_path, own=rows)
    assert len(load_lexicon(tmp_path).ancestors("q4999")) == 4_999


def test_one_broken_file_refuses_all(tmp_path: Path) -> None:
    write(tmp_path, good="quizzle,quizzle,disorder,\n", bad="x,,disorder,\n")
    assert refused(tmp_path) == ["bad.csv:2: column name: is empty"]


def test_the_digest_follows_the_files(tmp_path: Path) -> None:
    before = load_lexicon(tmp_path).digest
    write(tmp_path, own="quizzle,quizzle,disorder,\n")
    one = load_lexicon(tmp_path).digest
    write(tmp_path, own="quizzle,quizzled,disorder,\n")
    assert len({before, one, load_lexicon(tmp_path).digest}) == 3
