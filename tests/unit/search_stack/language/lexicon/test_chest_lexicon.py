"""The shipped lexicon of chest radiograph reports: sound as a file, right on sentences."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Lexicon


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
