"""Numbers that notes tell of what they name."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from itertools import chain

import pytest

from search_stack.core.amounts import Amount
from search_stack.language.amounts import scaled
from tests import language

Told = dict[str, list[tuple[float | None, float | None, str]]]


def one(number: float, unit: str = "") -> list[tuple[float | None, float | None, str]]:
    return [(number, number, unit)]


BEHIND: list[tuple[str, Told]] = [
    ("O2 sat on room air is 92%.", {"oxygen saturation": one(92.0, "%")}),
    ("Magnesium was significantly low at 1.1.", {"hypomagnesemia": one(1.1)}),
    (
        "BUN 40, creatinine was 3.4, potassium 5.1.",
        {"creatinine measurement": one(3.4), "potassium measurement": one(5.1)},
    ),
    ("Creatinine    1.2   mg/dL", {"creatinine measurement": one(1.2, "mg/dl")}),
    ("Hb nadir 7.4, not transfused.", {"hemoglobin measurement": one(7.4)}),
    ("Troponin peak 480.", {"troponin measurement": one(480.0)}),
    ("Creatinine on 4/12 was 2.1.", {"creatinine measurement": one(2.1)}),
    ("Glucose 131 mg/dL (70-100).", {"glucose measurement": one(131.0, "mg/dl")}),
    ("EF is estimated at 20-25%.", {"ejection fraction": [(20.0, 25.0, "%")]}),
    ("Creatinine between 3.2 and 4.", {"creatinine measurement": [(3.2, 4.0, "")]}),
    ("Hgb 7.2 and 2 units given.", {"hemoglobin measurement": one(7.2)}),
    ("CREATININE: Now 4.4.", {"creatinine measurement": one(4.4)}),
    ("ESTIMATED BLOOD LOSS: 1,500 mL.", {"estimated blood loss": one(1500.0, "ml")}),
    ("Gleason 4+3=7.", {"gleason score": one(7.0)}),
    ("MMSE 24/30.", {"mini mental state examination": one(24.0)}),
    ("Pain 8/10.", {"pain": one(8.0)}),
    ("Fever up to 39.5.", {"fever": one(39.5)}),
    ("Nodule in the right lower lobe measuring approximately 8 mm.", {"pulmonary nodule": one(8.0, "mm")}),
    ("Kidney stone of 2 cm.", {"kidney stone": one(20.0, "mm")}),
    ("A wound 3 x 4.5 x 2 cm.", {"wound": one(45.0, "mm")}),
    ("LVEF < 30%.", {"ejection fraction": [(None, 30.0, "%")]}),
    ("Troponin less than 0.01", {"troponin measurement": [(None, 0.01, "")]}),
]
BEFORE: list[tuple[str, Told]] = [
    (
        "A 5.2-cm infrarenal abdominal aortic aneurysm was seen.",
        {"infrarenal aortic aneurysm": one(52.0, "mm")},
    ),
    ("90% proximal RCA stenosis.", {"narrowing": one(90.0, "%")}),
    ("500 cc of blood loss.", {"bleeding": one(500.0, "ml")}),
    (
        "There is an 8 mm nodule in the right lower lobe and a mass measuring 3.2 x 2.1 cm.",
        {"pulmonary nodule": one(8.0, "mm"), "lung mass": one(32.0, "mm")},
    ),
]
SEVERAL: list[tuple[str, Told]] = [
    ("BUN/creatinine 45/3.2.", {"blood urea nitrogen": one(45.0), "creatinine measurement": one(3.2)}),
    (
        "AST and ALT of 120 and 95.",
        {"aspartate aminotransferase": one(120.0), "alanine aminotransferase": one(95.0)},
    ),
    ("Creatinine increased from 1.4 to 4.1.", {"elevated creatinine": [*one(1.4), *one(4.1)]}),
    ("The nodule has grown from 11 to 18 mm.", {"nodule": [*one(11.0, "mm"), *one(18.0, "mm")]}),
    ("Hematocrit fell to 21.", {"hematocrit": one(21.0)}),
    ("Hyponatremia of 121.", {"hyponatremia": one(121.0)}),
    ("Thrombocytopenia (42).", {"thrombocytopenia": one(42_000.0)}),
    ("Hemoglobin dropped from 9.8 to 7.1.", {"hemoglobin measurement": [*one(7.1), *one(9.8)]}),
    ("Hemoglobin 9.8 --> 7.1.", {"hemoglobin measurement": [*one(7.1), *one(9.8)]}),
]
OTHER_SCALES: list[tuple[str, Told]] = [
    ("Platelets 42.", {"platelet count": one(42_000.0)}),
    ("Platelet count of 98,000.", {"platelet count": one(98_000.0)}),
    ("WBC 18.4.", {"white blood cell count": one(18_400.0)}),
    ("Ejection fraction 0.25.", {"ejection fraction": one(25.0)}),
    ("Fever of 102.2 at home.", {"fever": one(39.0)}),
    ("Creatinine 265.", {"creatinine measurement": one(2.9971)}),
    ("Hemoglobin 71.", {"hemoglobin measurement": one(7.1)}),
    ("Neutropenia 0.4.", {"neutropenia": one(400.0)}),
]
VITAL: list[tuple[str, Told]] = [
    (
        "BP 180/110, pulse 92, respirations 18, temp 38.9, WT: 82 kg.",
        {
            "blood pressure": one(180.0),
            "diastolic blood pressure": one(110.0),
            "heart rate": one(92.0),
            "respiratory rate": one(18.0),
            "body temperature": one(38.9),
            "body weight": one(82_000.0, "g"),
        },
    ),
    ("Temperature 101.3 F.", {"body temperature": one(38.5)}),
    ("Hypotensive at 80/40.", {"hypotension": one(80.0)}),
    ("Hypertension 180/110.", {"hypertension": one(180.0), "diastolic blood pressure": one(110.0)}),
    ("Tachypnea at 32.", {"tachypnea": one(32.0)}),
    ("Lactic acidosis (5.2).", {"lactic acidosis": one(5.2)}),
    ("The pulse oximetry 98%.", {"oxygen saturation": one(98.0, "%")}),
]
UNITS_OF_THEIR_OWN: list[tuple[str, Told]] = [
    ("He has 30 pack-years.", {"tobacco use": one(30.0, "pack-years")}),
    ("She is 34 weeks pregnant.", {"pregnancy": one(34.0)}),
    ("At 34+2 weeks gestation.", {"gestational age": one(34.0)}),
    ("Gestational age of 31 weeks.", {"gestational age": one(31.0)}),
    ("Diastolic BP 98.", {"diastolic blood pressure": one(98.0)}),
    ("T-score of -2.7.", {"bone density": one(-2.7)}),
    ("T-score 1.2.", {"bone density": one(1.2)}),
    ("RASS -3.", {"rass score": one(-3.0)}),
    ("Base excess -8.", {"base deficit": one(-8.0)}),
]
NONE: list[tuple[str, Told]] = [
    ("Creatinine 45/32.", {"creatinine measurement": []}),
    ("Creatinine was seen after 4 days.", {"creatinine measurement": []}),
    ("Creatinine on 4/12 was normal.", {"creatinine measurement": []}),
    ("Creatinine pending, potassium 5.1.", {"creatinine measurement": []}),
    ("Fever for 3 days.", {"fever": []}),
    ("Lactate drawn at 10:30.", {"lactate measurement": []}),
    ("GCS 7T.", {"glasgow coma scale": []}),
    ("Metformin 500 mg.", {"metformin": []}),
    ("The pelvis was irrigated with 500 cc of water.", {"irrigation": []}),
    ("Chest tube 3 cm deep to a mass.", {"mass": []}),
    ("There was a 3 cm scar and a mass.", {"mass": []}),
    ("Creatinine 1 day ago.", {"creatinine measurement": []}),
    ("Pneumonia 2.", {"pneumonia": []}),
    ("1. Hypertension 2. Gout.", {"hypertension": []}),
    ("BUN and creatinine 45.", {"blood urea nitrogen": []}),
    ("Smoked 1 pack per day.", {"tobacco use": []}),
    ("Creatinine 34 weeks.", {"creatinine measurement": []}),
    ("Creatinine -2.7.", {"creatinine measurement": []}),
]


@pytest.mark.parametrize(
    ("text", "told"),
    [*BEHIND, *BEFORE, *SEVERAL, *OTHER_SCALES, *VITAL, *UNITS_OF_THEIR_OWN, *NONE],
    ids=lambda v: str(v)[:50],
)
def test_a_number_is_told_of_the_name_beside_it(text: str, told: Told) -> None:
    found = {f.name: [(a.least, a.most, a.unit) for a in f.amounts] for f in language.rules().label(text).findings}
    assert {name: found.get(name) for name in told} == told


def test_less_than_leaves_the_number_itself_out() -> None:
    found = {f.name: f.amounts for f in language.rules().label("No nodule > 1 cm. EF at least 50%.").findings}
    assert found["nodule"] == (Amount(10.0, None, "mm", beyond=True),)
    assert found["ejection fraction"] == (Amount(50.0, None, "%"),)


@pytest.mark.parametrize(
    "text", ["Pulse is regular.", "Temperature was taken.", "Weight stable.", "Weight loss of 18 pounds."]
)
def test_a_vital_sign_without_a_number_is_no_mention(text: str) -> None:
    assert not [f for f in language.rules().label(text).findings if f.kind == "vital sign"]


def test_what_learnt_from_notes_is_not_asked_of_a_vital_sign() -> None:
    found = language.labeller().label("VITAL SIGNS: BP 118/76, HR 80, temp 36.8.").findings
    assert [(f.name, f.assertion) for f in found if f.kind == "vital sign"] == [
        ("blood pressure", "present"),
        ("diastolic blood pressure", "present"),
        ("heart rate", "present"),
        ("body temperature", "present"),
    ]


def test_a_scale_leaves_what_is_in_the_usual_unit() -> None:
    for concept, amount in (
        ("fever", Amount(39.0, 39.0)),
        ("platelet-count", Amount(42_000.0, None)),
        ("albumin-measurement", Amount(3.1, 3.1)),
        ("neutrophil-count", Amount(1_500.0, None)),
        ("hemoglobin-a1c", Amount(9.0, 9.0)),
        ("bilirubin-measurement", Amount(12.0, None)),
        ("calcium-measurement", Amount(11.0, 11.0)),
        ("triglycerides", Amount(300.0, 300.0)),
    ):
        assert scaled(concept, amount) == amount


@pytest.mark.parametrize(
    ("concept", "told", "usual"),
    [
        ("albumin-measurement", 21, 2.1),
        ("neutrophil-count", 0.5, 500),
        ("hemoglobin-a1c", 75, 9.0125),
        ("bilirubin-measurement", 180, 10.53),
        ("calcium-measurement", 3.1, 12.4248),
        ("triglycerides", 12, 1062.84),
    ],
)
def test_units_of_other_countries_are_told_by_the_number_alone(concept: str, told: float, usual: float) -> None:
    assert scaled(concept, Amount(told, told)) == Amount(usual, usual)


@pytest.mark.parametrize("text", ["creatinine 7 8 9 - " * 5_000, "3 cm " * 20_000, "creatinine   " * 20_000 + "3"])
def test_a_long_line_of_numbers_is_read_in_one_pass(text: str) -> None:
    """Of a line twice as long in twice the time; one that is read anew for each name takes minutes."""
    language.rules().label(text)


TABLE = tomllib.loads((files("search_stack.language") / "amounts.toml").read_text(encoding="utf-8"))


def told_of(text: str, name: str) -> list[float | None]:
    """The least of each amount of what ``name`` names, whatever the concept."""
    found = language.rules().label(text).findings
    return [a.least for f in found if name in text[f.begin : f.end] for a in f.amounts]


@pytest.mark.parametrize("word", TABLE["joins"])
def test_what_joins_a_name_to_its_number(word: str) -> None:
    assert 128.0 in told_of(f"Chloride {word} 128.", "Chloride")
    assert not told_of(f"Chloride {word} pending 128.", "Chloride")


@pytest.mark.parametrize("word", TABLE["wished"])
def test_a_number_to_be_reached_is_none(word: str) -> None:
    assert not told_of(f"{word} BP 148/98.", "BP")
    assert told_of("Good BP 128/72.", "BP") == [128.0, 72.0]


@pytest.mark.parametrize("word", TABLE["degree"])
def test_what_makes_a_number_the_degree_of_any_finding(word: str) -> None:
    assert told_of(f"Nausea {word} 8.", "Nausea") == [8.0]


@pytest.mark.parametrize("word", TABLE["measures"])
def test_a_size_stands_behind_a_word_that_measures(word: str) -> None:
    assert told_of(f"Lesion of the scalp {word} 3 cm.", "Lesion") == [30.0]
    assert not told_of("Lesion of the scalp cut 3 cm.", "Lesion")


@pytest.mark.parametrize("word", TABLE["not_after"])
def test_a_number_of_something_else_is_none(word: str) -> None:
    assert not told_of(f"Chloride 3 {word}.", "Chloride")


@pytest.mark.parametrize("word", TABLE["apart"])
def test_a_size_is_something_elses(word: str) -> None:
    assert not told_of(f"A 3 cm {word} lesion.", "lesion")
    assert told_of("A 3 cm brown lesion.", "lesion") == [30.0]


def test_every_concept_of_the_table_is_in_the_lexicon() -> None:
    named = {*TABLE["valued"], *TABLE["pairs"], *TABLE["told_as"], *chain(*TABLE["told_as"].values())}
    named |= {c for scale in TABLE["scales"] for c in scale["concepts"]}
    assert named <= set(language.lexicon().concepts)


@pytest.mark.parametrize("concept", sorted({*TABLE["valued"], *chain(*TABLE["told_as"].values())}))
def test_a_number_alone_tells_something_of_what_has_a_value(concept: str) -> None:
    name = language.lexicon().concepts[concept].name
    said = language.rules().label(f"{name} {31 if concept != 'estimated-blood-loss' else '31 ml'}.").findings
    assert [f for f in said if f.concept == concept and f.amounts], said
