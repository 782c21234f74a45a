"""What holds for every model, and each one's own layers against sums that are written out."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from encoders.models import interaction, trained
from encoders.models.indexable import Indexable
from encoders.models.interaction.anmm import Anmm, AnmmShape
from encoders.models.interaction.arc_i import ArcI, ArcIShape, Convolutions
from encoders.models.interaction.arc_ii import ArcII, ArcIIShape
from encoders.models.interaction.c_dssm import CDssm
from encoders.models.interaction.conv_knrm import ConvKnrm, ConvKnrmShape
from encoders.models.interaction.drmm import Drmm, DrmmShape
from encoders.models.interaction.dssm import Dssm, DssmShape
from encoders.models.interaction.duet import Duet, DuetShape
from encoders.models.interaction.har import CrossAttention, InnerAttention
from encoders.models.interaction.k_nrm import KernelShape, KNrm
from encoders.models.interaction.match_pyramid import MatchPyramid, MatchPyramidShape
from encoders.models.interaction.mv_lstm import MvLstm, MvLstmShape
from encoders.models.interaction.words import Words, WordTable
from encoders.models.scorer import Scorer
from encoders.training.options import with_options
from search_stack.core.errors import AspectraError

from .conftest import KNOWN

TINY: dict[str, dict[str, Any]] = {
    "arc-i": {"filters": (3, 4), "hidden": 5},
    "arc-ii": {"planes": 3, "filters": (4,), "hidden": 5},
    "dssm": {"hidden": 6, "vector": 4},
    "c-dssm": {"hidden": 6, "vector": 4},
    "duet": {"filters": 4, "window": 5},
    "mv-lstm": {"hidden": 3, "largest": 4, "match": "tensor"},
    "conv-knrm": {"filters": 5},
    "har": {"hidden": 3, "attended": 4, "vector": 4, "sentence_words": 4},
}
OTHERS = {"drmm": {"gate": "vector"}, "match-pyramid": {"match": "same"}, "mv-lstm": {"match": "bilinear"}}
"""Options besides the defaults, whose models are held to the same."""
EACH = [(name, TINY.get(name, {})) for name in interaction.NAMES]
EACH += [(name, TINY.get(name, {}) | more) for name, more in OTHERS.items()]
WORDS = st.lists(st.sampled_from([*KNOWN, "hepatitis", "fevers", "gout."]), max_size=14).map(" ".join)


def built(name: str, base: Path, **options: Any) -> Scorer:
    torch.manual_seed(0)
    common = {"base": str(base), "max_tokens": 12, "query_words": 8}
    model = with_options(name, common | options).build().eval()
    with torch.no_grad():
        for part, p in model.named_parameters():  # biases begin as 0, and would hide what padding leaves
            if not part.startswith("table."):  # padding's own row is and stays 0
                p.add_(torch.randn_like(p) * 0.1)
    return model


def weighed(layer: Any, weight: Any, bias: float = 0.0) -> None:
    """Give ``layer`` these weights."""
    with torch.no_grad():
        layer.weight.copy_(torch.as_tensor(weight, dtype=torch.float32).view_as(layer.weight))
        if layer.bias is not None:
            layer.bias.fill_(bias)


@pytest.mark.parametrize(("name", "options"), EACH)
def test_padding_never_changes_a_score(name: str, options: dict[str, Any], word_base: Path) -> None:
    model = built(name, word_base, **options)

    @settings(max_examples=8)
    @given(st.lists(WORDS, min_size=1, max_size=3), st.lists(WORDS, min_size=1, max_size=4))
    def alone_or_together(queries: list[str], passages: list[str]) -> None:
        with torch.inference_mode():
            together = model.score(queries, passages)
            alone = [[model.score([q], [p])[0, 0] for p in passages] for q in queries]
        assert torch.allclose(together, torch.tensor(alone), atol=1e-5)
        assert together.isfinite().all()

    alone_or_together()


@pytest.mark.parametrize(("name", "options"), EACH)
def test_a_model_is_read_again_as_it_was_saved(
    name: str, options: dict[str, Any], word_base: Path, tmp_path: Path
) -> None:
    common = {"base": str(word_base), "max_tokens": 12, "query_words": 8}
    config = with_options(name, common | options)
    model = built(name, word_base, **options)
    trained.save(model, config.trained, tmp_path)
    again, noted = trained.load(tmp_path)
    assert noted.shape == config.shape
    asked = (["gout treatment", "hepatitis"], ["fever of the chest. It is gout", "pain"])
    with torch.inference_mode():
        assert torch.equal(again.score(*asked), model.score(*asked))


def test_which_models_encode_passages_apart(word_base: Path) -> None:
    apart = {name for name, options in EACH if isinstance(built(name, word_base, **options), Indexable)}
    assert apart == {"arc-i", "dssm", "c-dssm"}


@pytest.mark.parametrize("name", [name for name in interaction.NAMES if "dssm" not in name])
def test_digits_that_are_lost_are_refused(name: str) -> None:
    with pytest.raises(AspectraError, match="needs precision fp32"):
        with_options(name, {"precision": "bf16"})


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("arc-i", {"filters": ()}, "0 layers that halve 8 words"),
        ("arc-i", {"filters": (2, 2, 2, 2)}, "4 layers that halve 8 words"),
        ("arc-ii", {"filters": (2, 2, 2)}, "4 layers that halve 8 words"),
        ("drmm", {"bins": 1}, "bins is 1"),
        ("k-nrm", {"kernels": 1}, "kernels is 1"),
        ("dssm", {"vector": 0}, "vector is 0"),
        ("har", {"sentence_words": 0}, "sentence_words is 0"),
        ("duet", {"dropout": 1.0}, "dropout is 1.0"),
    ],
)
def test_options_that_leave_nothing_are_told(name: str, options: dict[str, Any], told: str, word_base: Path) -> None:
    with pytest.raises(AspectraError, match=told):
        built(name, word_base, **options)


Text = Callable[..., Words]


def test_drmm(table: WordTable, text: Text) -> None:
    """s = sum_i g_i tanh(W2 tanh(W1 z_i + b1) + b2), z_i the logarithm of 1 plus the counts of a word."""
    model = Drmm(table, 4, DrmmShape(bins=3, hidden=1))
    query = text([[1, 0], [0, 1]], idf=[math.log(3), 0.0])
    passage = text([[2, 0], [-1, 0], [-3, 0]])
    # [-1, 0), [0, 1), the same: [1, 0] meets itself once and its opposite twice, [0, 1] is square to all.
    expected = [[math.log(3), 0, math.log(2)], [0, math.log(4), 0]]
    assert torch.allclose(model.histograms(query, passage), torch.tensor([expected]))
    assert torch.allclose(model.weights(query), torch.tensor([[0.75, 0.25]]))
    weighed(model.layers[0], [1, 2, 3], 0.5)
    weighed(model.layers[2], [2], -1)

    def term(z: float) -> float:
        return math.tanh(2 * math.tanh(z + 0.5) - 1)

    by_hand = 0.75 * term(math.log(3) + 3 * math.log(2)) + 0.25 * term(2 * math.log(4))
    assert model.compare(query, passage).tolist() == pytest.approx([by_hand])


def test_anmm(table: WordTable, text: Text) -> None:
    """y = sum_j softmax(v q)_j sigmoid(sum_k w_k x_jk)."""
    model = Anmm(table, 4, AnmmShape(bins=3))
    model.attention = nn.Linear(2, 1, bias=False)
    weighed(model.attention, [math.log(3), 0])
    weighed(model.shared, [1, 2, 4])
    query, passage = text([[1, 0], [0, 1]]), text([[2, 0], [-1, 0], [1, 1]])
    root = 0.5**0.5
    assert torch.allclose(model.values(query, passage), torch.tensor([[[-1, root, 1], [0, root, 0]]]))

    def sigmoid(x: float) -> float:
        return 1 / (1 + math.exp(-x))

    by_hand = 0.75 * sigmoid(-1 + 2 * root + 4) + 0.25 * sigmoid(2 * root)
    assert model.compare(query, passage).tolist() == pytest.approx([by_hand])


def test_k_nrm(table: WordTable, text: Text) -> None:
    """tanh(w · φ + b), φ the hundredth of the sums of the kernels' logarithms."""
    model = KNrm(table, 4, KernelShape(kernels=3))  # at 1, 0.5, -0.5
    weighed(model.score_of, [1, 2, 3], 0.1)
    query, passage = text([[1, 0]]), text([[1, 0], [0, 1]])
    near = 2 * math.exp(-0.25 / 0.02)
    logs = [0.0, math.log(near), math.log(math.exp(-2.25 / 0.02) + math.exp(-0.25 / 0.02))]
    by_hand = math.tanh(0.1 + 0.01 * (logs[0] + 2 * logs[1] + 3 * logs[2]))
    assert model.compare(query, passage).tolist() == pytest.approx([by_hand], abs=1e-5)


def test_conv_knrm_reads_n_grams_of_every_length(table: WordTable, text: Text) -> None:
    model = ConvKnrm(table, 4, ConvKnrmShape(longest=2, filters=1, kernels=3))
    model.grams = nn.ModuleList([nn.Conv1d(2, 1, n) for n in (1, 2)])
    weighed(model.grams[0], [1, 0], 0.5)
    weighed(model.grams[1], [[[1, 10], [0, 100]]], 0.0)  # of the first place, then of the second
    one, two = model.n_grams(text([[1, 2], [3, 4], [-5, 6]]))
    assert one.flatten().tolist() == [1.5, 3.5, 0.0]
    assert two.flatten().tolist() == [1 + 30 + 400, 3 - 50 + 600, 0.0]
    assert model.score_of.in_features == 4 * 3


def test_match_pyramid(table: WordTable, text: Text) -> None:
    shape = MatchPyramidShape(match="dot", filters=1, rows=1, columns=2, hidden=1)
    model = MatchPyramid(table, 4, shape)
    query, passage = text([[1, 0], [0, 1]]), text([[1, 2], [3, 4], [5, 6], [7, 8]])
    assert model.matches(query, passage).tolist() == [[[1, 3, 5, 7], [2, 4, 6, 8]]]
    weighed(model.maps[0], [[0, 0, 0], [0, 1, 1], [0, 0, 0]])  # each match and the next
    weighed(model.score_of[0], [1, 10], -1)
    weighed(model.score_of[2], [2], 3)
    # Sums 4, 8, 12, 7 and 6, 10, 14, 8: the largest of the first two columns and of the last two.
    assert model.compare(query, passage).tolist() == [2 * (10 + 140 - 1) + 3]


def test_match_pyramid_of_the_same_words(table: WordTable, text: Text) -> None:
    model = MatchPyramid(table, 4, MatchPyramidShape(match="same"))
    query, passage = text([[1, 0], [0, 1]], ids=[7, 8]), text([[1, 0]] * 3, ids=[8, 7, 7]).padded(4)
    assert model.matches(query, passage).tolist() == [[[0, 1, 1, 0], [1, 0, 0, 0]]]


def test_mv_lstm_matches_places(table: WordTable) -> None:
    u, v = torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, -1.0], [0.0, 1.0]]])
    cosine = MvLstm(table, 4, MvLstmShape(hidden=1)).matches(u, v)
    assert torch.allclose(cosine, torch.tensor([[[[1 / 50**0.5, 2 / 5**0.5]]]]))
    bilinear = MvLstm(table, 4, MvLstmShape(hidden=1, match="bilinear"))
    m = torch.tensor([[[1.0, 2.0], [0.0, -1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    bilinear.tensor.data, bilinear.bias.data = m[:1], torch.tensor([0.5])
    assert bilinear.matches(u, v).tolist() == [[[[3.5, 0.5]]]]  # u M = [1, 0]
    tensor = MvLstm(table, 4, MvLstmShape(hidden=1, match="tensor"))
    tensor.tensor.data, tensor.bias.data = m, torch.tensor([0.5, -9.0])
    weighed(tensor.sides[0], [[1, 0], [0, 1]])
    weighed(tensor.sides[1], [[0, 0], [0, 3]])
    # u M_1 v is 3 and 0, u M_2 v is 5 and 1 (u M_2 = [2, 1]); W u is 1 and 2, W v is 0, 0 and -3, 3.
    assert tensor.matches(u, v).tolist() == [[[[4.5, 1.5]], [[0.0, 0.0]]]]


def test_mv_lstm_scores_the_best_matches(table: WordTable) -> None:
    model = MvLstm(table, 4, MvLstmShape(hidden=2, largest=3))
    model.score_of = nn.Sequential(nn.Linear(3, 1, bias=False))
    weighed(model.score_of[0], [1, 10, 100])
    with torch.inference_mode():
        query, passage = model.queries(["gout fever"]), model.passages(["chest pain"])
        u, v = (model.read(words.values)[0] for words in (query, passage))
        best = sorted(model.matches(u, v).flatten().tolist(), reverse=True)
        assert model.compare(query, passage).tolist() == pytest.approx([best[0] + 10 * best[1] + 100 * best[2]])


def test_arc_i_halves_and_adds_both_sides(table: WordTable, text: Text) -> None:
    maps = Convolutions(2, (1,))
    weighed(maps.layers[0], [[[1, 10, 100], [0, 0, 0]]], 1.0)
    # Windows 0 1 2, 1 2 0, 2 0 0, 0 0 0: the third has a word, the fourth is padding alone and gives 0, not the bias.
    assert maps(text([[1, 0], [2, 0]]).padded(4)).tolist() == [[[211, 3]]]
    model = ArcI(table, 4, ArcIShape(query_words=2, filters=(1,), hidden=1))
    weighed(model.query_hidden, [[2.0]], 1)
    weighed(model.passage_hidden, [[3.0, 5.0]])
    weighed(model.score_of, [[2.0]], -4)
    with torch.inference_mode():
        encoded = [model.encode_queries(["gout"]), model.encode_passages(["fever of the chest"])]
        asked, read = (float(e.values) for e in encoded)
        assert model.interact(*encoded).tolist() == [[pytest.approx(2 * max(0.0, asked + read) - 4)]]


def test_arc_ii_reads_windows_of_both(table: WordTable, text: Text) -> None:
    model = ArcII(table, 4, ArcIIShape(query_words=4, planes=1, filters=(1,), hidden=1))
    model.query_windows, model.passage_windows = (nn.Conv1d(1, 1, 3, padding=1) for _ in range(2))
    weighed(model.query_windows, [1, 10, 100], 0.5)
    weighed(model.passage_windows, [1, 2, 3])
    query, passage = text([[1]]).padded(3), text([[4], [5]]).padded(4)
    planes = model.first_layer(query, passage)
    # Query windows 10, 1 and, of padding alone, none; the passage's 23, 14, 5 and none.
    assert planes.tolist() == [[[[33.5, 24.5, 15.5, 0], [24.5, 15.5, 6.5, 0], [0, 0, 0, 0]]]]


def test_dssm_is_three_layers_over_trigram_counts() -> None:
    model = Dssm(["gout"], 9, DssmShape(hidden=2, vector=1))
    trigrams: Any = model.hashed.weights.weight
    trigrams.data = torch.tensor([[0.1, 0.0], [0.2, 0.0], [0.4, 0.0], [0.0, 0.8]])
    model.bias.data = torch.tensor([0.05, 0.0])
    weighed(model.deeper[1], [[1, 2], [3, 4]], 0.1)
    weighed(model.deeper[3], [1, -1], 0.2)
    first = [math.tanh(2 * 0.7 + 0.05), math.tanh(2 * 0.8)]  # the word stands there twice
    second = [math.tanh(first[0] + 2 * first[1] + 0.1), math.tanh(3 * first[0] + 4 * first[1] + 0.1)]
    by_hand = math.tanh(second[0] - second[1] + 0.2)
    assert model.vectors(["gout gout"], 9).tolist() == [[pytest.approx(by_hand, abs=1e-6)]]


def test_scores_of_dssm_are_cosines_times_gamma(word_base: Path) -> None:
    model: Any = built("dssm", word_base, scale=7.0)
    with torch.inference_mode():
        query, passage = model.vectors(["gout"], 8), model.vectors(["fever of gout"], 12)
        cosine = nn.functional.cosine_similarity(query, passage)
        assert torch.allclose(model.score(["gout"], ["fever of gout"])[0], 7 * cosine)


def test_c_dssm_reads_three_words_at_a_time() -> None:
    model = CDssm(["ab"], 9, DssmShape(hidden=1, vector=1))
    assert list(model.hashed.places) == ["#ab", "ab#"]
    trigrams: Any = model.hashed.weights.weight
    trigrams.data = torch.tensor([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]])
    model.bias.data = torch.tensor([0.5])
    windows, mask = model.windows(["ab abc ab", "abc"], 9)
    # A word "ab" is worth 3, 30 and 300 as the one before, itself and the one after; "abc" 1, 10 and 100.
    assert windows[..., 0].tolist() == [[30 + 100 + 0.5, 3 + 10 + 300 + 0.5, 1 + 30 + 0.5], [10.5, 1.5, 0.5]]
    assert mask.tolist() == [[True] * 3, [True, False, False]]


def test_duet_is_the_sum_of_both(table: WordTable) -> None:
    model = Duet(table, 5, DuetShape(query_words=3, filters=2, window=3)).eval()
    with torch.inference_mode():
        query, passage = model.queries(["gout fever"]).padded(3), model.passages(["fever gout fever pain"]).padded(5)
        assert model.same(query, passage).tolist() == [[[0, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0] * 5]]
        both = model.local(query, passage) + model.distributed(query, passage)
        assert torch.equal(model.pairs(["gout fever"], ["fever gout fever pain"]), both)
        assert model.passage_vectors.in_channels == 2
        first: Any = model.distributed_score[0]
        assert first.in_features == 2 * (5 - 3 + 1)


def test_har_attends_to_words() -> None:
    attention = InnerAttention(1, 1)
    weighed(attention.score_of[0], [1])
    weighed(attention.score_of[2], [2])
    states = torch.tensor([[[0.5], [-1.0], [9.0]]])
    raw = [math.exp(2 * math.tanh(x)) for x in (0.5, -1.0)]
    by_hand = (0.5 * raw[0] - raw[1]) / sum(raw)
    assert attention(states, torch.tensor([[True, True, False]])).tolist() == [[pytest.approx(by_hand)]]


def test_har_crosses_query_and_sentence() -> None:
    cross = CrossAttention(1)
    for layer, weight in ((cross.query, 1.0), (cross.sentence, 2.0), (cross.both, 3.0)):
        weighed(layer, [weight])
    asked, read = torch.tensor([[[1.0], [2.0]]]), torch.tensor([[[0.5], [-0.5]]])
    scores = torch.tensor([[u + 2 * v + 3 * u * v for v in (0.5, -0.5)] for u in (1.0, 2.0)])
    of_query, of_sentence = scores.softmax(dim=0).T, scores.softmax(dim=1)
    v = read[0]
    found: Tensor = of_query @ asked[0]
    back: Tensor = of_query @ of_sentence @ v
    by_hand = torch.cat([v, found, v * found, v * back], dim=1)
    assert torch.allclose(cross(asked, read, torch.ones(1, 2, 2, dtype=torch.bool))[0], by_hand)
