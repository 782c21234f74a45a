"""`vocab import`, `list` and `check`, over real files in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.files import read_lexicon
from search_stack.language.lexicon.load import load_lexicon

Run = Callable[..., Result]
HEADER = "id,name,kind,parents\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "lexicons"


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(folder.parent))
    monkeypatch.delenv("ASPECTRA_LEXICON_DIR", raising=False)
    return lambda *arguments: CliRunner().invoke(main, ["vocab", *map(str, arguments)])


@pytest.fixture
def obo(tmp_path: Path) -> Path:
    file = tmp_path / "My Terms.obo"
    file.write_text(
        "format-version: 1.2\n\n[Term]\nid: X:1\nname: pneumonia\n\n"
        "[Term]\nid: X:2\nname: quizzle pneumonia\nis_a: X:1\n\n[Term]\nid: X:3\nname: gone\nis_obsolete: true\n"
    )
    return file


def contents(folder: Path) -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in folder.iterdir()} if folder.exists() else {}


def test_an_import_is_a_lexicon_file_of_the_folder(run: Run, obo: Path, folder: Path) -> None:
    done = run("import", obo, "--kind", "finding")
    assert done.exit_code == 0
    assert list(contents(folder)) == ["my-terms.csv"]
    (concept,) = read_lexicon(folder / "my-terms.csv")
    assert (concept.id, concept.name, concept.kind, concept.parents) == (
        "X:2",
        "quizzle pneumonia",
        "finding",
        ("pneumonia",),
    )
    assert "X:2" in load_lexicon(folder).descendants("pneumonia")
    said = done.output.replace("\n", " ")
    assert "1 concepts with 1 names" in said
    assert "1 obsolete left out." in said
    assert "1 left to the shipped concept of the same name." in said
    assert "aspectra reindex --labels-only" in said


def test_an_import_replaces_the_one_before(run: Run, obo: Path, folder: Path) -> None:
    for _ in range(2):
        assert run("import", obo, "--name", "mine").exit_code == 0
    assert list(contents(folder)) == ["mine.csv"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format-version: 1.2\n[Term]\nid: X:1\n", ":2: name: the term has none"),
        ("format-version: 1.2\n[Term]\nid: X 1\nname: x y z\n", ":2: id: "),
        (
            "format-version: 1.2\n[Term]\nid: X:1\nname: one\nis_a: X:2\n\n[Term]\nid: X:2\nname: two\nis_a: X:1\n",
            "column parents: X:",
        ),
        ("id,name,kind\na,one,thing\n", ":2: column kind"),
        ("id,name,kind,parents\na,one,drug,nowhere\n", ":2: column parents: there is no concept"),
        ("id,name,kind\nquozzle,one,drug\n", ":2: column id: quozzle is in "),
        ("code,term\nA1,12\n", "holds no concept that could be used"),
        ("code,term\nA1,one\nA2,\n", ":3: column name: is empty"),
    ],
)
def test_a_broken_import_leaves_everything_as_it_was(
    run: Run, folder: Path, tmp_path: Path, text: str, said: str
) -> None:
    folder.mkdir(parents=True)
    (folder / "mine.csv").write_text(HEADER + "quizzle,quizzle,disorder,\n")
    (folder / "other.csv").write_text(HEADER + "quozzle,quozzle,disorder,\n")
    before = contents(folder)
    broken = tmp_path / "broken.csv"
    broken.write_text(text)
    done = run("import", broken, "--name", "mine")
    assert done.exit_code == 1
    assert said in done.output.replace("\n", " ")
    assert "broken.csv" in done.output.replace("\n", "")
    assert contents(folder) == before


def test_a_lexicon_file_is_installed_as_it_is(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.csv"
    file.write_text(HEADER + "pneumonia,lung fever,disorder,\nother-pneumonia,pneumonia,finding,pneumonia\n")
    assert run("import", file, "--kind", "drug").exit_code == 0
    assert read_lexicon(folder / "ours.csv") == read_lexicon(file)
    assert load_lexicon(folder).concepts["pneumonia"].name == "lung fever"


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "", "a b"])
def test_a_name_cannot_lead_out_of_the_folder(run: Run, obo: Path, folder: Path, name: str) -> None:
    done = run("import", obo, "--name", name)
    if name:
        assert done.exit_code == 1
        assert "--name" in done.output
        assert contents(folder) == {}
    else:
        assert list(contents(folder)) == ["my-terms.csv"]


def test_a_file_that_is_not_there_is_an_error(run: Run, tmp_path: Path) -> None:
    done = run("import", tmp_path / "none.obo")
    assert done.exit_code == 1
    assert "cannot be read" in done.output.replace("\n", " ")


def test_list_shows_every_file(run: Run, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "mine.csv").write_text("id,name,kind,synonyms\nquizzle,quizzle,disorder,quozzle;quazzle\n")
    done = run("list")
    assert done.exit_code == 0
    rows = {row.split()[-3]: row.split()[-2:] for row in done.output.splitlines() if ".csv " in row}
    assert rows.keys() >= {"chest.csv", "general.csv"}
    assert rows["mine.csv"] == ["1", "3"]
    assert f"Your own files: {folder}" in done.output


def test_list_shows_a_broken_file_and_why(run: Run, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "bad.csv").write_text("id,name,kind\n,x,drug\n")
    done = run("list")
    assert done.exit_code == 1
    assert "cannot be used" in done.output
    assert "bad.csv:2: column id" in done.output


def test_check_installs_nothing(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(HEADER + "quizzle,quizzle,disorder,pneumonia\n")
    done = run("check", file)
    assert done.exit_code == 0
    assert "1 concepts with 1 names" in done.output
    assert contents(folder) == {}
    file.write_text(HEADER + "quizzle,quizzle,disorder,pnuemonia\n")
    done = run("check", file)
    assert done.exit_code == 1
    assert 'mine.csv:2: column parents: there is no concept "pnuemonia"' in done.output


def test_check_lets_a_file_take_the_place_of_its_old_self(run: Run, folder: Path, tmp_path: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "mine.csv").write_text(HEADER + "quizzle,quizzle,disorder,\n")
    (tmp_path / "mine.csv").write_text(HEADER + "quizzle,quizzle of old,disorder,\n")
    assert run("check", tmp_path / "mine.csv").exit_code == 0
    (tmp_path / "mine.csv").rename(tmp_path / "yours.csv")
    assert run("check", tmp_path / "yours.csv").exit_code == 1


def test_the_disease_ontology_is_imported_whole(run: Run, data_dir: Path, folder: Path) -> None:
    done = run("import", data_dir / "vocab" / "doid.obo")
    assert done.exit_code == 0
    said = done.output.replace("\n", " ")
    assert "2,373 obsolete left out." in said
    assert "458 broader or related left out." in said
    concepts = {c.id: c for c in read_lexicon(folder / "doid.csv")}
    shipped = load_lexicon(None)
    left_to_shipped = 9_344 - 2_373 - len(concepts)
    assert 200 < left_to_shipped < 2_000
    names = {folded(c.name) for c in shipped.concepts.values()}
    assert not [c.id for c in concepts.values() if folded(c.name) in names]
    arts = concepts["DOID:0050647"]
    told = ("Arts syndrome", ("Lethal ataxia with deafness and optic atrophy",), ("DOID:0050735",))
    assert (arts.name, arts.synonyms, arts.parents) == told
    lexicon = load_lexicon(folder)
    assert len(lexicon) == len(shipped) + len(concepts)
    # The shipped asthma stands in for the ontology's, and has its children.
    assert "DOID:2841" not in concepts
    assert {"DOID:9360", "DOID:9415"} <= lexicon.descendants("asthma")
