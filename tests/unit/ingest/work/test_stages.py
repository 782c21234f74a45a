"""The line that the worker logs of a batch."""

from __future__ import annotations

import logging

import pytest

from ingest.work.stages import TimedEncoder, batch
from search_stack.core.context import NOTHING
from search_stack.core.settings import Settings

SECRET = "gossamer"


def test_a_batch_is_told_by_the_seconds_of_its_stages(caplog: pytest.LogCaptureFixture) -> None:
    encoder = TimedEncoder.from_settings(Settings(onnx_provider="cpu"), threads=1)
    with caplog.at_level(logging.INFO, "ingest.work.stages"):
        encoder.encode_passages([(SECRET, NOTHING)])
        with batch():
            encoder.encode_passages([(SECRET, NOTHING)])
            encoder.encode_passages([(SECRET, NOTHING)])
        with batch():
            pass
    (record,) = caplog.records
    fields = record.__dict__["fields"]
    assert list(fields) == ["encode", "write", "rest"]
    assert fields["encode"] > 0 == fields["write"]
    assert SECRET not in caplog.text
