"""Writing of passages to the engine: bulks, versions, and what the engine said to each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from opensearchpy import OpenSearch

from search_stack.core.client import EngineUnavailable, engine_errors
from search_stack.core.schema import passage_id
from search_stack.core.settings import Settings
from search_stack.index.passage import IndexedPassage

BULK_BYTES = 8 * 1024 * 1024
Action = tuple[str, dict[str, Any] | None]
"""A bulk operation: its name and metadata as JSON, and the document where there is one."""


class RefusedDocument(Exception):
    """The engine will not take a document; holds the kind of error, never its words."""


def write_action(target: str, passage: IndexedPassage) -> Action:
    """Write ``passage``, unless the engine holds a newer version of its note."""
    return _head("index", target, passage.id, passage.note_version), passage.document()


def delete_action(target: str, note_key: int, ordinal: int, note_version: int) -> Action:
    """Delete a passage, and keep an older version of its note from coming back."""
    return _head("delete", target, passage_id(note_key, ordinal), note_version), None


def _head(operation: str, target: str, id: str, version: int) -> str:
    # External versions make every retry harmless and a late worker powerless.
    return json.dumps({operation: {"_index": target, "_id": id, "version": version, "version_type": "external_gte"}})


class Writer:
    """Sends actions in bulks of about `BULK_BYTES`."""

    def __init__(self, client: OpenSearch, settings: Settings) -> None:
        self._client = client
        self._settings = settings

    def write(self, actions: Iterable[Action]) -> set[str]:
        """Send every action.

        Returns:
            Ids of the passages that were not written because the engine holds a newer version of their note.

        Raises:
            EngineUnavailable: worth another try.
            RefusedDocument: it is not.
        """
        newer: set[str] = set()
        for body in _bulks(actions):
            with engine_errors(self._settings):
                response = self._client.bulk(body=body)
            if response["errors"]:
                newer |= _check(response["items"])
        return newer


def _bulks(actions: Iterable[Action]) -> Iterator[str]:
    lines: list[str] = []
    size = 0
    for head, document in actions:
        part = head + "\n"
        if document is not None:
            part += json.dumps(document) + "\n"
        if lines and size + len(part) > BULK_BYTES:
            yield "".join(lines)
            lines, size = [], 0
        lines.append(part)
        size += len(part)
    if lines:
        yield "".join(lines)


def _check(items: Sequence[dict[str, Any]]) -> set[str]:
    newer = set()
    for item in items:
        (operation, outcome), *_ = item.items()
        status = outcome["status"]
        if status < 300 or status == 409 or (operation == "delete" and status == 404):
            if status == 409 and operation == "index":
                newer.add(str(outcome["_id"]))
            continue
        if status in (429, 502, 503, 504) or outcome.get("error", {}).get("type") == "index_not_found_exception":
            raise EngineUnavailable(f"The engine could not take a document ({status}).", "Try again shortly.")
        raise RefusedDocument(f"{status} {outcome.get('error', {}).get('type', 'error')}")
    return newer
