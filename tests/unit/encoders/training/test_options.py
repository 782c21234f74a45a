from __future__ import annotations

from dataclasses import fields

import pytest

from encoders.models import NAMES
from encoders.models.architecture import architecture
from encoders.models.bi import BiShape
from encoders.training.config import TrainingConfig
from encoders.training.options import configured
from search_stack.core.errors import AspectraError


@pytest.mark.parametrize("arch", NAMES)
def test_every_architecture_has_working_defaults(arch: str) -> None:
    config = configured(arch, [])
    assert config.arch == arch
    flat = config.flat()
    assert {name: flat[name] for name in architecture(arch).defaults} == architecture(arch).defaults


@pytest.mark.parametrize("arch", NAMES)
def test_no_option_of_an_architecture_has_the_name_of_one_of_the_run(arch: str) -> None:
    assert not {f.name for f in fields(architecture(arch).shape)} & {f.name for f in fields(TrainingConfig)}


def test_options_are_read_as_their_kind() -> None:
    given = ["batch=8", "scale=12.5", "shared=false", "context=title,lead", "loss=triplet", "base=/some/where=else"]
    config = configured("bi", given, epochs=0.5, seed=None)
    assert (config.batch, config.context) == (8, ("title", "lead"))
    assert config.shape == BiShape(scale=12.5, shared=False)
    assert (config.loss, config.base, config.epochs, config.seed) == ("triplet", "/some/where=else", 0.5, 13)
    assert configured("bi", ["context="]).context == ()


def test_what_is_set_by_name_wins_over_the_defaults_of_the_architecture() -> None:
    assert configured("cross", ["negatives=2"]).negatives == 2
    assert configured("cross", []).negatives == 6
    assert configured("bi", []).negatives == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("colour=red", "--set colour=red: no such option."),
        ("arch=cross", "--set arch=cross: no such option."),
        ("batch", "--set batch: no such option."),
        ("batch=many", "--set batch=many: that is no value for it."),
        ("shared=perhaps", "--set shared=perhaps: that is no value for it."),
        ("precision=fp8", "--set precision=fp8: that is no value for it."),
        ("loss=l2", "--set loss=l2: that is no value for it."),
        ("context=lead,footer", "--set context=lead,footer: that is no value for it."),
        ("batch=0", "batch is 0."),
        ("warmup=2", "warmup is 2.0."),
        ("answered=2", "answered is 2.0."),
    ],
)
def test_an_option_that_cannot_be_used_is_named(given: str, said: str) -> None:
    with pytest.raises(AspectraError) as caught:
        configured("bi", [given])
    assert caught.value.message == said
    assert caught.value.remedy


def test_an_unknown_option_gets_the_list_of_those_of_its_architecture() -> None:
    with pytest.raises(AspectraError) as caught:
        configured("bi", ["codes=3"])
    told = caught.value.remedy.removeprefix("Write name=value, one of: ").removesuffix(".").split(", ")
    run = {f.name for f in fields(TrainingConfig)} - {"arch", "shape"}
    assert set(told) == run | {"shared", "similarity", "scale", "pooling", "markers"}
    assert configured("poly", ["codes=3"]).flat()["codes"] == 3


@pytest.mark.parametrize(
    ("arch", "given"),
    [
        ("cross", ["negatives=0"]),
        ("cdv", ["at_once=8"]),
        ("cdv", ["precision=fp16"]),
        ("cdv", ["hidden=0"]),
        ("poly", ["codes=0"]),
        ("cross", ["at_once=8"]),
        ("cross", ["refresh=8"]),
        ("bi", ["loss=triplet", "similarity=dot"]),
        ("bi", ["alone=0.6", "titled=0.6"]),
    ],
)
def test_options_that_do_not_go_together(arch: str, given: list[str]) -> None:
    with pytest.raises(AspectraError):
        configured(arch, given)


@pytest.mark.parametrize(
    "given",
    [
        ["loss=kl", "negatives=2"],
        ["teacher=/a/run", "negatives=2"],
        ["loss=kl", "teacher=/a/run"],
        ["miner=/a/run"],
        ["refresh=10"],
        ["refresh=10", "miner=/a/run", "negatives=2"],
        ["refresh=-1", "negatives=2"],
        ["answered=0.9", "negatives=2"],
        ["loss=graded"],
    ],
)
def test_teacher_miner_and_refresh_have_what_they_need(given: list[str]) -> None:
    with pytest.raises(AspectraError):
        configured("bi", given)
