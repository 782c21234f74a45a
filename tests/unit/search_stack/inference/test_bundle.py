from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import SHIPPED, load_bundle, sha256
from search_stack.inference.session import ModelSession

NAME = "minilm-bi-int8"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED / NAME, tmp_path / "bundle"))


def failure(name: str, kind: str = "bi") -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        load_bundle(name, kind)  # type: ignore[arg-type]
    return caught.value


def edit(folder: Path, **changes: Any) -> None:
    path = folder / "bundle.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def replace_file(folder: Path, name: str, content: bytes) -> None:
    """With the digest to match, so that only reading it can find it out."""
    (folder / name).write_bytes(content)
    edit(folder, sha256=json.loads((folder / "bundle.json").read_text())["sha256"] | {name: sha256(folder / name)})


def test_a_shipped_bundle_is_found_by_name_and_a_folder_by_path(copy: Path) -> None:
    assert load_bundle(NAME, "bi").folder == SHIPPED / NAME
    assert load_bundle(str(copy), "bi").folder == copy
    assert load_bundle(str(copy), "bi").manifest == load_bundle(NAME, "bi").manifest


@pytest.mark.parametrize("name", ["", "minilm-bi-int9", "/nowhere/at/all"])
def test_an_unknown_bundle_is_named_beside_those_there_are(name: str) -> None:
    error = failure(name)
    assert f"No bundle {name!r}" in error.message
    assert NAME in error.remedy


def test_another_kind() -> None:
    assert failure(NAME, "cross").message.endswith("is a bundle of kind 'bi', not 'cross'.")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(copy: Path, file: str) -> None:
    (copy / file).unlink()
    assert failure(str(copy)).message == f"{copy / file} is missing."


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_that_differs_from_its_digest_is_named(copy: Path, file: str) -> None:
    content = bytearray((copy / file).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / file).write_bytes(content)
    assert failure(str(copy)).message == f"{copy / file} is not the file that bundle.json describes."


def test_a_file_without_a_digest_is_not_trusted(copy: Path) -> None:
    edit(copy, sha256={})
    assert str(copy / "model.onnx") in failure(str(copy)).message


def test_broken_json_is_named(copy: Path) -> None:
    (copy / "bundle.json").write_text('{"format": 1,')
    assert f"{copy / 'bundle.json'}: the file: Invalid JSON" in failure(str(copy)).message


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"format": 2}, "format"),
        ({"kind": "poly"}, "kind"),
        ({"precision": "fp8"}, "precision"),
        ({"max_tokens": "many"}, "max_tokens"),
        ({"surplus": 1}, "surplus"),
    ],
)
def test_a_wrong_field_of_the_manifest_is_named(copy: Path, changes: dict[str, Any], where: str) -> None:
    edit(copy, **changes)
    error = failure(str(copy))
    assert error.message.startswith(f"{copy / 'bundle.json'}: {where}: ")
    assert error.remedy


def test_a_model_that_onnx_runtime_cannot_read_is_named(copy: Path) -> None:
    replace_file(copy, "model.onnx", b"\x08\x07not a model")
    with pytest.raises(AspectraError) as caught:
        ModelSession(load_bundle(str(copy), "bi"))
    assert caught.value.message.startswith(f"{copy / 'model.onnx'} is not a model that ONNX Runtime ")
    assert "aspectra export" in caught.value.remedy


def test_a_tokenizer_that_cannot_be_read_is_named(copy: Path) -> None:
    replace_file(copy, "tokenizer.json", b"{}")
    with pytest.raises(AspectraError) as caught:
        ModelSession(load_bundle(str(copy), "bi"))
    assert caught.value.message == f"{copy / 'tokenizer.json'} is not a tokenizer that can be read."


def test_every_shipped_bundle_is_whole_and_small_and_has_a_card() -> None:
    for folder in SHIPPED.iterdir():
        manifest = json.loads((folder / "bundle.json").read_text())
        assert load_bundle(folder.name, manifest["kind"]).manifest.name == folder.name
        assert (folder / "README.md").read_text().startswith(f"# {folder.name}\n")
        assert manifest["licence"]
        assert sum(f.stat().st_size for f in folder.iterdir()) <= 25_000_000
