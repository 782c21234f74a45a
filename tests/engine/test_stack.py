"""The stack for real: its own data folder, its own ports, real processes."""

from __future__ import annotations

import dataclasses
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from opensearchpy.exceptions import NotFoundError, RequestError
from redis import Redis

from aspectra.stack import doctor, down, processes, status, up
from aspectra.stack.distribution import engine_home
from aspectra.stack.own import child_environment
from aspectra.stack.services import services
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.core.local_engine import USER, password_file
from search_stack.core.settings import Settings

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("own stack")]  # what they share is dear to make
LOCAL = ["engine", "broker"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def settings_in(folder: Path, cache: Path) -> Settings:
    return Settings(
        data_dir=folder,
        cache_dir=cache,
        engine_heap="512m",
        engine_port=free_port(),
        web_port=free_port(),
    )


@pytest.fixture(scope="module")
def base() -> Iterator[Path]:
    """Not pytest's own folder, which is closed to the user that root's engine runs as."""
    folder = Path(tempfile.mkdtemp(prefix="aspectra-stack-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def stack(base: Path) -> Iterator[Settings]:
    """An engine and a broker that run."""
    settings = settings_in(base / "data", base / "cache")
    assert up(settings, LOCAL) == LOCAL
    yield settings
    down(settings)


@pytest.fixture
def other(base: Path, stack: Settings) -> Iterator[Settings]:
    """A second stack, that does not run yet, with the engine that the first has unpacked."""
    settings = settings_in(Path(tempfile.mkdtemp(dir=base)), stack.cache_dir)
    yield settings
    down(settings)


def test_the_services_answer_and_a_second_up_starts_nothing(stack: Settings) -> None:
    before = {found.name: found.pid for found in status(stack)}
    assert up(stack, LOCAL) == []
    after = {found.name: (found.state, found.pid) for found in status(stack)}
    assert after["engine"] == ("running", before["engine"])
    assert after["broker"] == ("running", before["broker"])
    assert after["worker"] == ("stopped", None)
    assert Redis(unix_socket_path=str(stack.broker_socket)).ping()


def test_the_engine_runs_as_the_user_that_the_settings_name(stack: Settings) -> None:
    process = processes.running(stack, "engine")
    assert process
    owner = Path("/proc", str(process.pid)).stat().st_uid
    assert owner == (os.geteuid() or pwd.getpwnam(stack.engine_run_as).pw_uid)
    groups = next(
        line for line in Path("/proc", str(process.pid), "status").read_text().splitlines() if line.startswith("Groups")
    )
    assert "0" not in groups.split()[1:] or os.geteuid() != 0


def test_the_engine_has_both_plugins_and_our_cluster_name(stack: Settings) -> None:
    client = connect(stack)
    assert client.info()["cluster_name"] == stack.engine_cluster_name
    plugins = {plugin["component"] for plugin in client.cat.plugins(format="json")}
    assert {"aspectra-guard", "opensearch-knn", "opensearch-neural-search"} == plugins


def test_the_engine_creates_no_index_by_itself(stack: Settings) -> None:
    with pytest.raises(NotFoundError):
        connect(stack).index(index="unknown", body={"text": "x"})


def test_no_text_reaches_a_log_even_with_slow_logs_switched_on(stack: Settings) -> None:
    client = connect(stack)
    slow = {
        "index.search.slowlog.threshold.query.trace": "0ms",
        "index.search.slowlog.threshold.fetch.trace": "0ms",
        "index.indexing.slowlog.threshold.index.trace": "0ms",
    }
    mappings = {"properties": {"text": {"type": "text"}, "day": {"type": "date"}}}
    client.indices.create(index="logged", body={"settings": slow, "mappings": mappings})
    client.cluster.put_settings(body={"transient": {"cluster.search.request.slowlog.threshold.trace": "0ms"}})
    client.index(index="logged", body={"text": "zebrafinding"}, params={"refresh": "true"})
    assert client.search(index="logged", body={"query": {"match": {"text": "zebrafinding"}}})["hits"]["hits"]
    with pytest.raises(RequestError):
        client.index(index="logged", body={"day": "zebrafinding"})
    logs = [path for path in (stack.data_dir / "logs").rglob("*") if path.is_file()]
    assert any("cluster.search.request.slowlog" in path.read_text() for path in logs)  # the logs are these
    assert not [path for path in logs if "zebrafinding" in path.read_text()]


def test_the_broker_keeps_its_content_when_it_is_stopped(stack: Settings) -> None:
    Redis(unix_socket_path=str(stack.broker_socket)).set("kept", "value")
    assert down(stack, ["broker"]) == ["broker"]
    assert {found.name: found.state for found in status(stack)}["broker"] == "stopped"
    assert up(stack, LOCAL) == ["broker"]
    assert Redis(unix_socket_path=str(stack.broker_socket)).get("kept") == b"value"


def test_a_service_that_was_killed_is_started_again(stack: Settings) -> None:
    process = processes.running(stack, "broker")
    assert process
    os.kill(process.pid, signal.SIGKILL)
    while processes.alive(process):
        time.sleep(0.01)
    assert up(stack, LOCAL) == ["broker"]


def test_an_engine_that_was_killed_is_started_again_at_once(stack: Settings) -> None:
    killed = processes.running(stack, "engine")
    assert killed
    client = connect(stack)
    client.info()
    password = password_file(stack).read_text()
    os.kill(killed.pid, signal.SIGKILL)
    assert up(stack, ["engine"]) == ["engine"]
    assert password_file(stack).read_text() != password
    assert client.info()["cluster_name"] == stack.engine_cluster_name  # a page or a worker lives on


def test_an_engine_of_an_earlier_version_is_started_anew(stack: Settings) -> None:
    process = processes.running(stack, "engine")
    assert process
    earlier = dataclasses.replace(
        process, command=[str(stack.cache_dir / "engine-3.6.0-earlier" / "bin" / "opensearch")]
    )
    processes.pid_file(stack, "engine").write_text(json.dumps(dataclasses.asdict(earlier)))
    assert "earlier version" in next(found.detail for found in status(stack) if found.name == "engine")
    assert up(stack, ["engine"]) == ["engine"]
    assert not processes.alive(process)
    assert {found.name: found.state for found in status(stack)}["engine"] == "running"


def test_a_remote_engine_and_broker_are_asked_and_not_started(stack: Settings, other: Settings) -> None:
    given = other.model_dump() | {"engine_url": stack.engine_address, "broker_url": stack.broker_address}
    given |= {"engine_user": USER, "engine_password": password_file(stack).read_text()}
    said: list[str] = []
    assert up(Settings(**given), LOCAL, said.append) == []
    assert any("OpenSearch 3." in line for line in said)
    assert [found.state for found in status(Settings(**given))][:2] == ["remote", "remote"]


@pytest.mark.parametrize("name", ["engine_url", "broker_url"])
def test_a_remote_service_that_does_not_answer_is_an_error_without_its_password(name: str, other: Settings) -> None:
    scheme = {"engine_url": "http", "broker_url": "redis"}[name]
    given = other.model_dump() | {name: f"{scheme}://someone:hushhush@127.0.0.1:{free_port()}"}
    with pytest.raises(AspectraError, match=f"ASPECTRA_{name.upper()}") as caught:
        up(Settings(**given), [name.removesuffix("_url")])
    assert "hushhush" not in str(caught.value)


@pytest.mark.parametrize(("service", "field"), [("engine", "engine_port"), ("web", "web_port")])
def test_a_taken_port_is_an_error_that_names_the_variable(service: str, field: str, other: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", getattr(other, field)))
        taken.listen()
        with pytest.raises(AspectraError, match=f"ASPECTRA_{field.upper()}"):
            up(other, [service])
        failed = [check for check in doctor(other) if not check.ok]
    assert [f"ASPECTRA_{field.upper()}" in check.remedy for check in failed] == [True]


def test_another_folders_services_are_not_taken_for_ours(stack: Settings, other: Settings) -> None:
    settings = Settings(**other.model_dump() | {"engine_port": stack.engine_port})
    with pytest.raises(AspectraError, match="ASPECTRA_ENGINE_PORT"):
        up(settings, ["engine"])
    assert down(settings) == []
    assert {found.name: found.state for found in status(stack)}["engine"] == "running"


def test_an_engine_that_ends_says_why_and_where_its_log_is(other: Settings) -> None:
    with pytest.raises(AspectraError) as caught:
        up(Settings(**other.model_dump() | {"engine_heap": "1m"}), ["engine"])
    assert "heap" in caught.value.message.lower()
    assert str(other.data_dir / "logs" / "engine.log") in caught.value.remedy


def test_what_a_failed_up_started_is_stopped_and_what_ran_before_is_not(other: Settings) -> None:
    assert up(other, ["broker"]) == ["broker"]
    with pytest.raises(AspectraError):
        up(Settings(**other.model_dump() | {"engine_heap": "1m"}), LOCAL)
    assert [found.name for found in status(other) if found.state != "stopped"] == ["broker"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_an_interrupted_up_started_is_stopped(number: signal.Signals, other: Settings) -> None:
    program = textwrap.dedent(
        """
        from aspectra.stack import up
        from search_stack.core.settings import Settings
        up(Settings(), ["broker", "engine"])
        """
    )
    caller = subprocess.Popen([sys.executable, "-c", program], env=child_environment(other), stderr=subprocess.DEVNULL)
    while not (engine := processes.running(other, "engine")):
        assert caller.poll() is None
        time.sleep(0.02)
    caller.send_signal(number)
    assert caller.wait() != 0
    assert not processes.alive(engine)
    assert all(found.state == "stopped" for found in status(other))


def test_two_at_a_time_start_one_broker(other: Settings) -> None:
    program = """
from aspectra.stack import up
from search_stack.core.settings import Settings
print("started", up(Settings(), ["broker"], lambda line: None))
"""
    callers = [
        subprocess.Popen(
            [sys.executable, "-c", program], env=child_environment(other), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    assert sorted(caller.communicate()[0].strip() for caller in callers) == ["started ['broker']", "started []"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only its engine runs as another user")
def test_a_folder_that_the_engines_user_may_not_enter_is_named(other: Settings) -> None:
    other.data_dir.chmod(0o711)
    other.data_dir.joinpath("closed").mkdir(mode=0o700)
    settings = Settings(**other.model_dump() | {"data_dir": other.data_dir / "closed" / "data"})
    with pytest.raises(AspectraError, match=f"chmod o\\+x {other.data_dir / 'closed'}"):
        up(settings, ["engine"])
    assert [check.name for check in doctor(settings) if not check.ok] == ["engine user"]


def test_an_unpacking_that_was_killed_leaves_nothing_half_made(base: Path, stack: Settings) -> None:
    cache = base / "killed"
    settings = Settings(**stack.model_dump() | {"cache_dir": cache})
    program = textwrap.dedent(
        """
        from aspectra.stack.distribution import unpacked_engine
        from aspectra.stack.java import find_java
        from search_stack.core.settings import Settings
        unpacked_engine(Settings(), find_java(), print)
        """
    )
    command, environment = [sys.executable, "-c", program], child_environment(settings)
    caller = subprocess.Popen(command, env=environment)
    while not any(cache.glob("*.partial/opensearch-*/lib")):
        assert caller.poll() is None
        time.sleep(0.01)
    caller.kill()
    caller.wait()
    assert not engine_home(settings).exists()
    subprocess.run(command, env=environment, check=True)
    assert not list(cache.glob("*.partial"))
    names = {path.relative_to(engine_home(settings)) for path in engine_home(settings).rglob("*")}
    assert names == {path.relative_to(engine_home(stack)) for path in engine_home(stack).rglob("*")}


def test_doctor_finds_nothing_to_mend_where_the_stack_runs(stack: Settings) -> None:
    assert [check for check in doctor(stack) if not check.ok] == []


def test_a_service_whose_program_ends_at_once_names_its_log(other: Settings) -> None:
    """The page and the worker are this program; here it is told a setting that it refuses."""
    broken = other.model_copy(update={"web_host": "0.0.0.0"})
    with pytest.raises(AspectraError, match=r"web\.log"):
        up(broken, ["web"])
    assert [service.name for service in services(other) if processes.running(other, service.name)] == []
