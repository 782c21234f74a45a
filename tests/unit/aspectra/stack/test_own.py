from __future__ import annotations

import os
from pathlib import Path

import pytest

from aspectra.stack.own import Web, Worker, child_environment, environment
from aspectra.stack.probes import shown
from search_stack.core.settings import Settings, load_settings


def test_a_child_reads_the_same_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "aspectra.toml"
    config.write_text("web_threads = 7\nbatch_notes = 3\n")
    monkeypatch.setenv("ASPECTRA_CONFIG", str(config))
    monkeypatch.setenv("ASPECTRA_BATCH_NOTES", "5")
    given = Settings(data_dir=tmp_path, reranker_bundle="", broker_url="rediss://:se cret@h/1", engine_timeout=2.5)
    assert (given.web_threads, given.batch_notes) == (7, 5)
    for name, value in environment(given).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("ASPECTRA_CONFIG")
    assert Settings() == given


def test_settings_of_the_parent_that_the_child_should_not_see_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings()
    monkeypatch.setenv("ASPECTRA_WEB_THREADS", "9")
    monkeypatch.setenv("ASPECTRA_CONFIG", "/nowhere")
    monkeypatch.setenv("UNRELATED", "kept")
    child = child_environment(given)
    assert "ASPECTRA_WEB_THREADS" not in child
    assert "ASPECTRA_CONFIG" not in child
    assert child["UNRELATED"] == "kept"


def test_secrets_are_in_the_environment_and_not_among_the_arguments(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, engine_password="hush-hush")
    for service in (Worker(settings), Web(settings)):
        launch = service.launch(print)
        assert launch.environment["ASPECTRA_ENGINE_PASSWORD"] == "hush-hush"
        assert "hush-hush" not in " ".join(launch.command)


def test_a_secret_of_a_file_goes_to_a_child_by_its_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "engine-password"
    secret.touch(0o600)
    secret.write_text("hush-hush\n")
    monkeypatch.setenv("ASPECTRA_ENGINE_PASSWORD_FILE", str(secret))
    given = Settings(data_dir=tmp_path)
    assert given.engine_password.get_secret_value() == "hush-hush"
    child = child_environment(given)
    assert "hush-hush" not in child.values()
    for name in [name for name in os.environ if name.startswith("ASPECTRA_")]:
        monkeypatch.delenv(name)
    for name, value in child.items():
        monkeypatch.setenv(name, value)
    assert load_settings() == given


def test_shown_addresses_have_no_password() -> None:
    assert shown("amqp://user:pass@host:5672/v") == "amqp://host:5672/v"
    assert shown("http://127.0.0.1:19200") == "http://127.0.0.1:19200"
