"""Bi-encoder of long documents: a passage is read inside its document, and its vector is the mean of its own tokens
(late chunking: Günther et al., 2024)."""

from __future__ import annotations

from encoders.models.architecture import Architecture
from encoders.models.bi import BiEncoder, BiShape

ARCHITECTURE = Architecture(
    "long",
    BiEncoder,
    BiShape,
    BiEncoder.build,
    BiEncoder.load,
    {"pooling": "own", "context": ("title", "document"), "max_tokens": 4096, "batch": 8, "at_once": 2},
)
