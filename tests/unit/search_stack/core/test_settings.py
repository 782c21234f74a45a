from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from kombu.connection import Connection
from pydantic import ValidationError
from sqlalchemy import make_url

from search_stack.core.errors import AspectraError
from search_stack.core.moved import note_moved_ledger
from search_stack.core.secret_files import secrets_of
from search_stack.core.settings import RETIRED, Settings, load_settings

SECRET = "hush-hush-42"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "aspectra.toml"
    monkeypatch.setenv("ASPECTRA_CONFIG", str(path))
    return path


def failure() -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        load_settings()
    return caught.value


def test_the_environment_sets_a_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_WEB_PORT", "9000")
    assert load_settings().web_port == 9000
    assert load_settings().web_address == "http://127.0.0.1:9000"


def test_the_file_sets_a_field_and_the_environment_wins(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('web_port = 9001\nindex_prefix = "ward"\n')
    assert (load_settings().web_port, load_settings().index_prefix) == (9001, "ward")
    monkeypatch.setenv("ASPECTRA_WEB_PORT", "9002")
    assert (load_settings().web_port, load_settings().index_prefix) == (9002, "ward")


def test_an_argument_wins_over_both(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("web_port = 9001\n")
    monkeypatch.setenv("ASPECTRA_WEB_PORT", "9002")
    assert Settings(web_port=9003).web_port == 9003


def test_a_config_file_that_is_not_there_is_named(config: Path) -> None:
    assert str(config) in failure().message
    assert "ASPECTRA_CONFIG" in failure().message


def test_a_config_file_that_is_not_toml_is_named_without_its_words(config: Path) -> None:
    config.write_text(f'web_port = 1\nengine_password = "{SECRET}\n')
    error = failure()
    assert f"{config}: not TOML at line 2" in error.message
    assert SECRET not in str(error)


def test_a_config_file_that_is_not_utf8_is_named(config: Path) -> None:
    config.write_bytes(b'engine_user = "\xff"\n')
    assert f"{config}: not TOML" in failure().message


def test_an_unknown_name_in_the_file_is_named(config: Path) -> None:
    config.write_text("web_prot = 9001\n")
    assert "ASPECTRA_WEB_PROT" in failure().message


def test_unknown_variables_are_named_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_WEB_PROT", SECRET)
    monkeypatch.setenv("ASPECTRA_NONSENSE", SECRET)
    error = failure()
    assert error.message == "Unknown settings in the environment: ASPECTRA_NONSENSE, ASPECTRA_WEB_PROT."
    assert SECRET not in str(error)


@pytest.mark.parametrize("name", RETIRED)
def test_a_retired_setting_is_passed_over_with_a_line(
    name: str, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(f"{name} = 1300\nweb_port = 9001\n")
    monkeypatch.setenv(f"ASPECTRA_{name.upper()}", "1300")
    assert load_settings().web_port == 9001
    assert capsys.readouterr().err == f"ASPECTRA_{name.upper()} has no meaning any more: {RETIRED[name]}.\n"
    assert name not in Settings.model_fields


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_PORT", "eighty"),
        ("WEB_PORT", "0"),
        ("ENGINE_HEAP", "lots"),
        ("VECTOR_ENGINE", "nmslib"),
        ("INDEX_PREFIX", "Upper"),
        ("RERANK_DEPTH", "0"),
        ("ONNX_PROVIDER", "tpu"),
        ("WEB_HOST", "0.0.0.0"),
        ("WEB_HOST", "search.example"),
        ("ENGINE_URL", "search.example:9200"),
        ("ENGINE_URL", f"ftp://reader:{SECRET}@search.example"),
        ("ENGINE_URL", f"https://reader:{SECRET}@[search.example"),
        ("ENGINE_URL", f"https://reader:{SECRET}@search.example:port"),
    ],
)
def test_a_wrong_value_is_told_by_its_variable(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"ASPECTRA_{name}", value)
    error = failure()
    assert error.message.startswith(f"Settings: ASPECTRA_{name}: ")
    assert "docs/settings.md" in error.remedy
    assert SECRET not in str(error)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_the_page_listens_on_loopback(host: str) -> None:
    settings = Settings(web_host=host)
    assert settings.web_address == f"http://{f'[{host}]' if ':' in host else host}:8600"


BEYOND = {"accounts": True, "web_names": "b.example,a.example", "web_certificate": "c.pem", "web_key": "k.pem"}


@pytest.mark.parametrize(
    ("host", "local"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("10.0.0.5", "10.0.0.5"), ("fe80::1", "[fe80::1]")]
)
def test_the_page_listens_elsewhere_with_accounts_names_and_a_certificate(host: str, local: str) -> None:
    settings = Settings(web_host=host, **BEYOND)  # type: ignore[arg-type]  # by name
    assert (settings.web_address, settings.web_local_address) == ("https://b.example:8600", f"https://{local}:8600")
    for left_out, named in (("accounts", "ACCOUNTS=1"), ("web_names", "WEB_NAMES"), ("web_certificate", "WEB_KEY")):
        fewer = {name: value for name, value in BEYOND.items() if name != left_out}
        with pytest.raises(ValueError, match=f"ASPECTRA_{named}"):
            Settings(web_host=host, **fewer)  # type: ignore[arg-type]


def test_a_certificate_and_its_key_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_WEB_KEY", "k.pem")
    assert "ASPECTRA_WEB_KEY: goes with ASPECTRA_WEB_CERTIFICATE" in failure().message
    monkeypatch.setenv("ASPECTRA_WEB_CERTIFICATE", "c.pem")
    assert load_settings().web_address == "https://127.0.0.1:8600"
    monkeypatch.setenv("ASPECTRA_CLIENT_CERTIFICATE", "c.pem")
    assert "ASPECTRA_CLIENT_KEY: goes with ASPECTRA_CLIENT_CERTIFICATE" in failure().message


@pytest.mark.parametrize(
    ("name", "address", "clear"),
    [
        ("engine_url", "http://reader:{}@search.example:9200", True),
        ("engine_url", "http://10.0.0.5:9200", True),
        ("engine_url", "https://search.example:9200", False),
        ("engine_url", "http://127.0.0.1:9200", False),
        ("engine_url", "http://localhost:9200", False),
        ("broker_url", "redis://:{}@queue.example/0", True),
        ("broker_url", "amqp://u:{}@queue.example//", True),
        ("broker_url", "amqps://a.example//;amqp://u:{}@b.example//", True),
        ("broker_url", "rediss://:{}@queue.example/0", False),
        ("broker_url", "redis+socket:///run/broker.sock", False),
        ("broker_url", "redis://[::1]:6379/0", False),
        ("ledger_url", "postgresql+psycopg://u:{}@db.example/aspectra", True),
        ("ledger_url", "postgresql+psycopg://u:{}@db.example/aspectra?sslmode=prefer", True),
        ("ledger_url", "postgresql+psycopg://u:{}@/aspectra?host=/run/postgresql,db.example", True),
        ("ledger_url", "postgresql+psycopg://u:{}@db.example/aspectra?sslmode=verify-full", False),
        ("ledger_url", "postgresql+psycopg://u:{}@/aspectra?host=/run/postgresql", False),
        ("ledger_url", "postgresql+psycopg://u:{}@127.0.0.1:5432/aspectra", False),
        ("ledger_url", "sqlite:////srv/ledger.sqlite3", False),
    ],
)
def test_a_store_on_another_machine_is_reached_over_tls(
    name: str, address: str, clear: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"ASPECTRA_{name.upper()}", address.format(SECRET))
    if clear:
        error = failure()
        assert error.message.startswith(f"Settings: ASPECTRA_{name.upper()}: leads to another machine without TLS")
        assert SECRET not in str(error)
        monkeypatch.setenv("ASPECTRA_PLAIN_STORES", "1")
    load_settings()


def test_a_ledger_that_was_moved_is_reached_over_tls_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(tmp_path))
    note_moved_ledger(tmp_path, f"postgresql+psycopg://u:{SECRET}@db.example/aspectra")
    assert "leads to another machine without TLS" in failure().message
    assert SECRET not in str(failure())
    monkeypatch.setenv("ASPECTRA_PLAIN_STORES", "1")
    assert "db.example" in load_settings().ledger_address


def test_notes_are_taken_up_again_only_after_the_longest_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_TASK_SECONDS", "60")
    assert "ASPECTRA_VISIBILITY_SECONDS: must be more than task_seconds (60)" in failure().message
    monkeypatch.setenv("ASPECTRA_VISIBILITY_SECONDS", "60")
    assert "ASPECTRA_VISIBILITY_SECONDS" in failure().message
    monkeypatch.setenv("ASPECTRA_VISIBILITY_SECONDS", "61")
    assert load_settings().visibility_seconds == 61


def secret_settings() -> Settings:
    return Settings(
        engine_url=f"https://reader:{SECRET}@search.example:9200",
        engine_password=SECRET,
        broker_url=f"rediss://:{SECRET}@h/0",
        ledger_url=f"postgresql://u:{SECRET}@h/d?sslmode=verify-full",
    )


def test_secrets_are_not_in_what_is_printed() -> None:
    settings = secret_settings()
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)
    assert settings.engine_address_shown == "https://search.example:9200"


def test_secrets_are_where_they_are_needed() -> None:
    settings = secret_settings()
    assert all(SECRET in a for a in (settings.engine_address, settings.broker_address, settings.ledger_address))


def test_errors_do_not_repeat_a_secret(config: Path) -> None:
    config.write_text(f'engine_password = ["{SECRET}"]\nbroker_url = {{ a = "{SECRET}" }}\n')
    error = failure()
    assert "ASPECTRA_ENGINE_PASSWORD" in error.message
    assert "ASPECTRA_BROKER_URL" in error.message
    assert SECRET not in str(error)
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert SECRET not in str(caught.value)


SECRETS = ("engine_password", "broker_url", "broker_password", "ledger_url", "ledger_password", "oidc_client_secret")


def test_these_are_the_secrets() -> None:
    assert tuple(secrets_of(Settings)) == SECRETS


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.touch(0o600)
    return path


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_comes_from_a_file(name: str, secret_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = f"sqlite:///{SECRET}" if name.endswith("_url") else SECRET
    secret_file.write_text(f"{value}\n")
    monkeypatch.setenv(f"ASPECTRA_{name.upper()}_FILE", str(secret_file))
    assert getattr(load_settings(), name).get_secret_value() == value
    monkeypatch.setenv(f"ASPECTRA_{name.upper()}", "another")
    assert "are both set" in failure().message


def test_nothing_but_secrets_comes_from_files(secret_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPECTRA_WEB_PORT_FILE", str(secret_file))
    assert failure().message == "Unknown settings in the environment: ASPECTRA_WEB_PORT_FILE."


@pytest.mark.parametrize(
    ("mode", "content", "told"),
    [
        (0o644, SECRET, "others than its owner may read this secret"),
        (0o620, SECRET, "others than its owner may read this secret"),
        (0o600, "\n", "there is no secret in it"),
        (0o600, "", "there is no secret in it"),
        (0o600, "\udcff" + SECRET, "cannot be read"),
        (None, "", "cannot be read (No such file or directory)"),
    ],
)
def test_a_file_of_a_secret_that_does_not_hold_is_told_without_the_secret(
    mode: int | None, content: str, told: str, secret_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASPECTRA_BROKER_PASSWORD_FILE", str(secret_file))
    if mode is None:
        secret_file.unlink()
    else:
        secret_file.write_bytes(content.encode("utf-8", "surrogateescape"))
        secret_file.chmod(mode)
    error = failure()
    assert error.message.startswith(f"{secret_file}: {told}")
    assert SECRET not in str(error)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_another_user_s_is_refused_and_root_s_may_have_a_group(
    secret_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASPECTRA_ENGINE_PASSWORD_FILE", str(secret_file))
    secret_file.write_text(SECRET)
    secret_file.chmod(0o640)
    assert load_settings().engine_password.get_secret_value() == SECRET
    os.chown(secret_file, 12345, 12345)
    secret_file.chmod(0o600)
    assert "it is another user's" in failure().message


def test_a_password_of_its_own_goes_into_an_address_that_has_none() -> None:
    odd = "a/b@c:d e"
    given = Settings(
        broker_url="rediss://queue.example:6379/0",
        broker_password=odd,
        ledger_url="postgresql+psycopg://aspectra@db.example/aspectra?sslmode=verify-full",
        ledger_password=odd,
    )
    assert make_url(given.ledger_address).password == odd
    assert make_url(given.ledger_address).username == "aspectra"
    assert Connection(given.broker_address).password == odd  # type: ignore[no-untyped-call]  # kombu has no hints
    whole = "amqps://u:own@a.example//;amqps://u@b.example//"
    assert Settings(broker_url=whole, broker_password="p").broker_address == whole.replace("u@", "u:p@")
    assert Settings(ledger_password=odd, data_dir=Path("/d")).ledger_address == "sqlite:////d/ledger.sqlite3"


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Settings().web_port = 1  # type: ignore[misc]


def test_folders_follow_the_xdg_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/srv/cache")
    assert Settings().data_dir == Path("/srv/data/aspectra")
    assert Settings().cache_dir == Path("/srv/cache/aspectra")


@pytest.mark.parametrize("value", ["", "relative/path"])
def test_an_empty_or_relative_xdg_variable_counts_as_none(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    without = Settings().data_dir
    monkeypatch.setenv("XDG_DATA_HOME", value)
    assert Settings().data_dir == without
    assert without.is_absolute()


def test_a_home_that_others_may_enter_holds_the_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    root = os.geteuid() == 0
    assert Settings().data_dir == tmp_path / (".aspectra/data" if root else ".local/share/aspectra")
    assert Settings().cache_dir == tmp_path / (".aspectra/cache" if root else ".cache/aspectra")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only its engine runs as another user")
def test_roots_folders_are_the_systems_where_its_home_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().data_dir == Path("/var/lib/aspectra")


def test_local_services_are_on_this_machine(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, engine_port=1200)
    assert settings.engine_address == settings.engine_address_shown == "http://127.0.0.1:1200"
    assert settings.broker_address == f"redis+socket://{settings.broker_socket}"
    assert settings.ledger_address == f"sqlite:///{tmp_path}/ledger.sqlite3"


def test_every_field_says_what_it_is() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert re.search(r"[.…]$", field.description), name


def test_settings_are_keys() -> None:
    """Each process keeps one ledger, encoder and indexer by its settings."""
    assert len({Settings(), Settings(), Settings(web_port=1)}) == 2
