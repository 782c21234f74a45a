from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.training import labels
from encoders.training.arrays import save
from search_stack.core.errors import AspectraError
from search_stack.core.schema import ASSERTIONS
from search_stack.language.arbiter import Arbiter, load_arbiter, shipped
from search_stack.language.arbiter.model import BUCKETS, FILE, NONE, buckets
from search_stack.language.labeller import Labeller, labeller_of, load_labeller, version_in_use
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.version import labels_version

LABELLER = load_labeller(None)


def leaning(answer: str, strength: float) -> Arbiter:
    """Says ``answer`` of whatever has the feature "x", the surer the greater ``strength``."""
    answers = (*ASSERTIONS, NONE)
    weights = np.zeros((BUCKETS, len(answers)), dtype=np.int8)
    weights[buckets(["x"]), answers.index(answer)] = 1
    scale = np.full(len(answers), strength, dtype=np.float32)
    return Arbiter(answers, weights, scale, np.full(len(answers), -4, dtype=np.float32))


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
    assert leaning(answer, strength).decide(["x"], rule) == expected


def test_what_weighed_is_told() -> None:
    assert leaning("family", 2).weighed(["y", "x"], "family") == [("x", 2.0)]


def test_it_learns_what_the_features_tell_apart(tmp_path: Path) -> None:
    rows = [(["said=no", "kind=drug"], "absent"), (["said=will", "kind=drug"], "hypothetical")] * 30
    arrays = labels.train([buckets(f) for f, _ in rows], [a for _, a in rows], BUCKETS)
    save(arrays, tmp_path / FILE)
    learnt = load_arbiter(tmp_path)
    assert [learnt.decide(f, "present") for f, _ in rows[:2]] == ["absent", "hypothetical"]
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
    assert before.version == labels_version(before.lexicon)
    assert own.version == labels_version(before.lexicon, own=own.arbiter.own_digest)
    assert version_in_use(before.lexicon, tmp_path) == own.version


def test_where_the_rules_are_silent_it_speaks() -> None:
    lexicon = load_lexicon(None)
    text = "POSTOPERATIVE DIAGNOSIS: Cataract.\n\nPLAN: Percocet p.r.n. pain, Colace p.r.n. constipation."
    found = {f.name: f.assertion for f in Labeller(lexicon, shipped()).label(text).findings}
    assert found["cataract"] == "present"
    assert found["constipation"] == "hypothetical"


@given(st.text(alphabet="no fever, if had: mother\n?#.1", max_size=80))
def test_whatever_the_text_every_answer_is_an_assertion(text: str) -> None:
    for finding in LABELLER.label(f"{text} fever {text}").findings:
        assert finding.assertion in ASSERTIONS
