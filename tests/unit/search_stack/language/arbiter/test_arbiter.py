from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.training import labels
from encoders.training.arrays import save
from search_stack.core.errors import AspectraError
from search_stack.core.schema import ASSERTIONS
from search_stack.inference.bundle import folder_of
from search_stack.language.arbiter import Arbiter, load_arbiter, shipped
from search_stack.language.arbiter.features import is_general
from search_stack.language.arbiter.model import BUCKETS, FILE, NONE, Linear, buckets
from search_stack.language.arbiter.reader import FOLDER, SHIPPED, Reader, shipped_reader
from search_stack.language.arbiter.window import Window
from search_stack.language.labeller import Labeller, labeller_of, load_labeller, version_in_use
from search_stack.language.version import labels_version
from tests import language


def leaning(answer: str, strength: float) -> Arbiter:
    """Says ``answer`` of whatever has the feature "x", the surer the greater ``strength``."""
    answers = (*ASSERTIONS, NONE)
    weights = np.zeros((BUCKETS, len(answers)), dtype=np.int8)
    weights[buckets(["x"]), answers.index(answer)] = 1
    scale = np.full(len(answers), strength, dtype=np.float32)
    return Arbiter(answers, weights, scale, np.full(len(answers), -4, dtype=np.float32))


def of_status(status: str, strength: float) -> Linear:
    """Says ``status`` of whatever has the feature "x"."""
    answers = ("done", "not done", "past", "planned", "stopped", "taking")
    weights = np.zeros((BUCKETS, len(answers)), dtype=np.int8)
    weights[buckets(["x"]), answers.index(status)] = 1
    scale = np.full(len(answers), strength, dtype=np.float32)
    return Linear(answers, weights, scale, np.full(len(answers), -4, dtype=np.float32))


def everywhere(arbiter: Arbiter) -> Arbiter:
    """The same, of whatever has any feature."""
    weights = np.tile(arbiter.weights.max(axis=0), (BUCKETS, 1))
    return replace(arbiter, weights=weights)


@pytest.mark.parametrize(
    ("rule", "assertion", "status", "strength", "expected"),
    [
        ("done", "present", "past", 8, "past"),
        ("done", "present", "past", 1, "done"),  # not sure
        ("done", "present", "planned", 8, "done"),  # what is planned is not there
        ("planned", "hypothetical", "done", 8, "planned"),
        ("not done", "absent", "done", 8, "not done"),
        ("past", "historical", "stopped", 8, "stopped"),
        ("started", "present", "past", 3, "started"),  # words say it
        ("planned", "possible", "done", 8, "planned"),  # nothing is known of what goes with it
    ],
)
def test_a_status_goes_with_its_assertion(
    rule: str, assertion: str, status: str, strength: float, expected: str
) -> None:
    arbiter = replace(leaning("present", 0), status=of_status(status, strength))
    assert arbiter.decide_status(buckets(["x"]), rule, assertion, worded=rule in ("started", "given")) == expected


def test_of_an_act_the_assertion_alone_tells_the_status() -> None:
    status = of_status("past", 8)
    status = replace(status, weights=np.tile(status.weights.max(axis=0), (BUCKETS, 1)))
    arbiter = replace(everywhere(leaning("present", 8)), status=status)
    found = Labeller(language.lexicon(), arbiter).label("Colonoscopy. Stent.").findings
    assert {f.kind: f.status for f in found} == {"procedure": "done", "device": "past"}


def test_without_a_model_of_it_the_rules_decide_the_status() -> None:
    assert leaning("present", 8).decide_status(buckets(["x"]), "done", "present", worded=False) == "done"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Child with fever.", "present"),
        ("The baby has a fever.", "present"),
        ("Her child has a fever.", "family"),
        ("Another child in the house has a fever.", "family"),
        ("Child with fever; brother has a cold.", "present"),
    ],
)
def test_a_child_is_the_patient_where_nobodys_kin_is_named(text: str, expected: str) -> None:
    assert [f.assertion for f in language.labeller().label(text).findings if f.name == "fever"] == [expected]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Single mother with hypertension.", "hypertension", "present"),
        ("Here with mom for asthma follow up.", "asthma", "present"),
        ("Mother with hypertension.", "hypertension", "family"),
        ("Died in care home of COVID-19 pneumonia, swab not done.", "pneumonia", "present"),
        ("Father had a stroke. Died of COVID-19 pneumonia.", "covid 19", "family"),
        (
            "Early pregnancy follow-up. Left salpingectomy for ectopic in March. Hb 124, iron stopped. History of"
            " chlamydia aged 19. She smokes five a day. She is not currently pregnant and is using condoms. Counselled"
            " on ectopic risk in future pregnancies.",
            "tobacco use",
            "present",
        ),
        ("Steroids not given. PMH nil, non-smoker, no diabetes.", "tobacco use", "absent"),
        ("Syphilis serology negative. Current non-smoker, vapes.", "tobacco use", "absent"),
        ("Current every day smoker, vapes.", "tobacco use", "present"),
        ("Penicillin allergy, de-labelled after a challenge.", "penicillin", "absent"),
        ("Scheduled MRI showed a meniscal tear.", "magnetic resonance imaging", "present"),
        ("Scheduled MRI on Friday.", "magnetic resonance imaging", "hypothetical"),
        ("GALLBLADDER: Surgically absent.", "cholecystectomy", "historical"),
        ("The left kidney is surgically absent.", "nephrectomy", "historical"),
        ("His mother's gallbladder is surgically absent.", "cholecystectomy", "family"),
        ("His daughter is his medical power of attorney.", "advance directive", "present"),
        ("Has no health care proxy.", "advance directive", "absent"),
        ("She lost her husband in 2005.", "widowed", "present"),
        ("Family history: husband died of lung cancer.", "widowed", "present"),
        ("Father died young, mother is a widow.", "widowed", "family"),
        ("PMH: GERD, HTN, depression, DVT R leg 2016 after hysterectomy.", "depression", "present"),
        ("PMH: GERD, HTN, depression in her twenties, gout.", "depression", "historical"),
        ("PFTs today. He has not smoked since the day of the infarct.", "tobacco use", "historical"),
        ("CXR: cardiomegaly, interstitial oedema, small R effusion.", "pleural effusion", "present"),
        ("COLONOSCOPY\nIndication: screening, father CRC age 52.\nPrep good.", "colonoscopy", "present"),
        ("Less likely lymphoma, but cannot be excluded without biopsy.", "lymphoma", "possible"),
        ("Less likely lymphoma, but cannot attend for biopsy.", "lymphoma", "absent"),
        ("She has never been treated for her hepatitis C.", "hepatitis c", "present"),
        ("Hepatitis C, never treated.", "hepatitis c", "present"),
        ("Changed from lisinopril to losartan due to cough.", "losartan", "present"),
        ("Changed from lisinopril to losartan due to cough.", "lisinopril", "historical"),
        ("Anticoag recommended - pt declines apixaban, for now.", "apixaban", "absent"),
        ("A1c 7.6. Add empagliflozin 10? -> declined, worried.", "empagliflozin", "absent"),
        ("Appendectomy was discussed with the family.", "appendectomy", "hypothetical"),
        ("Appendectomy done, findings were discussed.", "appendectomy", "present"),
        ("Smoke free since January!", "tobacco use", "historical"),
        ("Lives with her husband who has dementia.", "lives with spouse", "present"),
        ("Lives with her husband who has dementia.", "dementia", "family"),
        (
            "She has a brother with alcohol problems of his own, stayed at home.\n\nLiver biopsy 20/6 confirms"
            " metastatic adenocarcinoma, so surgery is off the table.",
            "cancer",
            "present",
        ),
    ],
)
def test_what_is_plainly_the_patients_or_done_is_not_overruled(text: str, name: str, expected: str) -> None:
    found = [f.assertion for f in language.labeller().label(text).findings if f.name.lower() == name]
    assert found == [expected]


def test_what_decides_the_status_counts_in_the_digest() -> None:
    arbiter = leaning("present", 1)
    assert arbiter.digest != replace(arbiter, status=of_status("past", 1)).digest


def test_notes_are_given_the_learnt_status() -> None:
    assert shipped().status is not None
    text = "The eye was dilated with tropicamide."
    by_rules = Labeller(language.labeller().lexicon, None)
    assert {f.status for f in by_rules.label(text).findings if f.kind == "drug"} == {"taking"}
    assert {f.status for f in language.labeller().label(text).findings if f.kind == "drug"} == {"given"}


@pytest.mark.parametrize(
    ("rule", "answer", "strength", "expected"),
    [
        ("present", "historical", 3, "historical"),
        ("present", "historical", 0.1, "present"),  # not sure
        ("present", "absent", 2.0, "present"),  # sure enough for others, not for a denial
        ("absent", "present", 2.0, "absent"),
        ("absent", "present", 8, "present"),
        ("present", NONE, 8, NONE),
        ("present", NONE, 2, "present"),
    ],
)
def test_the_rules_stand_where_the_arbiter_is_not_sure_enough(
    rule: str, answer: str, strength: float, expected: str
) -> None:
    arbiter = leaning(answer, strength)
    assert arbiter.decide(arbiter.probabilities(buckets(["x"])), rule) == expected


@pytest.mark.parametrize(
    ("answer", "strength", "of_imaging", "asks"),
    [
        ("present", 3.8, False, True),
        ("present", 9, False, False),
        ("present", 3.8, True, False),
        ("present", 2.5, True, True),
        ("historical", 3.8, False, False),
        ("historical", 1.5, False, True),
    ],
)
def test_the_reader_is_asked_by_what_the_arbiter_leans_to(
    answer: str, strength: float, of_imaging: bool, asks: bool
) -> None:
    arbiter = leaning(answer, strength)
    assert arbiter.asks(arbiter.probabilities(buckets(["x"])), of_imaging) is asks


@pytest.mark.parametrize(
    ("strength", "read", "expected"),
    [
        (4.0, {"historical": 0.6, "present": 0.4}, "present"),  # the arbiter knows better
        (4.0, {"historical": 0.98, "present": 0.02}, "historical"),  # the reader does
        (0.0, {"family": 0.5, "absent": 0.4}, "family"),
        (0.0, {}, "present"),  # a reader that knows none of the answers
    ],
)
def test_what_both_find_likely_is_said(strength: float, read: dict[str, float], expected: str) -> None:
    arbiter = leaning("present", strength)
    assert arbiter.decide_with(arbiter.probabilities(buckets(["x"])), read) == expected


@pytest.mark.parametrize(("kind", "expected"), [("device", "present"), ("symptom", NONE)])
def test_a_device_is_not_left_out_by_the_readers_word(kind: str, expected: str) -> None:
    arbiter = leaning("present", 4.0)
    read = {NONE: 0.98, "present": 0.02}
    assert arbiter.decide_with(arbiter.probabilities(buckets(["x"])), read, kind) == expected


def test_staples_that_close_the_skin_are_labelled() -> None:
    text = "PROCEDURE: The wound was irrigated, the fascia closed with Vicryl, and the skin was closed with staples."
    assert "surgical staple" in {f.name for f in language.labeller().label(text).findings}


def test_what_weighed_is_told() -> None:
    assert leaning("family", 2).weighed(["y", "x"], "family") == [("x", 2.0)]


def test_it_learns_what_the_features_tell_apart(tmp_path: Path) -> None:
    rows = [(["said=no", "kind=drug"], "absent"), (["said=will", "kind=drug"], "hypothetical")] * 30
    arrays = labels.train([buckets(f) for f, _ in rows], [a for _, a in rows], BUCKETS)
    save(arrays, tmp_path / FILE)
    learnt = load_arbiter(tmp_path)
    shares = [learnt.probabilities(buckets(f)) for f, _ in rows[:2]]
    assert [learnt.decide(s, "present") for s in shares] == ["absent", "hypothetical"]
    assert load_arbiter(tmp_path).digest == learnt.digest != shipped().digest


def test_a_folder_without_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match=FILE):
        load_arbiter(tmp_path)
    (tmp_path / FILE).write_bytes(b"no arrays")
    with pytest.raises(AspectraError, match="train labels"):
        load_arbiter(tmp_path)


def test_the_one_in_the_lexicons_folder_is_used_and_labels_carry_it(tmp_path: Path) -> None:
    before = load_labeller(tmp_path)
    arrays = labels.train([buckets(["x"]), buckets(["y"])] * 10, ["present", "absent"] * 10, BUCKETS)
    save(arrays, tmp_path / FILE)
    own = labeller_of(before.lexicon, tmp_path)
    assert own.arbiter is not None
    assert own.arbiter.answers == ("absent", "present")
    assert own.version != before.version
    read = shipped_reader().digest
    assert before.version == labels_version(before.lexicon, own=read)
    assert own.version == labels_version(before.lexicon, own=own.arbiter.own_digest + read)
    assert version_in_use(before.lexicon, tmp_path) == own.version


def test_where_the_rules_are_silent_it_speaks() -> None:
    lexicon = language.lexicon()
    text = "POSTOPERATIVE DIAGNOSIS: Cataract.\n\nPLAN: Percocet p.r.n. pain, Colace p.r.n. constipation."
    found = {f.name: f.assertion for f in Labeller(lexicon, shipped()).label(text).findings}
    assert found["cataract"] == "present"
    assert found["constipation"] == "hypothetical"


class Noting(Reader):
    """The shipped one, which notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(SHIPPED)
        self.asked: list[Window] = []

    def shares(self, read: Window) -> dict[str, float]:
        self.asked.append(read)
        return super().shares(read)


def test_the_reader_is_asked_where_the_arbiter_is_not_sure_and_nowhere_else() -> None:
    lexicon, reader = language.lexicon(), Noting()
    sure, unsure = leaning("present", 9), leaning("present", 0)
    text = "No fever. Lungs are clear. Temp 39.2."
    assert Labeller(lexicon, everywhere(sure), reader).label(text).findings
    assert not reader.asked
    found = Labeller(lexicon, unsure, reader).label(text).findings
    # Neither what denies by its own words nor what a number says.
    assert [w.mention for w in reader.asked] == ["fever"]
    assert [f.assertion for f in found if f.name == "fever" and f.value is None] == ["absent"]


def test_a_reader_in_the_lexicons_folder_is_used_and_labels_carry_it(tmp_path: Path) -> None:
    shipped_one = load_labeller(tmp_path)
    shutil.copytree(folder_of(SHIPPED), tmp_path / FOLDER)
    note = tmp_path / FOLDER / "bundle.json"
    note.write_text(note.read_text(encoding="utf-8").replace('"model.onnx": "', '"model.onnx": "0'), encoding="utf-8")
    own = load_labeller(tmp_path)
    assert own.version == version_in_use(own.lexicon, tmp_path) != shipped_one.version
    with pytest.raises(AspectraError, match="is not the file"):
        Labeller(own.lexicon, leaning("present", 0), own.reader).label("Fever.")


@pytest.mark.parametrize(
    ("text", "name", "assertion"),
    [
        ("Gallstones until they were zapped in 2009.", "cholelithiasis", "historical"),
        ("Next door's boy has chickenpox.", "chickenpox", "family"),
    ],
)
def test_the_reader_knows_words_that_no_rule_has(text: str, name: str, assertion: str) -> None:
    lexicon = language.lexicon()
    alone, read = (
        {f.name: f.assertion for f in x.label(text).findings}
        for x in (Labeller(lexicon, shipped()), language.labeller())
    )
    assert (alone[name], read[name]) == ("present", assertion)


@given(st.text(alphabet="no fever, if had: mother\n?#.1", max_size=80))
def test_whatever_the_text_every_answer_is_an_assertion(text: str) -> None:
    for finding in language.labeller().label(f"{text} fever {text}").findings:
        assert finding.assertion in ASSERTIONS


LEAFLET = (
    "PINK EYE is an infection of the eyelid. If you wear contact lenses, take them out. Most children get well by"
    " themselves. Wash your hands, and call your doctor if the pain gets worse."
)


@pytest.mark.parametrize(
    ("text", "general"),
    [
        (LEAFLET, True),
        (LEAFLET + " The patient has pink eye.", False),
        (LEAFLET + " You were given drops on Monday.", False),
        (LEAFLET + " Your visit was on 3/2/2024.", False),
        ("Lungs are clear. No effusion.", False),
    ],
)
def test_a_leaflet_is_about_nobody(text: str, general: bool) -> None:
    assert is_general(text) is general


def test_what_a_leaflet_tells_has_not_happened() -> None:
    for labeller in (language.labeller(), language.rules()):
        said = {f.name: f.assertion for f in labeller.label(LEAFLET).findings}
        assert said["pain"] == "hypothetical"
        assert "present" not in said.values()
