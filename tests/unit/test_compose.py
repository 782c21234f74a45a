"""compose.yaml and the two images, as far as they can be judged without a Docker engine."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import yaml  # type: ignore[import-untyped]

from search_stack.settings import PREFIX, Settings, load_settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
STORES = ("engine", "broker", "ledger")
APPS = ("web", "worker")

REQUIRED = {
    "OPENSEARCH_INITIAL_ADMIN_PASSWORD": "engine-test-value",
    "BROKER_PASSWORD": "broker-test-value",
    "LEDGER_PASSWORD": "ledger-test-value",
    "ENGINE_CERTS_DIR": "/srv/certs",
}
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|AUTH|_KEY$")
REFERENCE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?::(?P<kind>[?-])(?P<rest>[^}]*))?\})")

SERVICE_KEYS: dict[str, type | tuple[type, ...]] = {
    "image": str,
    "build": dict,
    "restart": str,
    "init": bool,
    "cap_drop": list,
    "security_opt": list,
    "logging": dict,
    "command": list,
    "environment": dict,
    "ulimits": dict,
    "ports": list,
    "networks": (list, dict),
    "network_mode": str,
    "extra_hosts": list,
    "depends_on": dict,
    "volumes": list,
    "healthcheck": dict,
    "stop_grace_period": str,
}
HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}


def substituted(text: str, values: dict[str, str]) -> str:
    """``text`` with ``${NAME:?message}``, ``${NAME:-default}`` and ``$$`` replaced as Compose does."""

    def value(match: re.Match[str]) -> str:
        if match["dollar"]:
            return "$"
        if match["kind"] == "-":
            return values.get(match["name"]) or match["rest"]
        return values[match["name"]]

    assert "$" not in REFERENCE.sub("", text), f"{text!r} has a $ that is neither doubled nor a reference"
    return REFERENCE.sub(value, text)


def environment(service: str) -> dict[str, str]:
    raw = SERVICES[service]["environment"]
    return {name: substituted(str(value), REQUIRED) for name, value in raw.items()}


def mount(volume: str | dict[str, Any]) -> tuple[str, str, str]:
    """Type, source and target of one entry of ``volumes``."""
    if isinstance(volume, dict):
        return volume["type"], volume["source"], volume["target"]
    source, target = volume.split(":")[:2]
    return "volume", source, target


def published(service: str) -> dict[str, str]:
    """Ports inside the container, by the port on the host."""
    return {p.split(":")[1]: p.split(":")[2] for p in SERVICES[service].get("ports", [])}


def settings_of(service: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in (f"{PREFIX}{field.upper()}" for field in [*Settings.model_fields, "config"]):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(service).items():
        monkeypatch.setenv(name, value)
    return load_settings()


def from_line(dockerfile: Path) -> str:
    images: list[str] = re.findall(r"^FROM (\S+)", dockerfile.read_text(encoding="utf-8"), re.MULTILINE)
    return images[-1]


def test_the_file_has_the_five_services_and_only_known_top_level_keys() -> None:
    assert set(SERVICES) == {*STORES, *APPS}
    keys = {key for key in COMPOSE if not key.startswith("x-")}
    assert keys == {"name", "services", "networks", "volumes"}


@pytest.mark.parametrize("service", SERVICES)
def test_service_keys_are_known_and_of_the_right_type(service: str) -> None:
    for key, value in SERVICES[service].items():
        assert key in SERVICE_KEYS, f"{service}.{key} is not a key that this test knows"
        assert isinstance(value, SERVICE_KEYS[key]), f"{service}.{key}"
    for name, value in SERVICES[service]["environment"].items():
        assert isinstance(value, str), f"{service}: {name} is no string, so YAML may change how it is written"


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_restarts_tells_its_health_and_limits_its_log(service: str) -> None:
    body = SERVICES[service]
    assert body["restart"] == "unless-stopped"
    assert set(body["healthcheck"]) == HEALTH_KEYS
    assert body["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert set(body["logging"]["options"]) == {"max-size", "max-file"}


@pytest.mark.parametrize("service", SERVICES)
def test_dependencies_networks_and_named_volumes_are_declared(service: str) -> None:
    body = SERVICES[service]
    for other, how in body.get("depends_on", {}).items():
        assert other in SERVICES
        assert how == {"condition": "service_healthy"}
    assert set(body.get("networks", [])) <= set(COMPOSE["networks"])
    for kind, source, _ in map(mount, body["volumes"]):
        assert kind == "bind" or source in COMPOSE["volumes"]


def test_every_declared_volume_is_used_and_every_store_keeps_its_data_in_one() -> None:
    used = {s: {source for kind, source, _ in map(mount, SERVICES[s]["volumes"]) if kind == "volume"} for s in SERVICES}
    assert set().union(*used.values()) == set(COMPOSE["volumes"])
    assert all(used[store] for store in STORES)


def test_engine_version_is_the_same_in_the_pom_the_image_and_compose() -> None:
    pom = ElementTree.parse(ROOT / "opensearch/pom.xml")
    version = pom.findtext(".//{*}opensearch.version")
    assert version
    assert from_line(ROOT / "opensearch/Dockerfile") == f"opensearchproject/opensearch:{version}"
    assert SERVICES["engine"]["image"] == f"aspectra-engine:{version}"


def test_every_setting_in_the_file_exists() -> None:
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", TEXT))
    assert named
    assert {name.removeprefix(PREFIX).lower() for name in named} <= set(Settings.model_fields)


@pytest.mark.parametrize("service", APPS)
def test_settings_accept_the_environment_of(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(service, monkeypatch)
    assert settings.vector_engine == "faiss"
    assert settings.engine_address.startswith("https://")
    assert settings.engine_password.get_secret_value() == REQUIRED["OPENSEARCH_INITIAL_ADMIN_PASSWORD"]
    assert urlsplit(settings.broker_address).password == REQUIRED["BROKER_PASSWORD"]
    assert urlsplit(settings.ledger_address).password == REQUIRED["LEDGER_PASSWORD"]
    assert urlsplit(settings.ledger_address).scheme == "postgresql+psycopg"
    targets = {target for _, _, target in map(mount, SERVICES[service]["volumes"])}
    assert str(settings.engine_ca_file) in targets


def test_the_page_listens_on_the_loopback_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("web", monkeypatch)
    assert (settings.web_host, SERVICES["web"]["network_mode"]) == ("127.0.0.1", "host")


def test_the_page_reaches_the_stores_at_their_published_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("web", monkeypatch)
    addresses = (settings.engine_address, settings.broker_address, settings.ledger_address)
    for store, address in zip(STORES, addresses, strict=True):
        assert str(urlsplit(address).port) in published(store)
    extra_hosts = [substituted(entry, REQUIRED) for entry in SERVICES["web"]["extra_hosts"]]
    assert extra_hosts == [f"{urlsplit(settings.engine_address).hostname}:127.0.0.1"]
    assert {urlsplit(address).hostname for address in addresses[1:]} == {"127.0.0.1"}


def test_a_worker_reaches_the_stores_by_name_on_a_network_they_share(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("worker", monkeypatch)
    addresses = (settings.engine_address, settings.broker_address, settings.ledger_address)
    for store, address in zip(STORES, addresses, strict=True):
        assert urlsplit(address).hostname == store
        assert str(urlsplit(address).port) in published(store).values()
        assert set(SERVICES["worker"]["networks"]) <= set(SERVICES[store]["networks"])


def test_no_secret_has_a_default() -> None:
    for match in REFERENCE.finditer(TEXT):
        if match["name"] and SECRET.search(match["name"]):
            assert match["kind"] == "?", f"{match[0]} may be empty or has a default"
            assert match["rest"], f"{match[0]} says nothing where it is missing"


@pytest.mark.parametrize("service", SERVICES)
def test_every_secret_comes_from_the_environment(service: str) -> None:
    body = SERVICES[service]
    for name, value in body["environment"].items():
        secret = value if SECRET.search(name) else (re.findall(r"://[^/@:]*:(.+)@", value) or [None])[0]
        assert secret is None or re.fullmatch(r"\$\{\w+:\?[^}]+\}", secret), f"{service}: {name}"
    command = body.get("command", [])
    if "--requirepass" in command:
        assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", command[command.index("--requirepass") + 1])


def test_the_stores_ask_for_their_passwords() -> None:
    command = SERVICES["broker"]["command"]
    assert "--requirepass" in command
    assert command[command.index("--appendonly") + 1] == "yes"
    assert "POSTGRES_HOST_AUTH_METHOD" not in SERVICES["ledger"]["environment"]
    assert "DISABLE_SECURITY_PLUGIN" not in TEXT + (ROOT / "opensearch/Dockerfile").read_text(encoding="utf-8")


def test_the_engine_serves_tls_with_the_mounted_certificates_and_no_demo_set_up() -> None:
    engine = yaml.safe_load((ROOT / "opensearch/production.yml").read_text(encoding="utf-8"))
    mounts = {
        PurePosixPath(target).name for kind, _, target in map(mount, SERVICES["engine"]["volumes"]) if kind == "bind"
    }
    paths = [PurePosixPath(value) for key, value in engine.items() if key.endswith("_filepath")]
    assert engine["plugins.security.ssl.http.enabled"] is True
    assert len(paths) == 6
    assert {str(path.parent) for path in paths} == mounts
    assert "plugins.security.allow_unsafe_democertificates" not in engine
    assert "DISABLE_INSTALL_DEMO_CONFIG=true" in (ROOT / "opensearch/Dockerfile").read_text(encoding="utf-8")


def test_the_engine_may_lock_its_memory() -> None:
    assert SERVICES["engine"]["ulimits"]["memlock"] == {"soft": -1, "hard": -1}


@pytest.mark.parametrize("service", SERVICES)
def test_ports_are_published_on_loopback_only(service: str) -> None:
    for port in SERVICES[service].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port), f"{service}: {port}"
    if service != "web":
        assert "network_mode" not in SERVICES[service]


def test_the_worker_can_be_scaled() -> None:
    assert not {"container_name", "ports", "network_mode"} & set(SERVICES["worker"])
    shared = [source for kind, source, _ in map(mount, SERVICES["worker"]["volumes"]) if kind == "volume"]
    assert not shared, "workers with one volume would share state"


def test_commands_of_the_application() -> None:
    assert {s: SERVICES[s]["command"] for s in APPS} == {"web": ["aspectra", "serve"], "worker": ["aspectra", "worker"]}


def test_a_worker_may_finish_its_task_before_it_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    grace = int(SERVICES["worker"]["stop_grace_period"].removesuffix("s"))
    assert grace > settings_of("worker", monkeypatch).task_seconds


@pytest.mark.parametrize("service", APPS)
def test_health_checks_of_the_application_compile(service: str) -> None:
    how, interpreter, flag, source = SERVICES[service]["healthcheck"]["test"]
    assert (how, interpreter, flag) == ("CMD", "python", "-c")
    compile(substituted(source, REQUIRED), f"health check of {service}", "exec")


def test_the_application_image_is_locked_and_does_not_run_as_root() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert from_line(ROOT / "Dockerfile") == "python:3.12-slim"
    assert "pip install --require-hashes --requirement requirements.lock" in text
    assert "pip install --no-deps ." in text
    user = re.findall(r"^USER (\d+)", text, re.MULTILINE)[-1]
    assert int(user) != 0
    assert not re.search(rf"^(ENV|ARG) .*({SECRET.pattern})", text, re.MULTILINE)


def test_build_context_holds_every_package_and_nothing_else_by_default() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    allowed = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    assert packages | {"pyproject.toml", "README.md", "requirements.lock", "opensearch"} <= allowed


def test_every_variable_is_explained() -> None:
    page = (ROOT / "docs/production.md").read_text(encoding="utf-8")
    missing = {m["name"] for m in REFERENCE.finditer(TEXT) if m["name"] and f"`{m['name']}`" not in page}
    assert not missing
