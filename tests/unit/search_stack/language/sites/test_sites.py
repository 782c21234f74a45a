"""Where in the body a note says that something is. The sentences are written for this test."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.sites import covering, denying, groups, is_at, site_of
from search_stack.language.sites.table import parts, wider
from tests.language import lexicon

SAID = {
    # Its own noun phrase.
    "There is a small left pleural effusion.": {"pleural effusion": ("left",)},
    "Moderate right and small left pleural effusion.": {"pleural effusion": ("bilateral",)},
    "Small bibasilar effusions.": {"pleural effusion": ("bilateral lung base",)},
    "Right lower lobe pneumonia and left pleural effusion.": {
        "pneumonia": ("right lower lobe",),
        "pleural effusion": ("left",),
    },
    "Opacities in the right upper and lower lobes.": {"opacity": ("right upper lobe", "right lower lobe")},
    "LLL consolidation, R hip fracture.": {"consolidation": ("left lower lobe",), "hip fracture": ("right hip",)},
    "A left 2.5 cm adnexal mass.": {"pelvic mass": ("left adnexa",)},
    "Right hand dominant man with left knee pain.": {"knee pain": ("left knee",)},
    # Between its words.
    "A calcified left granuloma.": {"calcified granuloma": ("left",)},
    "Calcified lingular pulmonary granuloma.": {"calcified granuloma": ("left lingula", "lung")},
    "There is a layering right pleural effusion.": {"pleural effusion": ("right",)},
    "Pleural and left pericardial effusion.": {"pleural effusion": ()},
    "Incarcerated inguinal hernia.": {"incarcerated hernia": (), "inguinal hernia": ("groin",)},
    # Behind it.
    "Nodules in the right upper lobe and left lower lobe.": {
        "pulmonary nodule": ("right upper lobe", "left lower lobe")
    },
    "Nodule in the right upper lobe, left lower lobe pneumonia.": {"pulmonary nodule": ("right upper lobe",)},
    "Cellulitis of the left lower extremity.": {"cellulitis": ("left leg",)},
    "A nodule measuring 5 mm is seen in the right upper lobe.": {"pulmonary nodule": ("right upper lobe",)},
    "DVT in the left common femoral vein and the popliteal vein.": {
        "femoral vein thrombosis": ("left femoral vein", "left popliteal vein")
    },
    "Hip fracture, left.": {"hip fracture": ("left hip",)},
    "Knee pain (R).": {"knee pain": ("right knee",)},
    "Renal mass on the left.": {"renal mass": ("left kidney",)},
    "Left-sided pain in the knee.": {"knee pain": ("left knee",)},
    "Calcification in both kidneys.": {"calcification": ("bilateral kidney",)},
    "A burn of the left hand.": {"burn injury": ("left hand",)},
    # What leads the clause.
    "Left knee: tenderness, no crepitus.": {"tenderness": ("left knee",), "crepitus": ("left knee",)},
    "The right lower lobe shows consolidation.": {"consolidation": ("right lower lobe",)},
    "No pneumothorax on the left; a small pneumothorax on the right.": {"pneumothorax": ("left",)},
    # What is another's, or no side.
    "Cough, left knee pain.": {"cough": (), "knee pain": ("left knee",)},
    "Pulmonary embolism and pneumonia.": {"pneumonia": ()},
    "Chest pain radiating to the left arm.": {"radiating pain": ("left arm",)},
    "Left hip fracture, hypertension.": {"hypertension": ()},
    "Left hip fracture with pneumonia.": {"pneumonia": ()},
    "She left the hospital with pneumonia.": {"pneumonia": ()},
    "Right now he has pneumonia.": {"pneumonia": ()},
    "The left lung is clear. There is pneumonia.": {"pneumonia": ()},
    "The patient has both asthma and pneumonia.": {"asthma": (), "pneumonia": ()},
    # A drug is nowhere.
    "Left knee pain treated with ibuprofen.": {"ibuprofen": ()},
}


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(lexicon(), None)


@pytest.mark.parametrize("text", SAID)
def test_a_mention_is_where_its_sentence_says(text: str, labeller: Labeller) -> None:
    found: dict[str, tuple[str, ...]] = {}
    for finding in labeller.label(text).findings:
        found.setdefault(finding.name, finding.sites)
    assert {name: found.get(name) for name in SAID[text]} == SAID[text]


def test_a_heading_says_it_of_what_stands_below(labeller: Labeller) -> None:
    text = "LEFT KNEE:\nMild tenderness. Crepitus of the right ankle.\n\nASSESSMENT:\nPneumonia.\n"
    assert [(f.name, f.sites) for f in labeller.label(text).findings] == [
        ("tenderness", ("mild left knee",)),
        ("crepitus", ("right ankle",)),
        ("pneumonia", ()),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("left or right knee", ["left knee", "right knee"]),
        ("left and right knees", ["bilateral knee"]),
        ("both knees", ["bilateral knee"]),
        ("both feet, the calves, axillae and menisci", ["bilateral foot", "calf", "axilla", "meniscus"]),
        ("both", []),
        ("L4 and an L spine film", ["lumbar spine"]),
        ("left to right shunt, all right", []),
        ("the catheter was left in place, left-handed", []),
        ("R > L", []),
        ("LEs, less so", ["leg"]),
        ("right > left", ["bilateral"]),
        ("frontal view", []),
        ("RT to the chest", ["chest"]),
    ],
)
def test_sides_go_with_their_parts(text: str, told: list[str]) -> None:
    assert [g.site for g in groups(text, 0, len(text))] == told


def test_what_is_said_of_a_site_holds_for_what_it_lies_in_and_a_denial_for_what_lies_in_it() -> None:
    assert is_at(("left lower lobe",), "left lung", denied=False)
    assert not is_at(("left lung",), "left lower lobe", denied=False)
    assert is_at(("left lung",), "left lower lobe", denied=True)
    assert not is_at(("left lower lobe",), "left lung", denied=True)
    assert is_at((), "left", denied=True)
    assert not is_at((), "left", denied=False)
    assert is_at(("bilateral",), "left", denied=False)
    assert is_at(("left knee", "right knee"), "bilateral leg", denied=False)
    assert not is_at(("left",), "bilateral", denied=False)
    assert "" not in covering(("left knee",))
    assert "" in denying("left knee")


def test_every_part_lies_in_one_that_is_there_and_has_names_of_its_own() -> None:
    called = [name.lower() for name in parts()]
    assert len(called) == len(set(called))
    assert {part for name in parts().values() for part in wider(name)} <= set(parts().values())
    assert all(site_of(name) == part for name, part in parts().items())
    assert [site_of(text) for text in ("LEFT  knees", "rul", "bilateral", "left anterior descending", "moon", "")] == [
        "left knee",
        "right upper lobe",
        "bilateral",
        "LAD",
        None,
        None,
    ]
