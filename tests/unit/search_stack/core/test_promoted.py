from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.core.promoted import CHOICE, promote, promoted
from search_stack.core.settings import load_settings


def test_a_choice_is_kept_beside_the_others(tmp_path: Path) -> None:
    assert promoted(tmp_path) == {}
    promote(tmp_path, "encoder_bundle", "/a/bundle")
    promote(tmp_path, "reranker_bundle", "shipped")
    promote(tmp_path, "encoder_bundle", "/another")
    assert promoted(tmp_path) == {"encoder_bundle": "/another", "reranker_bundle": "shipped"}
    assert [p.name for p in tmp_path.iterdir()] == [CHOICE]


def test_settings_that_are_given_stand_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(tmp_path))
    shipped = load_settings().encoder_bundle
    promote(tmp_path, "encoder_bundle", "/a/bundle")
    assert load_settings().encoder_bundle == "/a/bundle" != shipped
    monkeypatch.setenv("ASPECTRA_ENCODER_BUNDLE", "/given")
    assert load_settings().encoder_bundle == "/given"


@pytest.mark.parametrize("text", ["{torn", "[]", '{"encoder_bundle": 3}'])
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / CHOICE).write_text(text)
    with pytest.raises(AspectraError) as caught:
        promoted(tmp_path)
    assert str(tmp_path / CHOICE) in caught.value.message
    assert "Delete it" in caught.value.remedy
