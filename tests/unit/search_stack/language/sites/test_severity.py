"""How severe a note says that something is. The sentences are written for this test."""

from __future__ import annotations

import pytest

from search_stack.core.sites import GRADES
from search_stack.language.labeller import Labeller
from search_stack.language.sites import covering, denying, is_at, site_of
from tests.language import lexicon

SAID = {
    # Its own noun phrase.
    "Severe headache since yesterday.": {"headache": ("severe",)},
    "She has a severe left-sided headache.": {"headache": ("severe left",)},
    "Severe, unremitting headache.": {"headache": ("severe",)},
    "Mild bibasilar atelectasis.": {"basal atelectasis": ("mild bilateral lung base",)},
    "Minimal pleural effusion on the left.": {"pleural effusion": ("mild left",)},
    "Profound sensorineural hearing loss.": {"sensorineural hearing loss": ("severe",)},
    "Mildly displaced fracture.": {"displaced fracture": ("mild",)},
    "Markedly elevated creatinine.": {"elevated creatinine": ("severe",)},
    "No severe headache.": {"headache": ("severe",)},
    "Critical aortic stenosis.": {"aortic stenosis": ("severe",)},
    "Tricuspid valve: mild regurgitation.": {"regurgitation": ("mild",)},
    # Several, and from one on to another.
    "Moderate to severe aortic stenosis.": {"aortic stenosis": ("moderate", "severe")},
    "Mild-to-moderate right knee osteoarthritis.": {"knee osteoarthritis": ("mild right knee", "moderate right knee")},
    "Mild to severe aortic stenosis.": {"aortic stenosis": ("mild", "moderate", "severe")},
    "Moderately severe COPD.": {"chronic obstructive pulmonary disease": ("moderate", "severe")},
    # Behind it.
    "Headache, severe.": {"headache": ("severe",)},
    "Cough, mild, left knee pain.": {"cough": ("mild",), "knee pain": ("left knee",)},
    "The aortic stenosis is severe.": {"aortic stenosis": ("severe",)},
    "Stenosis at the left carotid is severe.": {"carotid stenosis": ("severe left carotid artery",)},
    "Aortic stenosis, which is quite severe by now.": {"aortic stenosis": ("severe",)},
    "Mitral regurgitation (moderate).": {"mitral regurgitation": ("moderate",)},
    "Mitral regurgitation - mild.": {"mitral regurgitation": ("mild",)},
    "Asthma severe persistent.": {"asthma": ("severe",)},
    "Headache of moderate intensity.": {"headache": ("moderate",)},
    "Mitral and tricuspid regurgitation are mild.": {
        "mitral regurgitation": ("mild",),
        "tricuspid regurgitation": ("mild",),
    },
    # One of each, and one of what shares its words.
    "Mild MR, moderate TR, severe AS.": {
        "mitral regurgitation": ("mild",),
        "tricuspid regurgitation": ("moderate",),
        "aortic stenosis": ("severe",),
    },
    "Moderate mitral and mild tricuspid regurgitation.": {
        "mitral regurgitation": ("moderate",),
        "tricuspid regurgitation": ("mild",),
    },
    "Mild mitral and tricuspid regurgitation.": {
        "mitral regurgitation": ("mild",),
        "tricuspid regurgitation": ("mild",),
    },
    # Another's.
    "Severe headache and nausea.": {"headache": ("severe",), "nausea": ()},
    "Severe asthma with cough.": {"asthma": ("severe",), "cough": ()},
    "Cough, mild fever.": {"cough": (), "fever": ("mild",)},
    "Severe COPD, fever, and cough.": {
        "chronic obstructive pulmonary disease": ("severe",),
        "fever": (),
        "cough": (),
    },
    "Severe pain. Fever.": {"fever": ()},
    "Severely ill with pneumonia.": {"pneumonia": ()},
    "Pneumonia severely limited her.": {"pneumonia": ()},
    "Severely tender headache.": {"headache": ()},
    "Moderate-sized pleural effusion.": {"pleural effusion": ()},
    # Clipped.
    "Echo: mod MR and sev TR.": {"mitral regurgitation": ("moderate",), "tricuspid regurgitation": ("severe",)},
    "Mild to mod asthma.": {"asthma": ("mild", "moderate")},
    "Modified asthma plan, several headaches.": {"asthma": (), "headache": ()},
    # No grade, or the name's own.
    "The headache is not severe.": {"headache": ()},
    "Cough, less severe than before.": {"cough": ()},
    "Non-severe pneumonia.": {"pneumonia": ()},
    "Severe preeclampsia.": {"severe preeclampsia": ()},
    "Critical pneumonia.": {"pneumonia": ()},
    # A drug is none.
    "Pain mild, severe ibuprofen.": {"pain": ("mild",), "ibuprofen": ()},
}


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(lexicon(), None)


@pytest.mark.parametrize("text", SAID)
def test_a_mention_is_as_severe_as_its_sentence_says(text: str, labeller: Labeller) -> None:
    found: dict[str, tuple[str, ...]] = {}
    for finding in labeller.label(text).findings:
        found.setdefault(finding.name, finding.sites)
    assert {name: found.get(name) for name in SAID[text]} == SAID[text]


def test_what_is_severe_somewhere_is_there_and_a_denial_of_it_denies_no_more() -> None:
    assert is_at(("severe left knee",), "left leg", denied=False)
    assert is_at(("severe left knee",), "severe leg", denied=False)
    assert is_at(("severe left knee",), "severe", denied=False)
    assert not is_at(("severe left knee",), "mild left knee", denied=False)
    assert not is_at(("mild left", "severe right"), "severe left", denied=False)
    assert is_at(("mild left", "severe right"), "bilateral", denied=False)
    assert not is_at(("mild left", "severe right"), "severe bilateral", denied=False)
    assert is_at((), "severe left", denied=True)
    assert is_at(("left",), "severe left", denied=True)
    assert is_at(("severe",), "severe left", denied=True)
    assert not is_at(("severe",), "left", denied=True)
    assert not is_at(("left",), "severe", denied=True)
    assert "" in covering(("severe",))
    assert denying("severe") == {"", "severe"}


def test_a_grade_is_a_site_with_or_without_a_place() -> None:
    assert [site_of(text) for text in (*GRADES, "Severe  left knees", "severe moon", "mild severe")] == [
        *GRADES,
        "severe left knee",
        None,
        None,
    ]
