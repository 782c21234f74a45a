"""Words that may speak of what stands before them or of what follows."""

from __future__ import annotations

import pytest

from tests import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fever, negative blood cultures.", {"fever": "present", "bacteremia": "absent"}),
        ("Melena, a recent negative colonoscopy.", {"melena": "present", "colonoscopy": "present"}),
        ("Fever and negative blood cultures were noted.", {"fever": "present", "bacteremia": "absent"}),
        ("Stroke - negative CT head.", {"stroke": "present", "ct of the head": "present"}),
        ("Strep negative, fever.", {"streptococcus": "absent", "fever": "present"}),
        ("Fever, cough, negative.", {"fever": "present", "cough": "absent"}),
        ("Fever, unlikely given the lymphopenia.", {"fever": "absent"}),
        ("Fever, unlikely sepsis.", {"fever": "present", "sepsis": "absent"}),
        ("Asthma, resolved pneumonia.", {"asthma": "present", "pneumonia": "historical"}),
        ("Sepsis blood cultures negative.", {"sepsis": "present", "bacteremia": "absent"}),
        ("Fever and cough negative.", {"fever": "absent", "cough": "absent"}),
        ("Breast cancer HER2 negative.", {"breast cancer": "present"}),
        # What is negative is the marker, not the disease.
        ("HER2 negative breast cancer.", {"breast cancer": "present"}),
        ("Smear-negative tuberculosis.", {"tuberculosis": "present"}),
        ("HIV-negative pneumonia.", {"human immunodeficiency virus infection": "absent", "pneumonia": "present"}),
        # Nil speaks of what stands before it; and what is said to be there ends a denial.
        ("Chest pain nil, calf tenderness nil, cough.", {"chest pain": "absent", "cough": "present"}),
        ("Nil fever, nil cough.", {"fever": "absent", "cough": "absent"}),
        ("Denies cough, foley catheter intact.", {"cough": "absent", "urinary catheter": "present"}),
        ("No fever, blood cultures positive.", {"fever": "absent", "bacteremia": "present"}),
        ("No fever, cough or chills confirmed.", {"fever": "absent", "cough": "absent", "chills": "absent"}),
        # A picture that shows what is possible was taken.
        ("Possible pneumonia on chest x-ray.", {"pneumonia": "possible", "chest x ray": "present"}),
        ("Questionable nodule by CT.", {"nodule": "possible", "computed tomography": "present"}),
    ],
)
def test_each_speaks_of_its_own(text: str, expected: dict[str, str]) -> None:
    found = {f.name: f.assertion for f in language.rules().label(text).findings}
    assert {name: found.get(name) for name in expected} == expected
