"""The folder of one training run: its settings, its checkpoint, its log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from search_stack.core.errors import AspectraError


class TrainingFolder:
    """``config.json``, ``checkpoint.pt`` and ``log.jsonl`` (a line per checkpoint) in ``path``.

    Raises:
        AspectraError: the folder holds a run with other settings, or cannot be written.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        self._checkpoint = path / "checkpoint.pt"
        text = json.dumps(settings, indent=2) + "\n"
        noted = path / "config.json"
        try:
            path.mkdir(parents=True, exist_ok=True)
            if noted.exists() and (other := _differing(noted.read_text(encoding="utf-8"), settings)):
                raise AspectraError(f"{path} holds a run with other settings: {other}.", "Choose another --out folder.")
            noted.write_text(text, encoding="utf-8")
        except OSError as e:
            raise AspectraError(f"{path}: cannot be written ({e.strerror}).", "Choose another --out folder.") from e

    def last(self, device: torch.device) -> dict[str, Any] | None:
        """The state at the last checkpoint; None before the first.

        Raises:
            AspectraError: the checkpoint cannot be read.
        """
        if not self._checkpoint.exists():
            return None
        try:
            state: dict[str, Any] = torch.load(self._checkpoint, map_location=device, weights_only=True)
        except Exception as e:  # torch raises whatever its unpickler meets
            raise AspectraError(f"{self._checkpoint}: cannot be read.", "Delete it to train from the start.") from e
        return state

    def save(self, state: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        """Keep ``state`` whole or not at all, then log ``line``: a full disk leaves the last checkpoint as it was."""
        fresh = self._checkpoint.with_suffix(".part")
        try:
            torch.save(state, fresh)
            fresh.replace(self._checkpoint)
            with (self.path / "log.jsonl").open("a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
        except (OSError, RuntimeError) as e:
            with suppress(OSError):
                fresh.unlink()
            raise AspectraError(
                f"{self._checkpoint}: the checkpoint could not be written ({e}).",
                "Free some space and run the same command again: it goes on from the last checkpoint.",
            ) from e

    def log(self) -> list[dict[str, Any]]:
        """The lines of the log, the oldest first."""
        noted = self.path / "log.jsonl"
        return [json.loads(line) for line in noted.read_text(encoding="utf-8").splitlines()] if noted.exists() else []


def _differing(noted: str, settings: Mapping[str, Any]) -> str:
    """Names of the settings that ``noted``, the text of config.json, lacks or has otherwise. What it has besides are
    options of other architectures, which earlier versions wrote too."""
    try:
        old = json.loads(noted)
    except ValueError:
        old = None
    if not isinstance(old, dict):
        return "config.json is damaged"
    new = json.loads(json.dumps(settings))
    return ", ".join(sorted(k for k in new if k not in old or old[k] != new[k]))
