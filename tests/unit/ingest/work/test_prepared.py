"""Long notes are prepared once, in as many goes as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from ingest.ledger import StoredNote
from ingest.work.prepared import MOST, Prepared
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.core.steps import Steps
from search_stack.index.documents import prepare
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller, NoteLabels
from search_stack.language.lexicon.load import load_lexicon

SENTENCE = "FINDINGS: There is a small pleural effusion. No pneumothorax is seen. The heart is enlarged.\n\n"
TOKENS = 64


class Counting(Labeller):
    """Counts how often it begins with a note."""

    begun = 0

    def labelling(self, text: str, title: str = "") -> Steps[NoteLabels]:
        self.begun += 1
        return super().labelling(text, title)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.from_settings(Settings(), threads=1)


@pytest.fixture
def labeller(settings: Settings) -> Counting:
    return Counting(load_lexicon(settings.lexicon_folder), None)


@pytest.fixture
def settings() -> Settings:
    return Settings()


def stored(key: int = 1, times: int = 100) -> StoredNote:
    return StoredNote(key, 1, "pending", 0, "", 0, 0, Note(f"n{key}", SENTENCE * times, "p1"))


def always() -> bool:
    return True


def for_(steps: int) -> Callable[[], bool]:
    """Time for so many looks at the clock."""
    left: Iterator[int] = iter(range(steps))
    return lambda: next(left, None) is not None


def test_a_note_is_prepared_in_goes_with_the_same_result(encoder: Encoder, labeller: Counting) -> None:
    prepared = Prepared(encoder, TOKENS)
    goes = 0
    while (found := prepared(stored(), labeller, for_(50))) is None:
        goes += 1
    assert goes > 3
    assert labeller.begun == 1
    assert found == prepare(stored(), labeller, encoder, TOKENS)


def test_a_note_that_is_taken_up_again_is_not_prepared_again(encoder: Encoder, labeller: Counting) -> None:
    prepared = Prepared(encoder, TOKENS)
    first = prepared(stored(), labeller, always)
    prepared(stored(2), labeller, always)
    assert prepared(replace(stored(), progress=64), labeller, always) is first
    assert labeller.begun == 2
    prepared.forget(stored())
    assert prepared(stored(), labeller, always) == first
    assert labeller.begun == 3


def test_another_version_or_lexicon_is_prepared_anew(encoder: Encoder, labeller: Counting) -> None:
    prepared = Prepared(encoder, TOKENS)
    assert prepared(stored(), labeller, for_(50)) is None
    assert prepared(replace(stored(times=1), version=2), labeller, always) == prepare(
        stored(times=1), labeller, encoder, TOKENS
    )
    before = labeller.begun
    other = Counting(labeller.lexicon, None)
    prepared(replace(stored(times=1), version=2), other, always)
    assert (labeller.begun, other.begun) == (before, 1)


def test_what_is_kept_is_bounded(encoder: Encoder, labeller: Counting) -> None:
    prepared = Prepared(encoder, TOKENS)
    half = MOST // 2 // len(SENTENCE)
    for key in (1, 2, 3):
        assert prepared(stored(key, half), labeller, for_(1)) is None
    prepared(stored(3, half), labeller, for_(1))
    assert labeller.begun == 3
    prepared(stored(1, half), labeller, for_(1))
    assert labeller.begun == 4
