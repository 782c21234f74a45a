"""Which written words are one word of a lexicon."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.language.lexicon.forms import apart, forms, plain
from search_stack.language.lexicon.words import LONGEST, Words, one_edit

ONE_WORD = """
cardiomegaly cardiomegalic
effusion effusions
atelectasis atelectatic atelectases
pneumothorax pneumothoraces
calcification calcified calcifications calcific
fracture fractured fractures
opacity opacities opacification opacified
granuloma granulomas granulomatous granulomata
scar scarring scarred scars
nodule nodular nodules
emphysema emphysematous
hernia herniation hernias
congestion congested congestive
consolidation consolidative consolidated
spondylosis spondylotic
scoliosis scoliotic
thickening thickened
enlargement enlarged enlarging
stenosis stenotic
fibrosis fibrotic
metastasis metastatic metastases
ulcer ulcerated ulcerations
dilation dilated dilatation
distention distended
inflammation inflamed inflammatory
asthma asthmatic
aneurysm aneurysmal
osteophyte osteophytes osteophytic
hypothyroidism hypothyroid
epilepsy epileptic
tenderness tender
dizziness dizzy
swelling swollen
thrombus thrombosis thrombosed
artery arterial
vein venous
body bodies
rash rashes
rib ribs
apex apices apical
larynx laryngeal
esophagus esophageal
abdomen abdominal
vertebra vertebrae vertebral
immunization immunized
embolization embolized
tenotomy tenotomized
curettage curetted
"""

TWO_WORDS = """
pneumonia pneumonitis
hypertension hypotension
hyperkalemia hypokalemia
ileum ilium
ileum ileus
perfusion effusion
normal abnormal
febrile afebrile
vascular avascular
symptomatic asymptomatic
mass massive
port portion
arthritis arthrosis
hepatic hepatitis
carcinoma carcinoid
rectum rectus
colitis colic
ureteral urethral
perineal peroneal
osteoblast osteoclast
tracheotomy tracheostomy
microcephaly macrocephaly
dysphagia dysphasia
interval internal
addition addiction
seating sweating
lobulated loculated
computer computed
colonoscope colonoscopy
hydronephrosis nephrosis
cardiomyopathy myopathy
burn burning
nervous nervousness
diuretic diuresis
position positive
loss los
"""


def _pairs(table: str) -> list[tuple[str, str]]:
    return [pair for line in table.split("\n") for pair in permutations(line.split(), 2)]


@pytest.mark.parametrize(("known", "written"), _pairs(ONE_WORD))
def test_a_word_is_known_in_another_ending(known: str, written: str) -> None:
    assert Words([known]).find(written) == (0,)


@pytest.mark.parametrize(("known", "written"), _pairs(TWO_WORDS))
def test_another_word_is_not_taken_for_it(known: str, written: str) -> None:
    assert Words([known]).find(written) == ()


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("pneumothorax", "hydropneumothorax"),
        ("calcification", "microcalcifications"),
        ("pneumonia", "bronchopneumonia"),
        ("pericardial", "pleuropericardial"),
        ("scoliosis", "dextroscoliosis"),
        ("carcinoma", "adenocarcinoma"),
    ],
)
def test_a_combining_form_leaves_the_word_behind_it(known: str, written: str) -> None:
    assert Words([known]).find(written) == (0,)


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("calcified", "noncalcified"),
        ("arrhythmic", "antiarrhythmic"),
        ("vascular", "extravascular"),
        ("orbital", "periorbital"),
        ("peritoneal", "retroperitoneal"),
        ("operative", "postoperative"),
        ("carbonate", "bicarbonate"),
    ],
)
def test_a_prefix_that_denies_or_moves_it_does_not(known: str, written: str) -> None:
    assert Words([known]).find(written) == ()


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("effusion", "efusion"),
        ("effusion", "effussion"),
        ("effusion", "effusoin"),
        ("pneumothorax", "pnuemothorax"),
        ("pneumothorax", "pneumothrax"),
        ("cardiomegaly", "cardiomegally"),
        ("atelectasis", "atalectasis"),
        ("vomiting", "vomitting"),
        ("thickening", "thickenning"),
        ("infiltrate", "infiltartes"),
    ],
)
def test_one_slip_in_a_long_word_is_forgiven(known: str, written: str) -> None:
    assert Words([known]).find(written) == (0,)


@pytest.mark.parametrize(
    ("known", "written"),
    [
        ("effusion", "efusoin"),  # two slips
        ("effusion", "iffusion"),  # the first letter
        ("edema", "edrma"),  # a short word
        ("nodule", "noduel"),
        ("nystatin", "statins"),
    ],
)
def test_more_than_one_slip_or_one_in_a_short_word_is_not(known: str, written: str) -> None:
    assert Words([known]).find(written) == ()


def test_a_known_word_is_never_taken_for_a_misspelt_one() -> None:
    words = Words(["dysphonia", "dysphoria", "embolism", "embolization"])
    assert words.find("dysphoria") == (1,)
    assert words.find("embolisation") == (3,)


@pytest.mark.parametrize(
    ("british", "spelling"),
    [
        ("haemorrhage", "hemorrhage"),
        ("oedema", "edema"),
        ("tumours", "tumor"),
        ("generalised", "generalized"),
        ("embolisation", "embolization"),
        ("thrombolysed", "thrombolyzed"),
        ("behavioural", "behavioral"),
        ("manoeuvre", "maneuver"),
        ("centres", "centers"),
    ],
)
def test_british_and_american_spellings_are_one(british: str, spelling: str) -> None:
    assert Words([spelling]).find(british) == Words([british]).find(spelling) == (0,)


def test_case_and_accents_do_not_matter() -> None:
    words = Words(["sjogren", "edema"])
    assert words.find("SJÖGREN") == words.find("Sjo\u0308gren") == (0,)
    assert words.find("Œdème") == ()
    assert words.find("EDEMA") == (1,)


def test_a_word_that_is_apart_is_so_in_the_plural() -> None:
    assert apart("portions", "port")
    assert not apart("ports", "port")


@given(st.text(alphabet="abcdeimnorstuxy", min_size=1, max_size=14))
def test_a_word_is_a_form_of_itself_and_known_in_all_its_forms(word: str) -> None:
    assert word in forms(word)
    words = Words([word])
    assert all(words.find(form) == (0,) for form in forms(word))


@given(st.text(max_size=20))
def test_any_text_has_a_plain_form_and_can_be_looked_up(text: str) -> None:
    assert plain(text) == plain(text).lower()
    assert set(Words(["effusion", "pneumothorax"]).find(text)) <= {0, 1}


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6))
def test_one_edit_is_symmetric(a: str, b: str) -> None:
    assert one_edit(a, b) == one_edit(b, a)


@pytest.mark.parametrize("letter", ["a", "ab", "micro"])
def test_a_word_without_end_is_no_word(letter: str) -> None:
    assert Words(["effusion"]).find(letter * 1_000_000 + "effusion") == ()
    assert LONGEST < 100
