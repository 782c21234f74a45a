"""The reader of mentions on a tiny base: it learns, goes on where it stopped, and answers the same as a bundle."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models

from encoders.export.bundle import Card, export_reader
from encoders.export.restore import restored_reader
from encoders.models.mention import MentionReader
from encoders.training.mentions import Lesson, ReaderConfig, distil, go_on, mended, shares, train
from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import load_bundle
from search_stack.language.arbiter.reader import Reader
from search_stack.language.arbiter.window import LONGEST, MARKS, Window, marked
from tests.unit.encoders.conftest import tokenizer

LESSONS = [
    Lesson(Window("present ; symptom", f"{left} {word}".strip(), what, "."), answer)
    for left in ("", "left", "right", "heart", "lung", "small")
    for what in ("fever", "pain", "effusion")
    for word, answer in (("no", "absent"), ("how", "possible"), ("", "present"))
]
WINDOWS = [x.window for x in LESSONS]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory, write_base: Callable[..., Path]) -> ReaderConfig:
    folder = tmp_path_factory.mktemp("base")
    known = tokenizer()
    known.add_special_tokens(list(MARKS))
    base = write_base(folder, max_position_embeddings=LONGEST, vocab_size=known.get_vocab_size())
    known.save(str(folder / "tokenizer.json"))
    return ReaderConfig(
        str(base), batch=8, epochs=12, layers=(1,), small_epochs=12, learning_rate=2e-3, small_learning_rate=2e-3
    )


@pytest.fixture(scope="module")
def large(config: ReaderConfig, tmp_path_factory: pytest.TempPathFactory) -> MentionReader:
    return train(LESSONS, config, tmp_path_factory.mktemp("large"))


def right(model: MentionReader, config: ReaderConfig) -> float:
    best = shares(model, WINDOWS, config).argmax(dim=1).tolist()
    return sum(model.answers[n] == x.answer for n, x in zip(best, LESSONS, strict=True)) / len(LESSONS)


def test_it_learns_what_people_judged(large: MentionReader, config: ReaderConfig) -> None:
    assert large.answers == ("absent", "possible", "present")
    assert right(large, config) == 1.0


def test_a_smaller_one_learns_from_it_what_nobody_judged(
    large: MentionReader, config: ReaderConfig, tmp_path: Path
) -> None:
    given = shares(large, WINDOWS, config)
    small = distil(large, [Lesson(w, "", s) for w, s in zip(WINDOWS, given, strict=True)], config, tmp_path)
    assert small.bert.config.num_hidden_layers == 1
    assert right(small, config) == 1.0
    with pytest.raises(AspectraError, match="the base has 2"):
        distil(large, LESSONS, replace(config, layers=(2,)), tmp_path / "deeper")


def test_a_run_that_was_cut_short_goes_on_as_if_it_had_not_been(
    large: MentionReader, config: ReaderConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("encoders.training.mentions.CHECKPOINT_EVERY", 10)
    step = torch.optim.AdamW.step
    steps = iter(range(25))

    def stopping(self: torch.optim.AdamW, *given: Any) -> Any:
        if next(steps, None) is None:
            raise KeyboardInterrupt
        return step(self, *given)

    monkeypatch.setattr(torch.optim.AdamW, "step", stopping)
    with pytest.raises(KeyboardInterrupt):
        train(LESSONS, config, tmp_path)
    monkeypatch.setattr(torch.optim.AdamW, "step", step)
    again = train(LESSONS, config, tmp_path)
    for (name, one), other in zip(again.state_dict().items(), large.state_dict().values(), strict=True):
        assert torch.allclose(one, other, atol=1e-5), name
    with pytest.raises(AspectraError, match="other settings"):
        train(LESSONS, replace(config, seed=2), tmp_path)


def test_a_bundle_answers_as_the_model_that_it_came_from(
    large: MentionReader, config: ReaderConfig, tmp_path: Path
) -> None:
    manifest = export_reader(large, tmp_path / "reader", Card("tiny", "tiny"))
    reader = Reader(str(tmp_path / "reader"))
    assert reader.answers == manifest.answers == large.answers
    with torch.no_grad():
        expected = large(large.marked(WINDOWS)).numpy()
    for window, scores in zip(WINDOWS, expected, strict=True):
        assert reader.scores(window) == pytest.approx(scores, abs=0.35)
        shares = reader.shares(window)
        assert sum(shares.values()) == pytest.approx(1)
        assert max(shares, key=lambda a: shares[a]) == reader.answers[int(scores.argmax())]
    with pytest.raises(AspectraError, match="not 'mention'"):
        Reader("minilm-bi-int8")


def test_a_bundle_learns_on_where_it_was_wrong_and_keeps_the_rest(
    large: MentionReader, config: ReaderConfig, tmp_path: Path
) -> None:
    export_reader(large, tmp_path / "reader", Card("tiny", "tiny"))
    before = restored_reader(load_bundle(str(tmp_path / "reader"), "mention"))
    assert right(before, config) == 1.0
    new = Lesson(Window("present ; symptom", "left", "cough", "."), "absent")
    windows, judged = [*WINDOWS, new.window], [*("" for _ in WINDOWS), new.answer]
    given = shares(before, windows, config)
    assert before.answers[int(given[-1].argmax())] == "present"
    lessons = [Lesson(*one) for one in zip(windows, judged, mended(given, judged, before.answers), strict=True)]
    after = go_on(before, lessons, replace(config, kept=0.2), tmp_path / "run")
    assert after.answers[int(shares(after, [new.window], config).argmax())] == "absent"
    assert right(after, config) == 1.0


def test_one_that_learns_on_keeps_a_share_of_its_weights(
    large: MentionReader, config: ReaderConfig, tmp_path: Path
) -> None:
    def learnt_on(kept: float) -> torch.Tensor:
        model = copy.deepcopy(large)
        given = [Lesson(x.window, "absent", s) for x, s in zip(LESSONS, shares(model, WINDOWS, config), strict=True)]
        changed = replace(config, kept=kept, small_epochs=1)
        return go_on(model, given, changed, tmp_path / str(kept)).classifier.weight.detach()

    before, all_new, half = large.classifier.weight.detach(), learnt_on(0.0), learnt_on(0.5)
    assert not torch.allclose(before, all_new, atol=1e-4)
    assert torch.allclose(half, (before + all_new) / 2, atol=1e-6)


def test_shares_are_mended_only_where_the_best_is_not_what_people_judged() -> None:
    given = torch.tensor([[0.6, 0.4], [0.6, 0.4], [0.3, 0.7]])
    assert torch.equal(mended(given, ["no", "yes", ""], ("no", "yes")), torch.tensor([[0.6, 0.4], [0, 1], [0.3, 0.7]]))


def test_what_is_too_long_loses_what_is_furthest_from_the_mention(large: MentionReader) -> None:
    long = Window("fever " * 90, "fever " * 90 + "no", "pain " * 90, "heart " + "fever " * 90)
    (found,) = marked([long], large.tokenizer)
    assert len(found.ids) == len(found.type_ids) == LONGEST
    first = found.type_ids.index(1)
    words = [large.tokenizer.id_to_token(n) for n in found.ids]
    assert words[first - 1 : first + 2] == ["no", "[unused0]", "pain"]
    assert words[first + sum(found.type_ids) - 1 : first + sum(found.type_ids) + 1] == ["[unused1]", "heart"]
    other = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    with pytest.raises(AspectraError, match="no token \\[CLS\\]"):
        marked([long], other)
