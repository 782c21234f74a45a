"""The engine's role for the application (opensearch/security) allows what the code asks for, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from search_stack.core.settings import Settings
from search_stack.index.mapping import alias, pipeline

ROOT = Path(__file__).parents[2]
SECURITY = ROOT / "opensearch" / "security"
ROLE: dict[str, Any] = yaml.safe_load((SECURITY / "roles.yml").read_text(encoding="utf-8"))["aspectra"]
CLUSTER: list[str] = ROLE["cluster_permissions"]
INDEXES, EVERY_INDEX = ROLE["index_permissions"]

ACTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # call of the client: actions on the cluster, actions on our indexes
    "info": (("cluster:monitor/main",), ()),
    "bulk": (
        ("indices:data/write/bulk",),
        (
            "indices:data/write/bulk",
            "indices:data/write/bulk[s]",
            "indices:data/write/index",
            "indices:data/write/delete",
        ),
    ),
    "cluster.health": (("cluster:monitor/health",), ()),
    "count": ((), ("indices:data/read/search",)),
    # Its one path, the search of many at once, is checked below.
    "connection.perform_request": (("indices:data/read/msearch",), ("indices:data/read/search",)),
    "search": ((), ("indices:data/read/search",)),
    "http.put": (("cluster:admin/search/pipeline/put",), ()),  # its one path is checked below
    "indices.create": ((), ("indices:admin/create",)),
    "indices.delete": ((), ("indices:admin/delete",)),
    "indices.delete_index_template": (("indices:admin/index_template/delete",), ()),
    "indices.exists": ((), ("indices:admin/get",)),
    "indices.exists_alias": ((), ("indices:admin/aliases/get",)),
    "indices.get": ((), ("indices:admin/get",)),
    "indices.get_alias": ((), ("indices:admin/aliases/get",)),
    "indices.get_field_mapping": ((), ("indices:admin/mappings/fields/get",)),
    "indices.get_mapping": ((), ("indices:admin/mappings/get",)),
    "indices.put_index_template": (("indices:admin/index_template/put",), ()),
    "indices.put_mapping": ((), ("indices:admin/mapping/put",)),
    "indices.put_settings": ((), ("indices:admin/settings/update",)),
    "indices.refresh": ((), ("indices:admin/refresh", "indices:admin/refresh[s]")),
    "indices.update_aliases": ((), ("indices:admin/aliases",)),
    "nodes.info": (("cluster:monitor/nodes/info",), ()),
    "snapshot.create": (("cluster:admin/snapshot/create",), ()),
    "snapshot.create_repository": (("cluster:admin/repository/put", "cluster:admin/repository/verify"), ()),
    "snapshot.delete": (("cluster:admin/snapshot/delete",), ()),
    "snapshot.delete_repository": (("cluster:admin/repository/delete",), ()),
    "snapshot.get": (("cluster:admin/snapshot/get",), ()),
    "snapshot.get_repository": (("cluster:admin/repository/get",), ()),
    "snapshot.restore": (("cluster:admin/snapshot/restore",), ("indices:admin/create", "indices:data/write/index")),
    "snapshot.status": (("cluster:admin/snapshot/status",), ()),
}
"""What the engine's security asks for each call. The names are those that a real OpenSearch 3.4.0 with the plugin let
through, one by one: docs/production.md says how that was tried. A call that is not here fails the test below."""
OURS = {"close", "transport.get_connection"}
"""Of the client, and nothing that travels."""
LOCAL = {"snapshot.cleanup_repository"}
"""Asked of the engine that we start ourselves, which has no roles: the repository of a cluster is not emptied."""
CLIENT = re.compile(
    r"(?=connection\.perform_request$)|(self\._client|self\.client|self\._engine\.client|client|connect|services\.engine)\."
)
"""How the code calls the engine's client."""


def attributes(node: ast.expr) -> list[str]:
    """``["self", "_client", "indices", "get"]`` of such an expression; empty for another."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return [node.id, *names]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return [node.func.id, *names]
    return []


@cache
def calls() -> tuple[tuple[str, str], ...]:
    """Module and call, for every call of the engine's client in the packages."""
    return tuple(_calls())


def _calls() -> Iterator[tuple[str, str]]:
    for package in ("aspectra", "encoders", "ingest", "search_stack", "ui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if "from redis import" in source:
                continue  # its client is another one
            for node in ast.walk(ast.parse(source)):
                names = ".".join(attributes(node.func)) if isinstance(node, ast.Call) else ""
                if found := CLIENT.match(names):
                    yield str(path.relative_to(ROOT)), names[found.end() :]


def granted(wanted: str, allowed: list[str]) -> bool:
    return any(wanted == pattern or ("*" in pattern and fnmatch(wanted, pattern)) for pattern in allowed)


def test_every_call_of_the_client_is_one_that_the_table_knows() -> None:
    found = {call for _, call in calls()} - OURS
    assert {
        "info",
        "bulk",
        "connection.perform_request",
        "indices.create",
        "indices.update_aliases",
        "http.put",
    } <= found
    unknown = [(where, call) for where, call in calls() if call not in {*ACTIONS, *OURS, *LOCAL}]
    assert not unknown, "add them to ACTIONS, with the actions that they need, and those to roles.yml"


@pytest.mark.parametrize("call", ACTIONS)
def test_the_role_allows(call: str) -> None:
    cluster, indexes = ACTIONS[call]
    assert [a for a in cluster if not granted(a, CLUSTER)] == []
    assert [a for a in indexes if not granted(a, INDEXES["allowed_actions"])] == []


def test_the_role_allows_nothing_else() -> None:
    cluster = {a for c, _ in ACTIONS.values() for a in c}
    indexes = {a for _, i in ACTIONS.values() for a in i}
    assert [p for p in CLUSTER if not any(granted(a, [p]) for a in cluster)] == []
    assert [p for p in INDEXES["allowed_actions"] if not any(granted(a, [p]) for a in indexes)] == []
    assert not {"*", "cluster:*", "indices:*"} & {*CLUSTER, *INDEXES["allowed_actions"]}


def test_of_other_indexes_the_role_shows_the_aliases_alone() -> None:
    # Asked for an alias before the first index, the engine refused with 403 without it.
    assert EVERY_INDEX == {"index_patterns": ["*"], "allowed_actions": ["indices:admin/aliases/get"]}


def test_the_role_covers_the_names_that_the_settings_give() -> None:
    settings = Settings()
    (pattern,) = INDEXES["index_patterns"]
    assert fnmatch(alias(settings), pattern)
    assert fnmatch(f"{alias(settings)}-000001", pattern)
    assert pipeline(settings).startswith(settings.index_prefix)


@pytest.mark.parametrize(
    ("call", "module", "written"),
    [
        ("http.put", "mapping.py", 'http.put(f"/_search/pipeline/'),
        ("connection.perform_request", "engine.py", 'connection.perform_request("POST", "/_msearch",'),
    ],
)
def test_a_raw_call_has_one_path(call: str, module: str, written: str) -> None:
    source = (ROOT / "search_stack" / "index" / module).read_text(encoding="utf-8")
    assert [where for where, name in calls() if name == call] == [f"search_stack/index/{module}"]
    assert written in source


def test_people_and_the_application_have_each_their_own_role() -> None:
    mapping = yaml.safe_load((SECURITY / "roles_mapping.yml").read_text(encoding="utf-8"))
    assert {name: body for name, body in mapping.items() if name != "_meta"} == {
        "all_access": {"reserved": False, "backend_roles": ["admin"]},
        "aspectra": {"reserved": False, "users": ["aspectra"]},
    }
