from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.nn import functional

from encoders.models.interaction.words import WordTable
from encoders.models.label_encoder import LabelEncoder

HIDDEN, VECTOR = 3, 4


@pytest.fixture
def table(real_words: Path) -> WordTable:
    return WordTable.from_base(real_words)


def made(table: WordTable) -> LabelEncoder:
    torch.manual_seed(0)
    return LabelEncoder(lambda texts: table(texts, 6), table.width, HIDDEN, VECTOR)


@torch.inference_mode()
def test_an_embedding_is_of_the_last_state_forth_and_the_first_one_back(table: WordTable) -> None:
    encoder = made(table)
    texts = ["treatment", "hairy cell leukemia of the blood and more words than are read"]
    found = encoder(texts)
    for row, text in zip(found, texts, strict=True):
        words = table([text], 6).values
        one_way = torch.nn.LSTM(table.width, HIDDEN, batch_first=True)
        back = torch.nn.LSTM(table.width, HIDDEN, batch_first=True)
        for name, weight in encoder.read.named_parameters():
            way = back if name.endswith("_reverse") else one_way
            getattr(way, name.removesuffix("_reverse")).copy_(weight)
        ends = torch.cat([one_way(words)[0][0, -1], back(words.flip(1))[0][0, -1]])
        assert torch.allclose(row, torch.tanh(encoder.embed.weight @ ends + encoder.embed.bias), atol=1e-6)


@torch.inference_mode()
def test_a_label_is_the_mean_of_its_sentences_around_the_centre_of_all(table: WordTable) -> None:
    encoder = made(table)
    sentences = [["gout hurts", "pain of the toe"], ["asthma makes breathing hard"]]
    means = torch.stack([encoder(own).mean(dim=0) for own in sentences])
    encoder.hold(["Gout", "asthma"], sentences)
    expected = functional.normalize(means - means.mean(dim=0), dim=1)
    assert torch.allclose(encoder.vectors([" gout ", "Asthma"]), expected, atol=1e-6)
    (unknown,) = encoder.vectors(["angina"])
    assert torch.allclose(unknown, functional.normalize(encoder(["angina"])[0] - means.mean(dim=0), dim=0), atol=1e-6)
    mixed = encoder.vectors(["angina", "gout"])
    assert torch.allclose(mixed, torch.stack([unknown, expected[0]]), atol=1e-6)
    assert encoder.vectors([]).shape == (0, VECTOR)


def test_what_it_knows_is_among_its_weights(table: WordTable) -> None:
    encoder, again = made(table), made(table)
    encoder.hold(["gout", "α-thalassaemia", "asthma"], [["gout"], ["alpha"], ["asthma"]])
    again.load_state_dict(encoder.state_dict())
    for name in ("gout", "α-thalassaemia", "angina"):
        assert torch.equal(again.vectors([name]), encoder.vectors([name]))
    untaught = made(table)
    untaught.load_state_dict(made(table).state_dict())
    assert untaught.vectors(["gout"]).shape == (1, VECTOR)
