"""What a section without a heading is about, from its words: a linear model over hashed n-grams and a few signs."""

from __future__ import annotations

import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_stack.core.errors import AspectraError

BUCKETS = 1 << 15
"""Features of the hashed words, and as many again of the hashed letters."""
SIGNS = 1 << 12
"""Features of the hashed signs: how it begins and ends, how long it is, what is counted in it."""
FEATURES = 2 * BUCKETS + SIGNS
READ = 4000
"""Characters of a section that are looked at."""
CONFIDENT = 0.25
"""Lead over the next header from which the aspect is believed."""
_WORD = re.compile(r"[^\W_]+")
_LETTERS = range(3, 6)
_MANY = 3
"""From here on a sign is not counted further."""


@dataclass(frozen=True, slots=True)
class TextModel:
    """``weights`` (FEATURES, H) int8 with ``scale`` (H,), ``bias`` (H,), ``idf`` (FEATURES,); headers in order."""

    headers: tuple[str, ...]
    weights: NDArray[np.int8]
    scale: NDArray[np.float32]
    bias: NDArray[np.float32]
    idf: NDArray[np.float16]

    def margins(self, text: str) -> NDArray[np.float32]:
        """(H,): how much speaks for each header."""
        at, values = weighted(counts(text), self.idf)
        total: NDArray[np.float32] = (values @ self.weights[at].astype(np.float32)) * self.scale + self.bias
        return total

    def header(self, text: str) -> tuple[str, float]:
        """The likeliest header, and its lead over the next one."""
        margins = self.margins(text)
        best, second = np.argsort(margins)[:-3:-1]
        return self.headers[best], float(margins[best] - margins[second])


def counts(text: str) -> Counter[int]:
    """How often each feature occurs: words and pairs of words, then 3 to 5 letters in a row, then signs."""
    read = text[:READ].lower()
    found = _WORD.findall(read)
    out: Counter[int] = Counter()
    for n, word in enumerate(found):
        out[_bucket(word)] += 1
        if n:
            out[_bucket(f"{found[n - 1]} {word}")] += 1
        padded = f" {word} "
        for length in _LETTERS:
            for k in range(len(padded) - length + 1):
                out[BUCKETS + _bucket(padded[k : k + length])] += 1
    for sign in _signs(read, found):
        out[2 * BUCKETS + _bucket(sign, SIGNS)] += 1
    return out


def _signs(text: str, words: Sequence[str]) -> Iterator[str]:
    if words:
        yield f"first {words[0]}"
        yield f"first {' '.join(words[:2])}"
        yield f"last {words[-1]}"
    yield f"length {len(words).bit_length()}"
    for name, pattern in sign_patterns().items():
        yield f"{name} {min(_MANY, sum(1 for _ in pattern.finditer(text)))}"


def weighted(found: Mapping[int, int], idf: NDArray[np.float16]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Features and their weights: 1 + ln(count), by rarity; words, letters and signs each of length 1."""
    at = np.fromiter(sorted(found), dtype=np.int64, count=len(found))
    values = np.array([1 + np.log(found[n]) for n in at.tolist()], dtype=np.float32) * idf[at].astype(np.float32)
    for part in (at < BUCKETS, (at >= BUCKETS) & (at < 2 * BUCKETS), at >= 2 * BUCKETS):
        if length := float(np.sqrt((values[part] ** 2).sum())):
            values[part] /= length
    return at, values


def _bucket(feature: str, buckets: int = BUCKETS) -> int:
    return zlib.crc32(feature.encode()) % buckets


@cache
def header_table() -> dict[str, dict[str, Any]]:
    """``aspects``: header -> aspect; ``also``: further aspects -> header; ``skipped``: not learnt from headings;
    ``signs``: name -> pattern and examples."""
    return tomllib.loads((files("search_stack.language.sections") / "headers.toml").read_text(encoding="utf-8"))


@cache
def sign_patterns() -> dict[str, re.Pattern[str]]:
    """By name, what is counted in a section's text."""
    return {name: re.compile(sign["pattern"]) for name, sign in header_table()["signs"].items()}


def load_model(folder: Path | None = None) -> TextModel:
    """The model in ``folder``, or the shipped one.

    Raises:
        AspectraError: there is none, or it is no such model.
    """
    path = (folder or Path(str(files("search_stack.language.sections") / "model"))) / "aspects.npz"
    try:
        with np.load(path, allow_pickle=False) as found:
            model = TextModel(
                tuple(found["headers"].tolist()), found["weights"], found["scale"], found["bias"], found["idf"]
            )
        if model.weights.shape != (FEATURES, len(model.headers)):
            raise ValueError("made for other features")
        return model
    except (OSError, KeyError, ValueError) as e:
        raise AspectraError(
            f"{path}: no aspect model ({type(e).__name__}).",
            "Train one: aspectra train aspects --data FILE --out FOLDER",
        ) from e


@cache
def shipped() -> TextModel:
    return load_model()


def predict_aspect(text: str) -> str:
    """The aspect of a section by its text alone; empty where the model is not sure.

    >>> predict_aspect("")
    ''
    """
    if not text.strip():
        return ""
    header, lead = shipped().header(text)
    return header_table()["aspects"][header] if lead >= CONFIDENT else ""
