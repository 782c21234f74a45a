"""The component in real spaCy pipelines."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from aspectra.spacy_bench import bench_spacy
from aspectra.spacy_component import FINDINGS, SECTIONS, SpacyComponent
from search_stack.core.errors import AspectraError
from tests import language

ROOT = Path(__file__).resolve().parents[3]
NOTE = """HISTORY: Asthma since childhood.

FAMILY HISTORY: Mother with breast cancer.


FINDINGS: Heart size is normal. No pneumothorax. Small pleural and pericardial effusion. Possible pneumonia."""
RULES = [{"label": "SYNDROME", "pattern": "Quux syndrome"}, {"label": "AIR", "pattern": "pneumothorax"}]
OTHERS = "No Quux syndrome. No pneumothorax. Pneumonia in the left lung."


@cache
def pipeline(*, ruler: bool = False, **config: object) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    if ruler:
        nlp.add_pipe("entity_ruler").add_patterns(RULES)
    nlp.add_pipe("aspectra", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Language:
    return pipeline()


def component(nlp: Language) -> SpacyComponent:
    found = nlp.get_pipe("aspectra")
    assert isinstance(found, SpacyComponent)
    return found


def told(doc: Doc) -> list[Any]:
    """All that the component sets, as plain values."""
    findings = [
        (s.start, s.end, s.label_, s.kb_id_, s._.assertion, s._.temporality, s._.experiencer, s._.aspect)
        for s in doc.spans[FINDINGS]
    ]
    sections = [(s.start, s.end, s.label_) for s in doc.spans[SECTIONS]]
    ents = [(e.start, e.end, e.label_, e.kb_id_, e._.assertion) for e in doc.ents]
    return [*findings, *sections, *ents, *doc._.aspectra_entities, doc.spans[FINDINGS].attrs]


def said(doc: Doc, group: str = "") -> dict[str, str | None]:
    return {s.text: s._.assertion for s in (doc.spans[group] if group else doc.ents)}


def test_findings_are_those_of_the_labeller(nlp: Language) -> None:
    doc = nlp(NOTE)
    labeller = language.labeller()
    labels = labeller.label(NOTE)
    assert len(labels.findings) > 5
    spans = doc.spans[FINDINGS]
    assert [
        (s.start_char, s.end_char, s.label_, s.kb_id_, s._.aspectra_concept, *(s._.get(n) for n in FIELDS))
        for s in spans
    ] == [
        (f.begin, f.end, f.kind.upper(), f.concept, f.concept, *(getattr(f, n) for n in FIELDS))
        for f in labels.findings
    ]
    assert [s.label_ for s in doc.spans[SECTIONS]] == [s.aspect for s in labels.sections]
    assert [e["concept"] for e in doc._.aspectra_entities] == [e.concept for e in labels.entities]
    assert spans.attrs == {"labels": labeller.version}


FIELDS = ("assertion", "temporality", "experiencer", "status", "value", "unit", "sites")


def test_each_answer_and_aspect(nlp: Language) -> None:
    doc = nlp(NOTE)
    found = {s.kb_id_: (s._.assertion, s._.experiencer, s._.aspect) for s in doc.spans[FINDINGS]}
    assert found["breast-cancer"] == ("family", "family", "family history")
    assert found["pneumothorax"] == ("absent", "patient", "findings")
    assert found["cardiomegaly"] == ("absent", "patient", "findings")
    assert found["pneumonia"] == ("possible", "patient", "findings")
    assert found["pericardial-effusion"][0] == "present"


def test_the_status_of_a_drug(nlp: Language) -> None:
    doc = nlp("PLAN: Lisinopril was stopped. No pneumothorax.")
    assert {s.kb_id_: s._.status for s in doc.spans[FINDINGS]} == {"lisinopril": "stopped", "pneumothorax": ""}


def test_the_value_of_a_number(nlp: Language) -> None:
    doc = nlp("Admitted with a temperature of 39.2 C and cough.")
    found = {s.kb_id_: (s.text, s._.value, s._.unit) for s in doc.spans[FINDINGS]}
    assert found["fever"] == ("temperature of 39.2 C", 39.2, "c")
    assert found["cough"] == ("cough", None, "")


def test_what_no_finding_stands_on_says_nothing(nlp: Language) -> None:
    doc = nlp(NOTE)
    mother = next(t for t in doc if t.text == "Mother")
    span = doc[mother.i : mother.i + 1]
    assert (span._.assertion, span._.aspectra_concept, span._.aspect) == (None, None, "family history")
    assert nlp.make_doc(NOTE)[0:1]._.aspect == ""


def test_sections_neither_overlap_nor_hold_the_space_between(nlp: Language) -> None:
    doc = nlp(NOTE)
    sections = list(doc.spans[SECTIONS])
    assert len(sections) == 3
    assert all(a.end <= b.start for a, b in pairwise(sections))
    assert all(s.text == s.text.strip() for s in sections)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "Nothing here."])
def test_texts_without_findings(nlp: Language, text: str) -> None:
    doc = nlp(text)
    assert list(doc.spans[FINDINGS]) == []
    assert doc.ents == ()


# Offsets inside tokens.


def test_a_finding_inside_a_token_is_widened_to_it(nlp: Language) -> None:
    doc = nlp("No hip_fracture_xyz today.")
    (span,) = doc.spans[FINDINGS]
    assert (span.text, span._.assertion) == ("hip_fracture_xyz", "absent")
    (whole,) = span._.aspectra.values()
    assert doc.text[whole["begin"] : whole["end"]] == "hip_fracture"


def test_two_findings_of_the_same_tokens_keep_an_assertion_each(nlp: Language) -> None:
    # The tokenizer keeps what it takes for an address whole; the clause ends inside.
    text = "No pneumothorax,edema_but_pneumonia."
    doc = Doc(nlp.vocab, words=["No", "pneumothorax,edema_but_pneumonia."], spaces=[True, False])
    assert doc.text == text
    doc = component(nlp)(doc)
    assert {(s.start, s.end) for s in doc.spans[FINDINGS]} == {(1, 2)}
    by_labeller = {f.concept: f.assertion for f in component(nlp).labeller.label(text).findings}
    assert len(set(by_labeller.values())) > 1
    assert {s.kb_id_: s._.assertion for s in doc.spans[FINDINGS]} == by_labeller
    assert len(doc.ents) == 1


# doc.ents.


def test_overlapping_findings_stand_in_ents_by_the_longest(nlp: Language) -> None:
    doc = nlp(NOTE)
    assert "pericardial effusion" in said(doc, FINDINGS)
    assert "pericardial effusion" not in said(doc)
    assert "pleural and pericardial effusion" in said(doc)


def test_findings_fill_what_other_entities_leave_free() -> None:
    doc = pipeline(ruler=True)(OTHERS)
    assert [(e.text, e.label_, e._.assertion) for e in doc.ents] == [
        ("Quux syndrome", "SYNDROME", "absent"),
        ("pneumothorax", "AIR", "absent"),
        ("Pneumonia", "DISORDER", "present"),
    ]
    assert doc.ents[0]._.aspectra_concept == ""
    assert doc.ents[1]._.aspectra_concept == "pneumothorax"


def test_findings_replace_other_entities() -> None:
    doc = pipeline(ruler=True, ents="replace")(OTHERS)
    assert [(e.text, e.label_) for e in doc.ents] == [("pneumothorax", "DISORDER"), ("Pneumonia", "DISORDER")]


def test_entities_are_kept_as_they_are() -> None:
    doc = pipeline(ruler=True, ents="keep")(OTHERS)
    assert [(e.text, e.label_) for e in doc.ents] == [("Quux syndrome", "SYNDROME"), ("pneumothorax", "AIR")]
    assert "Pneumonia" in said(doc, FINDINGS)


def test_others_are_asserted_only_where_that_is_wanted() -> None:
    doc = pipeline(ruler=True, assert_others=False)(OTHERS)
    assert said(doc) == {"Quux syndrome": None, "pneumothorax": "absent", "Pneumonia": "present"}


def test_an_entity_that_the_lexicon_does_not_know_is_judged_by_its_place() -> None:
    nlp = pipeline(ruler=True)
    answers = ("absent", "possible", "family", "present")
    texts = ("No Quux syndrome.", "Possible Quux syndrome.", "Her mother had Quux syndrome.", "He has Quux syndrome.")
    assert tuple(nlp(t).ents[0]._.assertion for t in texts) == answers


def test_a_second_turn_says_the_same(nlp: Language) -> None:
    doc = nlp(NOTE)
    once = told(doc)
    assert told(component(nlp)(doc)) == once


def test_a_second_turn_forgets_what_the_first_said() -> None:
    nlp = pipeline(ruler=True)
    doc = nlp(OTHERS)
    assert said(doc)["Quux syndrome"] == "absent"
    assert said(component(pipeline(ruler=True, assert_others=False))(doc))["Quux syndrome"] is None


# Configuration.


def test_a_lexicon_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("id,name,kind\nquux,Quux syndrome,disorder\n", encoding="utf-8")
    doc = pipeline(lexicon=str(tmp_path))("No Quux syndrome.")
    assert [(e.kb_id_, e._.assertion) for e in doc.ents] == [("quux", "absent")]
    assert not pipeline()("No Quux syndrome.").ents


def test_a_lexicon_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="no folder"):
        pipeline(lexicon=str(tmp_path / "away"))


@pytest.mark.parametrize("config", [{"ents": "some"}, {"entities": "keep"}])
def test_a_wrong_configuration_is_refused(config: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="Config error"):
        pipeline(**config)


# Kept, and in several processes.


def test_a_pipeline_is_read_again(tmp_path: Path) -> None:
    nlp = pipeline(ruler=True, ents="replace")
    nlp.to_disk(tmp_path / "kept")
    again = spacy.load(tmp_path / "kept")
    assert component(again).ents == "replace"
    assert told(again(NOTE)) == told(nlp(NOTE))
    assert told(pipeline(ruler=True, ents="replace").from_bytes(nlp.to_bytes())(NOTE)) == told(nlp(NOTE))


def test_a_doc_is_read_again(nlp: Language) -> None:
    doc = nlp(NOTE)
    assert told(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == told(doc)
    (kept,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert told(kept) == told(doc)


@pytest.mark.filterwarnings("ignore:.W101:UserWarning")  # what a note is about is no part of a longer text's
def test_docs_that_are_joined_keep_what_is_said(nlp: Language) -> None:
    first, second = nlp("No pneumothorax."), nlp("Pneumonia.")
    joined = Doc.from_docs([first, second])
    assert said(joined) == {"pneumothorax": "absent", "Pneumonia": "present"}


def test_several_processes_say_what_one_says(nlp: Language) -> None:
    texts = [NOTE, "No pneumothorax.", OTHERS, NOTE]
    one = [told(d) for d in nlp.pipe(texts)]
    assert [told(d) for d in nlp.pipe(texts, n_process=2, batch_size=1)] == one


SPAWNED = """
import multiprocessing, spacy
import aspectra.spacy_component

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    nlp = spacy.blank("en")
    nlp.add_pipe("aspectra")
    for doc in nlp.pipe(["No pneumothorax.", "Possible pneumonia."], n_process=2, batch_size=1):
        print([(e.text, e._.assertion) for e in doc.ents])
"""


def python(script: Path, *paths: Path) -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*paths, ROOT)))}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_spawned_processes_say_it_too(tmp_path: Path) -> None:
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED, encoding="utf-8")
    assert python(script) == "[('pneumothorax', 'absent')]\n[('pneumonia', 'possible')]\n"


# As others find it.


def test_spacy_finds_it_by_the_entry_point_alone(tmp_path: Path) -> None:
    """The entry points of pyproject.toml as an installed package has them; nothing of ours is imported."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["spacy_factories"]
    info = tmp_path / "aspectra-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aspectra\nVersion: 0\n", encoding="utf-8")
    rows = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[spacy_factories]\n{rows}", encoding="utf-8")
    script = tmp_path / "found.py"
    script.write_text(
        "import spacy\nnlp = spacy.blank('en')\nnlp.add_pipe('aspectra')\n"
        "print([(e.text, e._.assertion) for e in nlp('No pneumothorax.').ents])\n",
        encoding="utf-8",
    )
    assert python(script, tmp_path) == "[('pneumothorax', 'absent')]\n"


def test_nothing_else_loads_spacy(tmp_path: Path) -> None:
    script = tmp_path / "loaded.py"
    script.write_text(
        "import sys\nimport aspectra.cli, ui, ingest.work, search_stack.language.labeller\n"
        "print('spacy' in sys.modules)\n",
        encoding="utf-8",
    )
    assert python(script) == "False\n"


def test_the_examples_of_the_page_run() -> None:
    page = (ROOT / "docs" / "spacy.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "spacy.md", None, None)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_measurement_counts_what_it_read() -> None:
    figures = bench_spacy([NOTE, OTHERS], None, 1)
    assert (figures["notes"], figures["characters"]) == (2, len(NOTE) + len(OTHERS))
    assert figures["notes_per_minute"] > 0
