from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from encoders.models import bases
from encoders.models.bases import first_layers, resolve_base
from encoders.models.cross import CrossEncoder
from encoders.models.tower import Tower
from search_stack.core.errors import AspectraError


def failure(base: str) -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        resolve_base(base)
    return caught.value


def test_the_named_base_is_a_folder_of_its_package() -> None:
    folder = resolve_base("minilm")
    assert (folder / "config.json").is_file()
    assert (folder / "tokenizer.json").is_file()


def test_a_folder_is_taken_as_it_is(tiny_base: Path) -> None:
    assert resolve_base(str(tiny_base)) == tiny_base


def test_a_base_whose_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bases._PACKAGES, "absent", ("a_module_that_nobody_has", "a-distribution"))
    assert failure("absent").message == "The base 'absent' is not installed."
    assert failure("absent").remedy == "Install it: pip install a-distribution"


def test_a_folder_that_lacks_a_file(tmp_path: Path) -> None:
    assert failure(str(tmp_path)).message == f"The base {str(tmp_path)!r} has no config.json."
    (tmp_path / "config.json").write_text("{}")
    assert failure(str(tmp_path)).message == f"The base {str(tmp_path)!r} has no tokenizer.json."


def test_an_unknown_name_is_told_the_known_ones() -> None:
    assert "minilm" in failure("biobert").remedy


def test_a_student_has_the_first_layers_of_its_base(tiny_base: Path) -> None:
    whole, cut = (Tower.from_base(tiny_base, 24, layers) for layers in (0, 1))
    shallow, deep = (dict(t.transformer.named_parameters()) for t in (cut, whole))
    assert {n for n in deep if "layer.1." in n} == deep.keys() - shallow.keys() != set()
    assert all(shallow[n].equal(deep[n]) for n in shallow)
    assert CrossEncoder.from_base(str(tiny_base), 24, 1).bert.config.num_hidden_layers == 1


def test_more_layers_than_the_base_has_are_not_made_up(tiny_base: Path) -> None:
    with pytest.raises(AspectraError, match="has 2 layers") as caught:
        first_layers(tiny_base, 3)
    assert caught.value.remedy == "Set layers to 2 or fewer, or to 0 for all."


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("layers", [0, 1])
@pytest.mark.parametrize("read", [Tower.from_base, CrossEncoder.from_base])
def test_a_broken_base_is_named(
    read: Callable[[str, int, int], object], layers: int, name: str, tiny_base: Path, tmp_path: Path
) -> None:
    broken = shutil.copytree(tiny_base, tmp_path / "broken")
    (broken / name).write_bytes((broken / name).read_bytes()[:100])
    with pytest.raises(AspectraError) as caught:
        read(str(broken), 24, layers)
    assert caught.value.message == f"{broken}: no transformer can be read there."
    assert caught.value.remedy


def test_another_architecture_is_not_read_as_if_it_were_bert(tiny_base: Path, tmp_path: Path) -> None:
    other = shutil.copytree(tiny_base, tmp_path / "roberta")
    told = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**told, "model_type": "roberta"}))
    with pytest.raises(AspectraError) as caught:
        CrossEncoder.from_base(other, 24)
    assert caught.value.message == f"{other}: its architecture is roberta."
    assert caught.value.remedy == "This model is built on bert only."


def test_a_cross_encoder_of_a_base_that_reads_too_little(tiny_base: Path) -> None:
    with pytest.raises(AspectraError, match="reads 64 tokens at most"):
        CrossEncoder.from_base(tiny_base, 65)
