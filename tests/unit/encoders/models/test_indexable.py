"""What holds for every architecture that encodes queries and passages apart, and of each what it computes."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, cast

import pytest
import torch
from torch.nn import functional

from encoders.models import trained
from encoders.models.bi import BiEncoder
from encoders.models.cdv import ContextualDiscourseVectors
from encoders.models.cross import CrossEncoder
from encoders.models.indexable import Encoded, Indexable, joined
from encoders.models.learning import Batch
from encoders.models.poly import PolyEncoder, PolyShape, TokenPolyEncoder
from encoders.models.tower import Tower, padded, pooled
from encoders.training.config import TrainingConfig
from encoders.training.objectives import backward
from encoders.training.options import with_options
from search_stack.core.errors import AspectraError

QUERIES = ["causes of gout", "asthma", "what are the symptoms of angina"]
PASSAGES = [
    "gout arises from fever .",
    "fever",
    "asthma ; pain | the heart is clear . the lung is clear . no effusion . no pain .",
    "angina shows itself as chest pain .",
]
SHAPES = {
    "bi": {},
    "bi, two towers, first token, dot product": {"shared": False, "pooling": "cls", "similarity": "dot"},
    "bi, markers": {"markers": True},
    "bi, its own tokens": {"pooling": "own"},
    "poly": {"arch": "poly", "codes": 3},
    "poly, relu": {"arch": "poly", "codes": 3, "attention": "relu"},
    "poly, capr": {"arch": "poly", "attention": "capr"},
    "poly, capr, dot product": {"arch": "poly", "attention": "capr", "similarity": "dot"},
    "poly, dot product": {"arch": "poly", "codes": 3, "similarity": "dot"},
    "cdv": {"arch": "cdv", "sentences": "words"},
    "cdv, transformer": {"arch": "cdv", "sentences": "transformer"},
}


def config(base: Path, **changes: object) -> TrainingConfig:
    options = {"base": str(base), "max_tokens": 32, "precision": "fp32", **changes}
    return with_options(str(options.pop("arch", "bi")), options)


@pytest.fixture(params=SHAPES.values(), ids=SHAPES)
def shaped(request: pytest.FixtureRequest, tiny_base: Path) -> TrainingConfig:
    return config(tiny_base, **request.param)


@pytest.fixture
def model(shaped: TrainingConfig) -> Indexable:
    torch.manual_seed(1)
    built = shaped.build().eval()
    assert isinstance(built, Indexable)
    return built


@torch.inference_mode()
def test_scores_do_not_depend_on_who_else_is_there(model: Indexable) -> None:
    scores = model.score(QUERIES, PASSAGES)
    assert scores.shape == (3, 4)
    alone = torch.tensor([[model.score([q], [p]).item() for p in PASSAGES] for q in QUERIES])
    assert scores == pytest.approx(alone, abs=1e-4)
    assert len({round(s, 4) for s in scores.flatten().tolist()}) > 6


@torch.inference_mode()
def test_saved_and_read_again_it_scores_the_same(model: Indexable, shaped: TrainingConfig, tmp_path: Path) -> None:
    trained.save(model, shaped.trained, tmp_path)
    again, noted = trained.load(tmp_path)
    assert again.score(QUERIES, PASSAGES) == pytest.approx(model.score(QUERIES, PASSAGES), abs=1e-5)
    assert noted == shaped.trained


def batch() -> Batch:
    keys = [("gout", "causes"), ("asthma", "treatment"), ("angina", "symptoms")]
    return asking(QUERIES, PASSAGES[:3], keys, keys)


Keys = list[tuple[str, str]]


def asking(queries: list[str], passages: list[str], asked: Keys, about: Keys, both: str = "") -> Batch:
    """Passage n has the id n and answers query n; ``both`` answers every query."""
    answers = [frozenset((str(n), both)) for n in range(len(queries))]
    return Batch(queries, passages, 0, asked, about, answers, [str(n) for n in range(len(passages))])


def gradients(model: Indexable) -> dict[str, torch.Tensor]:
    found = {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    return found


@pytest.mark.parametrize("loss", ["both-ways", "triplet"])
def test_gradients_in_parts_are_those_of_the_whole(loss: str, tiny_base: Path) -> None:
    several = (SHAPES[name] for name in ("bi", "poly", "poly, capr", "bi, two towers, first token, dot product"))
    for shape in several:
        if loss == "triplet" and shape.get("similarity"):
            continue
        whole = config(tiny_base, loss=loss, **shape)
        model = whole.build().train()  # dropout is on: both must drop the same
        assert isinstance(model, Indexable)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        expected = backward(model, batch(), whole), gradients(model)
        found = backward(model, batch(), replace(whole, at_once=2)), gradients(model)
        assert found[0] == pytest.approx(expected[0], abs=1e-5)
        assert found[1].keys() == expected[1].keys()
        for name, gradient in expected[1].items():
            assert torch.allclose(found[1][name], gradient, atol=1e-5), name


@pytest.mark.parametrize(
    "shape", [*SHAPES.values(), {"at_once": 2}, {"arch": "cross", "loss": "listwise", "negatives": 1}]
)
def test_the_scale_is_in_the_gradients_and_not_in_the_loss(shape: dict[str, object], tiny_base: Path) -> None:
    shaped = config(tiny_base, **shape)
    model = shaped.build().eval()
    lists = batch()
    if shaped.negatives:  # each query's own hard negative
        wrong = {"passages": PASSAGES[1:4], "about": [("fever", "causes")] * 3, "ids": ["3", "4", "5"]}
        lists = replace(lists, negatives=1, **{k: [*getattr(lists, k), *more] for k, more in wrong.items()})
    loss, plain = backward(model, lists, shaped), gradients(model)
    scaled_loss, scaled = backward(model, lists, shaped, scale=8.0), gradients(model)
    assert scaled_loss == pytest.approx(loss, rel=1e-5)
    for name, gradient in plain.items():
        assert torch.allclose(scaled[name], 8 * gradient, rtol=1e-3, atol=1e-5), name


def test_dropout_drops_the_same_in_both_passes(tiny_base: Path) -> None:
    shape = config(tiny_base, at_once=2)
    model = shape.build().train()
    assert isinstance(model, Indexable)
    runs = []
    for _ in range(2):
        torch.manual_seed(5)
        runs.append((backward(model, batch(), shape), gradients(model)))
    assert runs[0][0] == runs[1][0]
    assert all(torch.equal(runs[1][1][n], g) for n, g in runs[0][1].items())


@pytest.mark.parametrize("name", SHAPES)
def test_a_few_steps_lower_the_loss(name: str, tiny_base: Path) -> None:
    shape = config(tiny_base, **SHAPES[name])
    torch.manual_seed(2)
    model = shape.build().train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(25):
        losses.append(backward(model, batch(), shape))
        optimiser.step()
        optimiser.zero_grad()
    assert losses[-1] < 0.9 * losses[0]


def test_what_may_be_an_answer_is_no_negative(tiny_base: Path) -> None:
    shape = config(tiny_base)
    model = shape.build().eval()
    one, two = ("gout", "causes"), ("asthma", "causes")
    doubted = asking(QUERIES[:2], [*PASSAGES[:2], PASSAGES[0]], [one, two], [one, two, one])
    assert doubted.doubtful().tolist() == [[False, False, True], [False, False, False]]
    without = asking(QUERIES[:2], PASSAGES[:2], [one, two], [one, two])
    # The first query's list is that without the doubtful passage; the second one's is longer by it.
    assert backward(model, doubted, shape) > backward(model, without, shape)


def test_a_passage_that_also_answers_another_query_is_no_negative_of_it() -> None:
    keys = [("gout", "causes"), ("asthma", "causes")]
    batch = asking(QUERIES[:2], PASSAGES[:2], keys, keys, both="1")
    assert batch.doubtful().tolist() == [[False, True], [False, False]]


@torch.inference_mode()
def test_bi_vectors_have_length_1_and_scores_are_scaled_cosines(tiny_base: Path) -> None:
    model = config(tiny_base).build().eval()
    assert isinstance(model, BiEncoder)
    q, p = model.encode_queries(QUERIES), model.encode_passages(PASSAGES)
    assert q.values.shape == (3, 1, 64)
    assert q.values.norm(dim=-1) == pytest.approx(torch.ones(3, 1))
    expected = functional.cosine_similarity(q.values, p.values[None, :, 0], dim=-1) * 20
    assert model.interact(q, p) == pytest.approx(expected, abs=1e-4)


@torch.inference_mode()
@pytest.mark.parametrize("attention", ["original", "relu"])
@pytest.mark.parametrize(("similarity", "scale"), [("cosine", 20.0), ("dot", 64**-0.5)])
def test_poly_scores_are_what_a_slow_loop_computes(
    attention: str, similarity: str, scale: float, tiny_base: Path
) -> None:
    shape = config(tiny_base, arch="poly", codes=3, attention=attention, similarity=similarity)
    model = shape.build().eval()
    assert isinstance(model, PolyEncoder)
    q, p = model.encode_queries(QUERIES), model.encode_passages(PASSAGES)
    assert q.values.shape == (3, 3, 64)
    assert (q.values.norm(dim=-1) == pytest.approx(torch.ones(3, 3))) is (similarity == "cosine")
    scores = model.interact(q, p)
    for i in range(3):
        for j in range(4):
            met = [float(q.values[i, k] @ p.values[j, 0]) * scale for k in range(3)]
            weights = torch.tensor(met).softmax(0).tolist()
            kept = [max(0.0, y) for y in met] if attention == "relu" else met
            assert float(scores[i, j]) == pytest.approx(
                sum(w * y for w, y in zip(weights, kept, strict=True)), abs=1e-4
            )


class Written:
    """A tower of two dimensions whose states are written down; the words of a text are its tokens."""

    width = 2
    STATES: ClassVar = {"up": [0.0, 2.0], "right": [1.0, 0.0], "left": [-3.0, 0.0]}

    def tokens(self, texts: list[str]) -> list[str]:
        return texts

    def states(self, texts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
        rows = [[self.STATES[word] for word in text.split()] for text in texts]
        longest = max(map(len, rows))
        mask = torch.tensor([[n < len(row) for n in range(longest)] for row in rows])
        return torch.tensor([[*row, *[[9.0, 9.0]] * (longest - len(row))] for row in rows]), mask

    def vectors(self, texts: list[str], pooling: str) -> torch.Tensor:
        return torch.stack([self.states([text])[0][0].mean(dim=0) for text in texts])


@torch.inference_mode()
def test_in_capr_the_query_attends_over_the_tokens_of_the_passage_with_a_learnt_matrix() -> None:
    """By hand: w_t = softmax(q^T W h_t / √2), p = sum w_t h_t."""
    tower = cast(Tower, Written())
    model = TokenPolyEncoder(tower, PolyShape(attention="capr", similarity="dot"))
    model.attend.copy_(torch.tensor([[0.0, 1.0], [2.0, 0.0]]))  # q W = (2 q_2, q_1)
    root = 2**-0.5
    for query, q in (("up right", (0.5, 1.0)), ("left", (-3.0, 0.0))):
        for passage in ("up", "right up left", "left right"):
            states = [Written.STATES[word] for word in passage.split()]
            met = [(2 * q[1] * h[0] + q[0] * h[1]) * root for h in states]
            total = sum(map(math.exp, met))
            p = [sum(math.exp(m) / total * h[i] for m, h in zip(met, states, strict=True)) for i in (0, 1)]
            expected = (q[0] * p[0] + q[1] * p[1]) * root
            # Beside a longer one, so that it is padded.
            found = model.score([query], [passage, "up up up up"])[0, 0]
            assert float(found) == pytest.approx(expected, abs=1e-5)
            cosine = TokenPolyEncoder(tower, PolyShape(attention="capr"))
            cosine.attend.copy_(model.attend)
            length = math.hypot(*p) * math.hypot(*q)
            expected = 20 * (q[0] * p[0] + q[1] * p[1]) / length if length else 0.0
            assert float(cosine.score([query], [passage])) == pytest.approx(expected, abs=1e-4)


def test_what_was_trained_while_capr_meant_relu_is_told_so(tiny_base: Path, tmp_path: Path) -> None:
    old = config(tiny_base, arch="poly", codes=3, attention="relu")
    trained.save(old.build(), replace(old.trained, shape=PolyShape(codes=3, attention="capr")), tmp_path)
    with pytest.raises(AspectraError, match=r"no attention\.pt") as caught:
        trained.load(tmp_path)
    assert "attention relu" in caught.value.remedy


@torch.inference_mode()
def test_cdv_scores_the_mean_over_sentences_and_context_only_colours_it(tiny_base: Path) -> None:
    model = config(tiny_base, arch="cdv", sentences="words").build().eval()
    assert isinstance(model, ContextualDiscourseVectors)
    q, p = model.encode_queries(QUERIES), model.encode_passages(PASSAGES)
    alone = [True, *[False] * 5]
    assert p.mask.tolist() == [alone, alone, [False, False, True, True, True, True], alone]
    own = p.values[2, 2:6]
    entity = functional.cosine_similarity(q.values[0, :, :128], own[:, :128])
    aspect = functional.cosine_similarity(q.values[0, :, 128:], own[:, 128:])
    assert float(model.interact(q, p)[0, 2]) == pytest.approx(20 * float((entity + aspect).mean()) / 2, abs=1e-4)
    bare = model.encode_passages([PASSAGES[2].partition(" | ")[2]])
    assert not torch.allclose(bare.values[0, :4], own, atol=1e-4)


def test_first_tokens_or_the_mean_of_those_that_are_there() -> None:
    states = torch.tensor([[[1.0], [3.0], [100.0]], [[2.0], [4.0], [6.0]]])
    _, mask = padded([[5, 6], [5, 6, 7]], torch.device("cpu"))
    assert pooled(states, mask, "cls").tolist() == [[1.0], [2.0]]
    assert pooled(states, mask, "mean").tolist() == [[2.0], [4.0]]
    assert pooled(states, mask, "max").tolist() == [[3.0], [6.0]]


def test_parts_of_different_length_are_padded_where_they_meet() -> None:
    one = Encoded(torch.ones(2, 1, 3), torch.ones(2, 1, dtype=torch.bool))
    two = Encoded(torch.ones(1, 2, 3), torch.ones(1, 2, dtype=torch.bool))
    both = joined([one, two])
    assert both.values.shape == (3, 2, 3)
    assert both.mask.tolist() == [[True, False], [True, False], [True, True]]


def test_a_model_of_another_make_is_refused(tiny_base: Path) -> None:
    with pytest.raises(AspectraError) as caught:
        trained.load(tiny_base)
    assert "aspectra.json" in caught.value.message


def test_a_base_that_reads_too_little(tiny_base: Path) -> None:
    with pytest.raises(AspectraError) as caught:
        config(tiny_base, max_tokens=65).build()
    assert "reads 64 tokens at most" in caught.value.message


def test_a_cross_encoder_is_saved_with_its_shape(tiny_base: Path, tmp_path: Path) -> None:
    shape = config(tiny_base, arch="cross", negatives=2, loss="listwise")
    model = shape.build().eval()
    trained.save(model, shape.trained, tmp_path)
    again, _ = trained.load(tmp_path)
    assert isinstance(again, CrossEncoder)
    assert again.score(QUERIES, PASSAGES) == pytest.approx(model.score(QUERIES, PASSAGES), abs=1e-5)
