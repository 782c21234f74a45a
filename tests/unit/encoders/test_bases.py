from __future__ import annotations

from pathlib import Path

import pytest

from encoders import bases
from encoders.bases import first_layers, resolve_base
from encoders.cross import CrossEncoder
from encoders.tower import Tower
from search_stack.errors import AspectraError


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
