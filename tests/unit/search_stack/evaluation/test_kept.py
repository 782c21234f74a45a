"""Figures kept under a digest of what they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.kept import Kept, KeptFigures, code_version, digest_of, folder_version

KEPT = Kept(command=["aspectra", "evaluate", "qa"], seconds=2.5, ended="2026-11-25T10:00:00+00:00", figures={"a": 1})


def test_what_was_put_is_there_and_what_is_broken_is_not(tmp_path: Path) -> None:
    store = KeptFigures(tmp_path / "kept")
    assert store.get("0a") is None
    store.put("0a", KEPT)
    assert KeptFigures(tmp_path / "kept").get("0a") == KEPT
    (tmp_path / "kept" / "0a.json").write_text('{"seconds": ', encoding="utf-8")
    assert store.get("0a") is None
    store.put("0a", KEPT)
    assert [f.name for f in (tmp_path / "kept").iterdir()] == ["0a.json"]


def test_a_digest_changes_with_each_thing_and_not_with_the_place(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for file in (one, other):
        file.write_text("data", encoding="utf-8")
    first = digest_of({"x": one}, ["--limit", "1"], {"encoder": "e"}, "code")
    assert first == digest_of({"x": other}, ["--limit", "1"], {"encoder": "e"}, "code")
    other.write_text("date", encoding="utf-8")
    changed = {
        digest_of({"x": other}, ["--limit", "1"], {"encoder": "e"}, "code"),
        digest_of({"y": one}, ["--limit", "1"], {"encoder": "e"}, "code"),
        digest_of({"x": one}, ["--limit", "2"], {"encoder": "e"}, "code"),
        digest_of({"x": one}, ["--limit", "1"], {"encoder": "f"}, "code"),
        digest_of({"x": one}, ["--limit", "1"], {"encoder": "e"}, "other"),
    }
    assert len(changed | {first}) == 6
    with pytest.raises(AspectraError, match="none: cannot be read"):
        digest_of({"x": tmp_path / "none"}, [], {}, "")


def test_a_folders_version_is_of_names_and_contents_but_of_no_weights(tmp_path: Path) -> None:
    assert folder_version(tmp_path / "none") == ""
    versions = [folder_version(tmp_path)]
    for name, content in (("a.py", "1"), ("a.py", "2"), ("b/c.json", "2")):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, encoding="utf-8")
        versions.append(folder_version(tmp_path))
    assert len({*versions}) == 4
    (tmp_path / "model.onnx").write_bytes(b"weights")
    assert folder_version(tmp_path) == versions[-1]
    assert code_version("search_stack.core") != code_version("search_stack.index")
