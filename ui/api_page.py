"""The API told by its own description, one request after the other, each with an example that can be run."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ui.frame import Frame

SUCCESS = ("200", "201", "204")
WORDS = {"integer": "number", "number": "number", "string": "text", "boolean": "true or false", "object": "object"}


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a request or an answer."""

    name: str
    place: str
    """Of a request: path, query, header or body."""
    kind: str
    needed: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    id: str
    method: str
    path: str
    summary: str
    parts: tuple[Part, ...]
    example: str
    answer: tuple[Part, ...]
    status: str
    """Of an answer that is none of an error."""


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    meaning: str
    endpoints: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True)
class ApiPage:
    frame: Frame
    about: str
    topics: tuple[Topic, ...]
    signed: bool
    """Whether a request carries a token."""


def topics(said: Mapping[str, Any], address: str, signed: bool) -> tuple[Topic, ...]:
    """What ``said``, a description as OpenAPI has it, tells of each tag.

    Args:
        address: of the installation, for the examples.
        signed: whether a request carries a token.
    """
    schemas = said["components"]["schemas"]
    told = [
        (operation["tags"][0], _endpoint(method, path, operation, schemas, address, signed))
        for path, operations in said["paths"].items()
        for method, operation in operations.items()
    ]
    return tuple(
        Topic(tag["name"], tag["description"], tuple(endpoint for name, endpoint in told if name == tag["name"]))
        for tag in said["tags"]
    )


def _endpoint(
    method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any], address: str, signed: bool
) -> Endpoint:
    parameters = operation.get("parameters", ())
    sent = operation.get("requestBody", {})
    example = sent["content"]["application/json"]["example"] if sent else None
    fields = (*map(_parameter, parameters), *_fields(_json(sent, schemas), "body"))
    status = next(status for status in SUCCESS if status in operation["responses"])
    answer = _json(operation["responses"][status], schemas)
    filled = _filled(path, {p["name"]: p["schema"] for p in parameters if p["in"] == "path"})
    return Endpoint(
        operation["operationId"],
        method.upper(),
        path,
        operation["summary"],
        fields,
        _curl(method, address + filled, example, signed),
        tuple(_fields(answer, "")),
        status,
    )


def _parameter(parameter: Mapping[str, Any]) -> Part:
    schema = parameter["schema"]
    meaning = parameter.get("description") or schema.get("description", "")
    return Part(parameter["name"], parameter["in"], kind_of(schema), parameter.get("required", False), meaning)


def _json(held: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of what is JSON in it; empty where nothing is."""
    schema: Mapping[str, Any] = held.get("content", {}).get("application/json", {}).get("schema", {})
    return schemas[_named(schema)] if "$ref" in schema else schema


def _fields(schema: Mapping[str, Any], place: str) -> Iterator[Part]:
    needed = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield Part(name, place, kind_of(field), name in needed, field.get("description", ""))


def kind_of(schema: Mapping[str, Any]) -> str:
    """
    >>> kind_of({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    'list of text'
    >>> kind_of({"enum": ["patient", "note"]}), kind_of({"$ref": "#/components/schemas/Pair"}), kind_of({})
    ('patient, note', 'Pair', 'anything')
    """
    if "anyOf" in schema:
        return " or ".join(kind_of(one) for one in schema["anyOf"] if one.get("type") != "null")
    if "$ref" in schema:
        return _named(schema)
    if "enum" in schema or "const" in schema:
        return ", ".join(map(str, schema.get("enum") or [schema["const"]]))
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    return WORDS.get(schema.get("type", ""), "anything")


def _named(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _filled(path: str, schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """With the first of what is numbered; a name stays one.

    >>> _filled("/exports/{number}/files/{name}", {"number": {"type": "integer"}, "name": {"type": "string"}})
    '/exports/1/files/NAME'
    """
    return re.sub(r"{(\w+)}", lambda m: "1" if schemas[m[1]]["type"] == "integer" else m[1].upper(), path)


def _curl(method: str, address: str, example: Mapping[str, Any] | None, signed: bool) -> str:
    """
    >>> print(_curl("post", "http://here/x", {"line": "no fever"}, True))
    curl -s http://here/x \\
      -H 'Authorization: Bearer TOKEN' \\
      -H 'Content-Type: application/json' \\
      -d '{"line": "no fever"}'
    >>> _curl("delete", "http://here/x", None, False)
    'curl -s -X DELETE http://here/x'
    """
    usual = "post" if example else "get"
    parts = [f"curl -s {'' if method == usual else f'-X {method.upper()} '}{shlex.quote(address)}"]
    if signed:
        parts.append("-H 'Authorization: Bearer TOKEN'")
    if example:
        body = json.dumps(example, ensure_ascii=False)
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(body)}"]
    return " \\\n  ".join(parts)
