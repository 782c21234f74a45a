"""The shipped lexicon of chest radiograph reports: sound as a file, right on sentences."""

from __future__ import annotations

from collections import Counter
from importlib.resources import as_file, files

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Concept, Lexicon, folded
from search_stack.language.lexicon.files import read_lexicon
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.lexicon.matcher import Matcher

FEWEST = 120


@pytest.fixture(scope="module")
def concepts() -> list[Concept]:
    with as_file(files("search_stack.language.lexicon") / "data" / "chest.csv") as file:
        return read_lexicon(file)


@pytest.fixture(scope="module")
def lexicon(concepts: list[Concept]) -> Lexicon:
    return Lexicon(concepts)


@pytest.fixture(scope="module")
def labeller(lexicon: Lexicon) -> Labeller:
    return Labeller(lexicon, None)


def test_it_holds_what_a_report_of_the_chest_says(concepts: list[Concept]) -> None:
    findings = [c for c in concepts if c.kind in ("finding", "disorder")]
    assert len(findings) >= FEWEST
    assert {c.kind for c in concepts} >= {"finding", "disorder", "device", "procedure", "anatomy"}


def test_every_parent_is_there_and_none_is_its_own_ancestor(concepts: list[Concept]) -> None:
    lexicon = load_lexicon(None)
    assert [(c.id, p) for c in concepts for p in c.parents if p not in lexicon.concepts] == []
    assert [c.id for c in concepts for p in c.parents if p == c.id or c.id in lexicon.ancestors(p)] == []


def test_no_name_stands_for_two_concepts(concepts: list[Concept]) -> None:
    names = [(folded(n), c.id) for c in concepts for n in (c.name, *c.synonyms, *c.abbreviations)]
    holders = Counter(name for name, _ in set(names))
    assert [n for n in names if holders[n[0]] > 1] == []


def test_no_concept_lists_a_phrase_twice(concepts: list[Concept]) -> None:
    for c in concepts:
        for phrases in ((c.name, *c.synonyms), c.exclusions, c.denials):
            twice = [p for p, n in Counter(map(folded, phrases)).items() if n > 1]
            assert (c.id, twice) == (c.id, [])


def test_every_name_is_found(concepts: list[Concept], lexicon: Lexicon) -> None:
    matcher = Matcher(lexicon)
    lost = []
    for c in concepts:
        for name in (c.name, *c.synonyms, *c.abbreviations):
            found = {m.concept for m in matcher.mentions(name, 0, len(name)) if not m.denial}
            # A name that belongs to a child as well may stand for the child.
            if not found & {c.id, *lexicon.descendants(c.id)}:
                lost.append((c.id, name))
    assert lost == []


def test_every_denial_is_found_as_one(concepts: list[Concept], lexicon: Lexicon) -> None:
    matcher = Matcher(lexicon)
    lost = []
    for c in concepts:
        for phrase in c.denials:
            found = [m for m in matcher.mentions(phrase, 0, len(phrase)) if m.concept == c.id]
            if not found or not all(m.denial for m in found):
                lost.append((c.id, phrase))
    assert lost == []


def test_no_exclusion_names_its_concept(concepts: list[Concept], lexicon: Lexicon) -> None:
    matcher = Matcher(lexicon)
    named = [
        (c.id, phrase)
        for c in concepts
        for phrase in c.exclusions
        if c.id in {m.concept for m in matcher.mentions(phrase, 0, len(phrase))}
    ]
    assert named == []


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("dextroscoliosis", "scoliosis"),
        ("levoscoliosis", "spinal-curvature"),
        ("kyphoscoliosis", "kyphosis"),
        ("calcified-granuloma", "granuloma"),
        ("calcified-nodule", "calcification"),
        ("rib-fracture", "fracture"),
        ("interstitial-edema", "pulmonary-edema"),
        ("hydropneumothorax", "pleural-effusion"),
        ("hydropneumothorax", "pneumothorax"),
        ("picc-line", "central-venous-catheter"),
        ("hiatal-hernia", "diaphragmatic-hernia"),
    ],
)
def test_a_parent_has_its_children(lexicon: Lexicon, child: str, parent: str) -> None:
    assert child in lexicon.descendants(parent)


SENTENCES = [
    ("A moderate left pleural effusion has formed since Monday.", "pleural-effusion", "present"),
    ("Neither pneumothorax nor effusion is seen.", "pleural-effusion", "absent"),
    ("The costophrenic angles are sharp.", "pleural-effusion", "absent"),
    ("Small bilateral effusions persist.", "pleural-effusion", "present"),
    ("Possible small right effusion.", "pleural-effusion", "possible"),
    ("The heart is moderately enlarged.", "cardiomegaly", "present"),
    ("Stable enlargement of the cardiac silhouette.", "cardiomegaly", "present"),
    ("The heart is not enlarged.", "cardiomegaly", "absent"),
    ("Heart size is normal.", "cardiomegaly", "absent"),
    ("The cardiomediastinal silhouette is within normal limits.", "cardiomegaly", "absent"),
    ("The heart size is borderline.", "borderline-cardiomegaly", "present"),
    ("Hazy opacities at both bases.", "opacity", "present"),
    ("The lungs are grossly clear.", "opacity", "absent"),
    ("No focal opacity.", "opacity", "absent"),
    ("Nodular opacity beside the left hilum.", "nodular-opacity", "present"),
    ("The lungs are clear.", "consolidation", "absent"),
    ("Dense consolidation fills the lingula.", "consolidation", "present"),
    ("No airspace disease.", "airspace-disease", "absent"),
    ("Patchy air space disease on the right.", "airspace-disease", "present"),
    ("Infiltrates cannot be excluded at the left base.", "infiltrate", "possible"),
    ("Linear atelectasis crosses the right base.", "subsegmental-atelectasis", "present"),
    ("Atelectatic changes behind the heart.", "atelectasis", "present"),
    ("The right upper lobe has collapsed; lobar collapse is new.", "lobar-collapse", "present"),
    ("A solitary pulmonary nodule of 8 mm lies in the lingula.", "pulmonary-nodule", "present"),
    ("There is a nodule in the left upper lobe.", "pulmonary-nodule", "present"),
    ("No suspicious nodules.", "nodule", "absent"),
    ("Calcified nodule at the right apex.", "calcified-nodule", "present"),
    ("Two calcified granulomas are again noted.", "calcified-granuloma", "present"),
    ("Sequela of granulomatous disease.", "granulomatous-disease", "present"),
    ("Calcified hilar lymph nodes on the left.", "calcified-lymph-node", "present"),
    ("The aortic arch is calcified.", "aortic-calcification", "present"),
    ("Atherosclerotic calcification of the aorta.", "atherosclerosis", "present"),
    ("The thoracic aorta is tortuous.", "tortuous-aorta", "present"),
    ("Biapical scarring, unchanged.", "apical-scarring", "present"),
    ("Probable scar in the lingula.", "scarring", "possible"),
    ("Mild rightward curvature of the spine.", "dextroscoliosis", "present"),
    ("Thoracic levoscoliosis.", "levoscoliosis", "present"),
    ("Exaggerated thoracic kyphosis.", "kyphosis", "present"),
    ("Anterior osteophytes at several levels.", "osteophyte", "present"),
    ("Bridging osteophytes of the lower thoracic spine.", "bridging-osteophyte", "present"),
    ("Thoracic spondylosis.", "spondylosis", "present"),
    ("Degenerative changes are present in the thoracic spine.", "degenerative-spine", "present"),
    ("Fracture of the left seventh rib.", "rib-fracture", "present"),
    ("No acute fracture or dislocation.", "fracture", "absent"),
    ("Compression fracture of a midthoracic vertebral body.", "vertebral-fracture", "present"),
    ("Pulmonary vascular congestion has worsened.", "pulmonary-vascular-congestion", "present"),
    ("The pulmonary vasculature is engorged.", "pulmonary-vascular-congestion", "present"),
    ("Pulmonary vascularity is normal.", "pulmonary-vascular-congestion", "absent"),
    ("Pulmonary vascularity is increased.", "prominent-pulmonary-vasculature", "present"),
    ("Mild interstitial edema.", "interstitial-edema", "present"),
    ("No overt pulmonary edema.", "pulmonary-edema", "absent"),
    ("A large hiatal hernia contains the stomach.", "hiatal-hernia", "present"),
    ("Emphysematous changes in both upper lobes.", "emphysema", "present"),
    ("Subcutaneous emphysema tracks along the left chest wall.", "subcutaneous-emphysema", "present"),
    ("Left lower lobe pneumonia.", "pneumonia", "present"),
    ("Lobar pneumonia.", "lobar-pneumonia", "present"),
    ("No evidence of pneumonia.", "pneumonia", "absent"),
    ("There is no pneumothorax.", "pneumothorax", "absent"),
    ("Tiny apical pneumothorax remains on the right.", "pneumothorax", "present"),
    ("The lungs are hyperexpanded.", "hyperinflation", "present"),
    ("Lung volumes are low.", "low-lung-volumes", "present"),
    ("Elevation of the right hemidiaphragm.", "elevated-diaphragm", "present"),
    ("The endotracheal tube ends above the carina.", "endotracheal-tube", "present"),
    ("A right PICC is in place.", "picc-line", "present"),
    ("Median sternotomy wires are intact.", "sternotomy-wires", "present"),
    ("Follow-up film if pneumothorax is suspected.", "pneumothorax", "hypothetical"),
]


@pytest.mark.parametrize(("sentence", "concept", "assertion"), SENTENCES)
def test_a_sentence_says_what_it_says(labeller: Labeller, sentence: str, concept: str, assertion: str) -> None:
    said = [(f.concept, f.assertion) for f in labeller.label(sentence).findings if f.concept == concept]
    assert set(said) == {(concept, assertion)}


@pytest.mark.parametrize(
    ("sentence", "concept"),
    [
        ("The left hemithorax is small.", "hemothorax"),
        ("Subcutaneous emphysema in the neck.", "emphysema"),
        ("Moderate pericardial effusion.", "pleural-effusion"),
        ("A joint effusion of the left knee.", "pleural-effusion"),
        ("Pneumothorax protocol films.", "pneumothorax"),
        ("Nasal congestion for a week.", "pulmonary-vascular-congestion"),
        ("Nodular opacity at the left base.", "nodule"),
        ("Atherosclerotic calcification of the aorta.", "calcification"),
        ("Normal bone density.", "density"),
        ("Heart size at the upper limit of normal.", "cardiomegaly"),
    ],
)
def test_a_look_alike_is_not_taken_for_it(labeller: Labeller, lexicon: Lexicon, sentence: str, concept: str) -> None:
    family = {concept, *lexicon.descendants(concept)}
    assert family.isdisjoint(f.concept for f in labeller.label(sentence).findings)
