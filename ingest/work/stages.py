"""How long the stages of a batch take: a line in the worker's log for each."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
import numpy.typing as npt

from ingest.work.writer import Action, Writer
from search_stack.core.context import Surroundings
from search_stack.inference.models import Encoder

_log = logging.getLogger(__name__)
STAGES = ("encode", "write", "rest")
_laps: ContextVar[dict[str, float] | None] = ContextVar("laps", default=None)
"""Seconds by stage of the batch at work; None outside of one."""


@contextmanager
def batch() -> Iterator[None]:
    """Log the seconds of each stage of what is done within; nothing where no passage was encoded or written."""
    laps: dict[str, float] = {}
    outer = _laps.set(laps)
    began = time.perf_counter()
    try:
        yield
    finally:
        _laps.reset(outer)
        if laps:
            laps["rest"] = time.perf_counter() - began - sum(laps.values())
            _log.info("A batch.", extra={"fields": {stage: round(laps.get(stage, 0.0), 3) for stage in STAGES}})


@contextmanager
def _stage(name: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        if (laps := _laps.get()) is not None:
            laps[name] = laps.get(name, 0.0) + time.perf_counter() - began


class TimedEncoder(Encoder):
    """An encoder whose time counts as "encode"."""

    def encode_passages(self, passages: Sequence[tuple[str, Surroundings]]) -> npt.NDArray[np.float32]:
        with _stage("encode"):
            return super().encode_passages(passages)


class TimedWriter(Writer):
    """A writer whose time counts as "write"."""

    def write(self, actions: Iterable[Action]) -> set[str]:
        with _stage("write"):
            return super().write(actions)
