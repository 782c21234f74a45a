"""compose.yaml and the two images, as far as they can be judged without a Docker engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import pytest
import yaml  # type: ignore[import-untyped]

from aspectra.promotion import kept_models
from aspectra.stack.own import ready_file
from search_stack.core.promoted import CHOICE
from search_stack.core.secret_files import file_variable, secret_in, secrets_of
from search_stack.core.settings import PREFIX, Settings, load_settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
STORES = ("engine", "broker", "ledger")
APPS = ("web", "worker")

REQUIRED = {"SECRETS_DIR": "/srv/secrets", "CERTS_DIR": "/srv/certs"}
MOUNTED_SECRETS = PurePosixPath("/run/secrets")
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
    "read_only": bool,
    "user": str,
    "group_add": list,
    "secrets": list,
    "mem_limit": str,
    "cpus": str,
    "pids_limit": int,
    "shm_size": str,
    "tmpfs": list,
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
    """What ``service`` is set to, each secret that it is given being its own name."""
    for name in (f"{PREFIX}{field.upper()}" for field in [*Settings.model_fields, "config"]):
        monkeypatch.delenv(name, raising=False)
    with TemporaryDirectory() as folder:
        for name in SERVICES[service]["secrets"]:
            (Path(folder) / name).touch(0o600)
            (Path(folder) / name).write_text(f"{name}\n")
        for name, value in environment(service).items():
            monkeypatch.setenv(name, value.replace(str(MOUNTED_SECRETS), folder))
        return load_settings()


def from_line(dockerfile: Path) -> str:
    """The one image that every stage is built from."""
    text = dockerfile.read_text(encoding="utf-8")
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE_IMAGE}"}
    (image,) = re.findall(r"^ARG BASE_IMAGE=(\S+)$", text, re.MULTILINE)
    return str(image)


def test_the_file_has_the_five_services_and_only_known_top_level_keys() -> None:
    assert set(SERVICES) == {*STORES, *APPS}
    keys = {key for key in COMPOSE if not key.startswith("x-")}
    assert keys == {"name", "services", "networks", "volumes", "secrets"}


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
    files = {file_variable(PREFIX, name) for name in secrets_of(Settings)}
    assert {name.removeprefix(PREFIX).lower() for name in named - files} <= set(Settings.model_fields)


@pytest.mark.parametrize("service", APPS)
def test_settings_accept_the_environment_of(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(service, monkeypatch)
    assert settings.vector_engine == "faiss"
    assert settings.engine_address.startswith("https://")
    assert (settings.engine_user, settings.engine_password.get_secret_value()) == ("aspectra", "engine-password")
    assert urlsplit(settings.broker_address).password == "broker-password"
    assert urlsplit(settings.ledger_address).password == "ledger-password"
    assert urlsplit(settings.ledger_address).scheme == "postgresql+psycopg"
    assert urlsplit(settings.broker_address).scheme == "rediss"
    tls = dict(parse_qsl(urlsplit(settings.ledger_address).query))
    own = {"sslcert": str(settings.client_certificate), "sslkey": str(settings.client_key)}
    assert tls == {"sslmode": "verify-full", "sslrootcert": str(settings.engine_ca_file), **own}
    assert settings.broker_ca_file == settings.engine_ca_file
    targets = {target for _, _, target in map(mount, SERVICES[service]["volumes"])}
    assert {str(settings.engine_ca_file), *own.values()} <= targets


def test_the_page_listens_on_the_loopback_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("web", monkeypatch)
    assert (settings.web_host, SERVICES["web"]["network_mode"]) == ("127.0.0.1", "host")


def test_the_page_reaches_the_stores_at_their_published_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("web", monkeypatch)
    addresses = (settings.engine_address, settings.broker_address, settings.ledger_address)
    for store, address in zip(STORES, addresses, strict=True):
        assert str(urlsplit(address).port) in published(store)
    extra_hosts = [substituted(entry, REQUIRED) for entry in SERVICES["web"]["extra_hosts"]]
    # By the names in their certificates.
    assert extra_hosts == [f"{urlsplit(address).hostname}:127.0.0.1" for address in addresses]


def test_a_worker_reaches_the_stores_by_name_on_a_network_they_share(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("worker", monkeypatch)
    addresses = (settings.engine_address, settings.broker_address, settings.ledger_address)
    for store, address in zip(STORES, addresses, strict=True):
        aliases = [substituted(a, REQUIRED) for a in SERVICES[store]["networks"]["inside"]["aliases"]]
        assert aliases == [urlsplit(address).hostname]
        assert str(urlsplit(address).port) in published(store).values()
        assert set(SERVICES["worker"]["networks"]) <= set(SERVICES[store]["networks"])


def test_a_worker_reaches_nothing_outside_the_host() -> None:
    assert SERVICES["worker"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


@pytest.mark.parametrize("service", SERVICES)
def test_every_secret_comes_from_a_file_that_is_mounted(service: str) -> None:
    body = SERVICES[service]
    mounted = {str(MOUNTED_SECRETS / name) for name in body["secrets"]}
    named = {value for name, value in body["environment"].items() if SECRET.search(name)}
    keys = {target for _, _, target in map(mount, body["volumes"]) if target.endswith("-key.pem")}
    assert mounted <= named <= mounted | keys
    for value in body["environment"].values():
        assert not re.search(r"://[^/@]*:[^/@]*@", value), "a password in an address"
    assert "10001" in body.get("group_add", ["10001"])
    assert body.get("group_add") or service in APPS  # whose own group it is


def test_no_secret_has_a_default_or_stands_in_the_file() -> None:
    used = {name for body in SERVICES.values() for name in body["secrets"]}
    assert set(COMPOSE["secrets"]) == used
    for name, body in COMPOSE["secrets"].items():
        assert re.fullmatch(rf"\$\{{SECRETS_DIR:\?[^}}]+\}}/{name}", body["file"])
    for match in REFERENCE.finditer(TEXT):
        name = (match["name"] or "").removeprefix("SECRETS_DIR")
        assert not SECRET.search(name), f"{match[0]} is in the environment of Compose"
    for body in SERVICES.values():  # arguments stand in the host's list of processes
        assert not re.search(r"\$\{", " ".join(body.get("command", [])))


def test_the_script_makes_every_secret_and_changes_none(tmp_path: Path) -> None:
    make = [ROOT / "scripts/make-secrets.sh", tmp_path / "secrets"]
    subprocess.run(make, check=True)
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(COMPOSE["secrets"])
    assert len(set(made.values())) == len(made)
    for name, value in made.items():
        assert re.fullmatch(r"[0-9a-f]{64}\n", value)
        state = (tmp_path / "secrets" / name).stat()
        assert state.st_mode & 0o777 == 0o640
        if os.geteuid() == 0:
            assert (state.st_uid, state.st_gid) == (0, 10001)
            assert secret_in(tmp_path / "secrets" / name) == value.strip()
    (tmp_path / "secrets" / "broker-password").unlink()
    subprocess.run(make, check=True)
    again = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert {name for name in made if made[name] != again[name]} == {"broker-password"}


def test_the_stores_ask_for_their_passwords() -> None:
    options = SERVICES["broker"]["command"][-1].splitlines()
    assert {'requirepass $$(cat "$$BROKER_PASSWORD_FILE")', "appendonly yes", "port 0"} <= set(options)
    ledger, script = SERVICES["ledger"], ROOT / "postgresql/make-account.sh"
    assert "POSTGRES_HOST_AUTH_METHOD" not in ledger["environment"]
    mounted = {source: target for _, source, target in map(mount, ledger["volumes"])}
    assert mounted["./postgresql/make-account.sh"] == "/docker-entrypoint-initdb.d/make-account.sh"
    assert os.access(script, os.X_OK)  # else the image reads it into its own shell
    assert "\\getenv password POSTGRES_PASSWORD\n" in script.read_text()
    assert {"POSTGRES_USER", "POSTGRES_PASSWORD_FILE"} <= set(ledger["environment"])
    assert "DISABLE_SECURITY_PLUGIN" not in TEXT + (ROOT / "opensearch/Dockerfile").read_text(encoding="utf-8")


def test_the_engine_serves_tls_with_the_mounted_certificates_and_no_demo_set_up() -> None:
    engine = yaml.safe_load((ROOT / "opensearch/production.yml").read_text(encoding="utf-8"))
    config = PurePosixPath("/usr/share/opensearch/config")
    mounts = {target for kind, _, target in map(mount, SERVICES["engine"]["volumes"]) if kind == "bind"}
    paths = [str(config / value) for key, value in engine.items() if key.endswith("_filepath")]
    assert engine["plugins.security.ssl.http.enabled"] is True
    assert len(paths) == 6
    assert set(paths) == mounts
    assert "plugins.security.allow_unsafe_democertificates" not in engine
    assert "DISABLE_INSTALL_DEMO_CONFIG=true" in (ROOT / "opensearch/Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("store", STORES)
def test_a_store_gets_the_ca_and_its_own_certificate_and_no_other_key(store: str) -> None:
    sources = [source for kind, source, _ in map(mount, SERVICES[store]["volumes"]) if kind == "bind"]
    files = {PurePosixPath(source).name for source in sources if source.startswith("${CERTS_DIR")}
    assert files == {"ca.pem", f"{store}.pem", f"{store}-key.pem"}


def test_a_store_asks_for_a_certificate_and_its_health_check_has_one() -> None:
    engine = yaml.safe_load((ROOT / "opensearch/production.yml").read_text(encoding="utf-8"))
    assert engine["plugins.security.ssl.http.clientauth_mode"] == "REQUIRE"
    assert "tls-auth-clients yes" in SERVICES["broker"]["command"][-1].splitlines()
    assert "ssl_ca_file=/etc/aspectra/ca.pem" in SERVICES["ledger"]["command"]
    (line,) = [li for li in (ROOT / "postgresql/pg_hba.conf").read_text().splitlines() if li.startswith("host")]
    assert line.split()[-2:] == ["scram-sha-256", "clientcert=verify-full"]
    for store, folder in (("engine", "config/certs"), ("broker", "/etc/aspectra")):
        check = SERVICES[store]["healthcheck"]["test"][-1]
        assert f"--cert {folder}/{store}.pem --key {folder}/{store}-key.pem" in check


def test_engine_snapshots_have_a_volume() -> None:
    engine = yaml.safe_load((ROOT / "opensearch/production.yml").read_text(encoding="utf-8"))
    assert engine["path.repo"] == [
        target for _, source, target in map(mount, SERVICES["engine"]["volumes"]) if source == "engine-snapshots"
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_is_confined(service: str) -> None:
    body = SERVICES[service]
    assert body["cap_drop"] == ["ALL"]
    assert "cap_add" not in body
    assert body["security_opt"] == ["no-new-privileges:true"]
    assert body["read_only"] is True
    assert body["pids_limit"] > 0
    for limit in ("mem_limit", "cpus"):
        name = f"{service.upper()}_{'MEMORY' if limit == 'mem_limit' else 'CPUS'}"
        assert re.fullmatch(rf"\$\{{{name}:-\w+\}}", body[limit])
    if service in STORES:  # the application's image names its own user
        assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", body["user"])


@pytest.mark.parametrize("service", SERVICES)
def test_what_a_service_writes_to_is_its_user_s_and_has_a_size(service: str) -> None:
    user = SERVICES[service].get("user", "10001:10001").split(":")
    for entry in SERVICES[service].get("tmpfs", []):
        target, _, options = entry.partition(":")
        given = dict(option.partition("=")[::2] for option in options.split(","))
        assert [given["uid"], given["gid"], given["mode"]] == [*user, "0700"], target
        assert "size" in given
        assert ("exec" in given) == (entry.startswith("/tmp") and service == "engine")


def test_the_engine_has_twice_its_heap() -> None:
    heap = re.findall(r"ENGINE_HEAP:-(\d+)g", SERVICES["engine"]["environment"]["OPENSEARCH_JAVA_OPTS"])
    (memory,) = re.findall(r":-(\d+)g", SERVICES["engine"]["mem_limit"])
    assert {2 * int(size) for size in heap} == {int(memory)}


def test_page_worker_and_commands_see_the_same_lexicons_and_models(monkeypatch: pytest.MonkeyPatch) -> None:
    for service, mode in (("web", []), ("worker", ["ro"])):
        settings = settings_of(service, monkeypatch)
        (volume,) = [v for v in SERVICES[service]["volumes"] if isinstance(v, str)]
        source, target, *given = volume.split(":")
        assert (source, given) == ("app-data", mode)
        for path in (settings.lexicon_folder, settings.data_dir / CHOICE, kept_models(settings)):
            assert path.is_relative_to(target)
        # A chosen bundle is noted by its whole path: it must be the same in both.
        assert str(settings.data_dir) == target


def test_a_worker_writes_its_ready_file_to_a_file_system_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of("worker", monkeypatch)
    folder = str(ready_file(settings).parent)
    assert folder in [entry.split(":")[0] for entry in SERVICES["worker"]["tmpfs"]]
    # Docker cannot make the folder in a volume that is mounted read-only: the image brings it.
    assert f"/var/lib/aspectra {folder}\n" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize(("age", "healthy"), [(0, True), (100, True), (1000, False), (None, False)])
def test_worker_s_health_is_the_age_of_its_ready_file(tmp_path: Path, age: int | None, healthy: bool) -> None:
    if age is not None:
        ready = ready_file(Settings(data_dir=tmp_path))
        ready.parent.mkdir()
        ready.touch()
        os.utime(ready, (time.time() - age,) * 2)
    command = SERVICES["worker"]["healthcheck"]["test"][1:]
    given = {**os.environ, "ASPECTRA_DATA_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, *command[1:]], env=given, check=False, stderr=subprocess.DEVNULL)
    assert (run.returncode == 0) is healthy


def test_images_are_named_by_whole_versions_and_pinned_by_the_script(tmp_path: Path) -> None:
    digest = f"sha256:{'0123456789abcdef' * 4}"
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\necho {digest}\n")
    docker.chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    made = subprocess.run([ROOT / "scripts/pin-images.sh"], env=path, check=True, capture_output=True, text=True)
    services = yaml.safe_load(made.stdout)["services"]
    assert set(services) == set(SERVICES)
    for service, body in services.items():
        if "build" in SERVICES[service]:
            dockerfile = SERVICES[service]["build"].get("dockerfile", "Dockerfile")
            image, pinned = from_line(ROOT / dockerfile), body["build"]["args"]["BASE_IMAGE"]
        else:
            image, pinned = SERVICES[service]["image"], body["image"]
        assert re.search(r":\d+\.\d+\.?\d*(-[\w-]+)?$", image)
        assert pinned == f"{image}@{digest}"
    docker.write_text("#!/bin/sh\necho nothing\n")
    assert subprocess.run([ROOT / "scripts/pin-images.sh"], env=path, check=False, capture_output=True).returncode


@pytest.mark.parametrize(
    ("admin", "hasher", "starts"),
    [
        ("", "echo some words; echo '$2y$12$'$(printenv $2)", False),
        ("one", "echo some words; echo '$2y$12$'$(printenv $2)", True),
        ("two", "echo '$2y$12$'$(printenv $2)", False),
        ("one", "echo oops", False),
    ],
    ids=["no password", "two users", "one password for both", "no hash"],
)
def test_the_engine_starts_with_two_users_and_two_passwords(
    tmp_path: Path, admin: str, hasher: str, starts: bool
) -> None:
    for folder in ("config.image/opensearch-security", "config/certs", "plugins/opensearch-security/tools"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config.image/opensearch-security/internal_users.yml").write_text("demo: {}")
    for name, text in (
        ("plugins/opensearch-security/tools/hash.sh", hasher),
        ("opensearch-docker-entrypoint.sh", "env"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    passwords = {"ADMIN_PASSWORD": admin, "ENGINE_PASSWORD": "two"}
    given = {"PATH": os.environ["PATH"], "OPENSEARCH_HOME": str(tmp_path)}
    for name, value in passwords.items():
        (tmp_path / name).write_text(f"{value}\n")
        given[f"{name}_FILE"] = str(tmp_path / name)
    run = subprocess.run(
        [ROOT / "opensearch/start-production.sh"], env=given, check=False, capture_output=True, text=True
    )
    assert (run.returncode == 0) is starts
    if not starts:
        assert "the node is not started" in run.stderr or not admin
        assert not (tmp_path / "config/opensearch-security/internal_users.yml").exists() or admin
        return
    written = tmp_path / "config/opensearch-security/internal_users.yml"
    users = yaml.safe_load(written.read_text())
    assert users["admin"] == {"hash": "$2y$12$one", "reserved": False, "backend_roles": ["admin"]}
    assert users["aspectra"] == {"hash": "$2y$12$two", "reserved": False}
    assert written.stat().st_mode & 0o777 == 0o600
    assert not set(passwords) & {line.split("=")[0] for line in run.stdout.splitlines()}


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
    shared = [v for v in SERVICES["worker"]["volumes"] if isinstance(v, str) and not v.endswith(":ro")]
    assert not shared, "workers that write to one volume would share state"


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
    assert re.fullmatch(r"python:3\.12\.\d+-slim-\w+", from_line(ROOT / "Dockerfile"))
    assert "pip install --require-hashes --requirement requirements.lock" in text
    assert "RUN --network=none pip install --no-deps --no-build-isolation .\n" in text
    # The build backend comes from the lock too.
    assert re.search(r"^setuptools==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
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
