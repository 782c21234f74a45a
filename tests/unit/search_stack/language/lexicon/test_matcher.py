"""Which concepts a sentence names, and with which of its words."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.lexicon.matcher import Matcher

HEART_DENIALS = ("heart size normal", "heart size within normal limits", "heart normal in size")
CONCEPTS = [
    Concept("effusion", "effusion", "finding"),
    Concept("pleural-effusion", "pleural effusion", "finding", ("effusion",)),
    Concept("pericardial-effusion", "pericardial effusion", "finding", ("effusion",)),
    Concept("pleural-thickening", "pleural thickening", "finding"),
    Concept("pericardial-thickening", "pericardial thickening", "finding"),
    Concept("vomiting", "vomiting", "symptom"),
    Concept("hematemesis", "vomiting blood", "symptom"),
    Concept("nodule", "nodule", "finding", (), (), (), ("nodule of the thyroid",)),
    Concept("lung-nodule", "lung nodule", "finding", ("nodule",), ("pulmonary nodule",)),
    Concept("rll-nodule", "right lower lobe nodule", "finding", ("lung-nodule",)),
    Concept("calcified-nodule", "calcified nodule", "finding", ("nodule",)),
    Concept("aortic-calcification", "aortic calcification", "finding", (), ("calcified aorta",)),
    Concept("fracture", "fracture", "finding", (), (), ("fx",)),
    Concept("rib-fracture", "rib fracture", "finding", ("fracture",)),
    Concept("clavicle-fracture", "clavicle fracture", "finding", ("fracture",)),
    Concept("hip-fracture", "hip fracture", "finding", ("fracture",)),
    Concept("hilar-nodes", "hilar lymphadenopathy", "finding"),
    Concept("mediastinal-nodes", "mediastinal lymphadenopathy", "finding"),
    Concept("pneumothorax", "pneumothorax", "finding", (), (), ("PTX",), ("pneumothorax protocol",)),
    Concept("pe", "pulmonary embolism", "disorder", (), (), ("PE",)),
    Concept("dvt", "deep vein thrombosis", "disorder", (), (), ("DVT",)),
    Concept("cardiomegaly", "cardiomegaly", "finding", (), ("enlarged heart",), (), (), HEART_DENIALS),
    Concept("chest-pain", "chest pain", "symptom"),
    Concept("back-pain", "back pain", "symptom"),
    Concept("abdominal-pain", "abdominal pain", "symptom"),
    Concept("dyspnea", "shortness of breath", "symptom"),
    Concept("mitral-stenosis", "mitral stenosis", "disorder"),
    Concept("mitral-regurgitation", "mitral regurgitation", "disorder"),
    Concept("tricuspid-regurgitation", "tricuspid regurgitation", "disorder"),
    Concept("hypertensive-disease", "hypertensive disease", "disorder"),
    Concept("chest-tube", "chest tube", "device", (), (), ("G tube",)),
    Concept("central-line", "venous catheter", "device"),
    Concept("knee-problem", "knee problem", "symptom"),
    Concept("urinary-problem", "urinary problem", "symptom"),
    Concept("breathing-difficulty", "difficulty breathing", "symptom"),
    Concept("distension", "distended abdomen", "finding"),
    Concept("low-libido", "decreased libido", "symptom"),
]
MATCHER = Matcher(Lexicon(CONCEPTS))


def named(text: str) -> list[tuple[str, str]]:
    """Concept and its words, joined by bars; a denial with a mark."""
    return [
        (m.concept + "!" * m.denial, "|".join(text[b:e].lower() for b, e in m.parts))
        for m in MATCHER.mentions(text, 0, len(text))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Small effusion.", [("effusion", "effusion")]),
        ("Small left pleural effusions persist.", [("pleural-effusion", "pleural effusions")]),
        ("The pleura is thickened.", [("pleural-thickening", "pleura|thickened")]),
        ("Left-sided pleural-based effusion", [("pleural-effusion", "pleural|effusion")]),
        ("A 5 mm nodule is seen in the right lower lobe.", [("rll-nodule", "nodule|right lower lobe")]),
        ("Nodules in the right upper and lower lobes", [("rll-nodule", "nodules|right|lower lobes")]),
        ("A lung XXXX nodule", [("lung-nodule", "lung|nodule")]),
        ("Calcification of the aorta", [("aortic-calcification", "calcification|aorta")]),
        ("The aorta is tortuous and calcified.", [("aortic-calcification", "aorta|calcified")]),
        ("Fracture of the left 8th rib", [("rib-fracture", "fracture|rib")]),
        ("Old fractures of several ribs", [("rib-fracture", "fractures|ribs")]),
        ("The heart remains mildly enlarged.", [("cardiomegaly", "heart|enlarged")]),
        ("He was short of breath.", [("dyspnea", "short|breath")]),
        ("Deep venous thrombosis", [("dvt", "deep venous thrombosis")]),
        ("Hydropneumothorax", [("pneumothorax", "hydropneumothorax")]),
        ("Pleural efusion", [("pleural-effusion", "pleural efusion")]),
        ("Effusion, pleural.", [("pleural-effusion", "effusion|pleural")]),
        ("A large (2 cm) lung nodule", [("lung-nodule", "lung nodule")]),
        ("No problems with her left knee", [("knee-problem", "problems|knee")]),
        ("Difficulty with his breathing", [("breathing-difficulty", "difficulty|breathing")]),
        ("The abdomen is soft but mildly distended.", [("distension", "abdomen|distended")]),
        ("A decrease in his libido", [("low-libido", "decrease|libido")]),
    ],
)
def test_a_name_is_found_in_any_inflection_and_order(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pleural and pericardial effusion", {"pleural-effusion", "pericardial-effusion"}),
        ("Pleural/pericardial effusion", {"pleural-effusion", "pericardial-effusion"}),
        ("Bilateral pleural and small pericardial effusions", {"pleural-effusion", "pericardial-effusion"}),
        ("Pleural, pericardial, or other effusion", {"pleural-effusion", "pericardial-effusion"}),
        ("Pleural effusion or thickening", {"pleural-effusion", "pleural-thickening"}),
        ("Thickening of the pleura and pericardium", {"pleural-thickening", "pericardial-thickening"}),
        ("Rib and clavicle fractures", {"rib-fracture", "clavicle-fracture"}),
        ("Fractures of the ribs and clavicle are healed", {"rib-fracture", "clavicle-fracture"}),
        ("Hilar and mediastinal lymphadenopathy", {"hilar-nodes", "mediastinal-nodes"}),
        ("Chest, abdominal and back pain", {"chest-pain", "abdominal-pain", "back-pain"}),
        ("Pain in the chest and back", {"chest-pain", "back-pain"}),
        ("Mitral stenosis and regurgitation", {"mitral-stenosis", "mitral-regurgitation"}),
        ("Mild to moderate mitral and tricuspid regurgitation", {"mitral-regurgitation", "tricuspid-regurgitation"}),
    ],
)
def test_words_that_concepts_share_count_for_each(text: str, expected: set[str]) -> None:
    assert {c for c, _ in named(text)} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No pleural effusion, pericardial thickening.", {"pleural-effusion", "pericardial-thickening"}),
        ("Pleural effusion; pericardial thickening", {"pleural-effusion", "pericardial-thickening"}),
        (
            "Pleural effusions are small and pericardial thickening is seen",
            {"pleural-effusion", "pericardial-thickening"},
        ),
        ("The right lung is clear. Nodule", {"nodule"}),
        ("The lung is normal without a nodule", {"nodule"}),
        ("The heart is normal but the liver is enlarged", set()),
        ("Right rib pain without fracture", {"fracture"}),
        ("Rib fractures and clavicle deformity", {"rib-fracture"}),
        ("Fracture of the femur and hip replacement", {"fracture"}),
        ("Calcification and dense nodule", {"nodule"}),
        ("Ulcer disease, hypertension.", set()),
        ("A catheter was inserted into the vein", set()),
        ("A massive hemorrhage", set()),
        ("Effusion, pleural thickening", {"effusion", "pleural-thickening"}),
        ("Lung carcinoma, pneumothorax, no clavicle fracture", {"pneumothorax", "clavicle-fracture"}),
        ("No vomiting, nodule or blood", {"vomiting", "nodule"}),
        ("Vomiting or nodule, and blood", {"vomiting", "nodule"}),
        ("Vomiting and blood", {"vomiting"}),
        ("Vomiting up blood", {"hematemesis"}),
        ("Problems with urinary retention", set()),
        ("Difficulty with mouth breathing", set()),
        ("The abdomen is soft but not distended.", set()),
        ("Abdomen NEG  distended pos.", set()),
        ("The abdomen is soft but the bladder is distended.", set()),
        ("Decreased in the evening, libido fine.", set()),
    ],
)
def test_words_of_different_things_make_no_name(text: str, expected: set[str]) -> None:
    assert {c for c, _ in named(text)} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PE and DVTs", [("pe", "pe"), ("dvt", "dvts")]),
        ("He had pe or dvt", []),
        ("he had pe or dvt", [("dvt", "dvt")]),
        ("NO DVTS. HE DOES WELL", [("dvt", "dvts")]),
        ("PEG and PERLA", []),
        ("Two G tubes", [("chest-tube", "g tubes")]),
        ("Old fx.", [("fracture", "fx")]),
        ("Fx", []),
    ],
)
def test_abbreviations_stand_as_written(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


def test_a_letter_with_an_s_is_no_plural() -> None:
    matcher = Matcher(Lexicon([Concept("a", "group", "finding", (), (), ("A",))]))
    text = "As before, type A."
    assert [m.begin for m in matcher.mentions(text, 0, len(text))] == [16]


def test_an_exclusion_takes_its_concept_only_where_it_stands() -> None:
    text = "Pneumothorax protocol. A pneumothorax is seen."
    assert [m.begin for m in MATCHER.mentions(text, 0, len(text))] == [25]
    assert named("Nodule of the left thyroid") == [("nodule", "nodule")]
    assert named("Nodule of the thyroid") == []


def test_an_exclusion_stands_in_no_list() -> None:
    """ "Fever and neutropenia" is both; "febrile neutropenia" is no fever."""
    fever = Concept(
        "fever", "fever", "symptom", synonyms=("febrile",), exclusions=("febrile neutropenia", "hot and cold")
    )
    matcher = Matcher(Lexicon([fever]))
    found = {
        text: [(m.begin, m.end) for m in matcher.mentions(text, 0, len(text))]
        for text in ("Fever and neutropenia", "Febrile neutropenia")
    }
    assert found == {"Fever and neutropenia": [(0, 5)], "Febrile neutropenia": []}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Heart size normal.", "heart size normal"),
        ("The heart size is normal.", "heart size|normal"),
        ("Heart size is within normal limits", "heart size|within normal limits"),
        ("The heart is normal in size", "heart|normal|size"),
        ("Heart size and mediastinal contours are within normal limits.", "heart size|within normal limits"),
        ("Heart size, pulmonary vessels and hila are normal.", "heart size|normal"),
        ("Heart size is XXXX normal.", "heart size|normal"),
    ],
)
def test_a_denial_may_be_shared_with_other_subjects(text: str, words: str) -> None:
    assert named(text) == [("cardiomegaly!", words)]


@pytest.mark.parametrize(
    "text",
    [
        "Heart size is not normal.",
        "Heart size is large and mediastinal contours are normal.",
        "The heart size is above normal.",
        "Normal lungs. Heart size",
    ],
)
def test_a_denial_of_something_else_is_none(text: str) -> None:
    assert not [c for c, _ in named(text) if c.endswith("!")]


def test_of_two_concepts_with_one_name_the_ancestor_gives_way() -> None:
    matcher = Matcher(
        Lexicon(
            [
                Concept("a", "cold", "disorder"),
                Concept("b", "cold", "disorder", ("a",)),
                Concept("c", "cold", "symptom"),
            ]
        )
    )
    assert [m.concept for m in matcher.mentions("a cold", 0, 6)] == ["b", "c"]


def test_offsets_count_in_the_whole_text() -> None:
    text = "İstanbul 😀 note. Small plëural effusion. No effusion."
    begin = text.index("Small")
    found = MATCHER.mentions(text, begin, text.index(" No"))
    assert [(m.concept, text[m.begin : m.end]) for m in found] == [("pleural-effusion", "plëural effusion")]


def test_accents_written_as_characters_of_their_own_stay_in_the_word() -> None:
    text = "ple\u0301ural effusion"
    assert named(text) == [("pleural-effusion", text)]


@pytest.mark.parametrize("text", ["", " ", ".", "XXXX", "\x00\n", "—", "😀", "؟", "the of"])
def test_nothing_is_found_in_nothing(text: str) -> None:
    assert named(text) == []


def test_an_empty_lexicon_finds_nothing() -> None:
    assert Matcher(Lexicon([])).mentions("pleural effusion", 0, 16) == []


def test_a_name_of_small_words_only_is_matched_as_it_is() -> None:
    matcher = Matcher(Lexicon([Concept("x", "on the", "finding"), Concept("y", "…", "finding")]))
    assert [m.concept for m in matcher.mentions("on the table", 0, 12)] == ["x"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pulmonary nodules.", {("nodule pulmonary",)}),
        ("Nodule, lung.", {("lung nodule",)}),
        ("PEs on both sides.", {("pe",)}),
        ("An old fx.", {("fx",)}),
        # Forms of the words of two names: by the one that is so spelt, else by both.
        ("A calcified aorta", {("aorta calcified",)}),
        ("Calcifications of the aorta", {("aorta calcified", "aortic calcification")}),
        ("The heart size is normal.", {()}),
    ],
)
def test_a_mention_tells_by_which_names_it_is_found(text: str, names: set[tuple[str, ...]]) -> None:
    assert {m.names for m in Matcher(Lexicon(CONCEPTS)).mentions(text, 0, len(text))} == names


def test_a_longer_name_tells_the_shorter_ones_inside_it() -> None:
    """Without the longer one it would be found by them."""
    concepts = [Concept("effusion", "pleural effusion", "finding", synonyms=("effusion",), phrases=("left effusion",))]
    (found,) = Matcher(Lexicon(concepts)).mentions("Left effusion.", 0, 13)
    assert set(found.names) == {"effusion left", "effusion"}
