"""Bundles: a folder with one exported model and what is known about it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from search_stack.core.context import Part
from search_stack.core.errors import AspectraError

Kind = Literal["bi", "cross", "mention"]
SHIPPED = Path(__file__).parent / "bundles"
MANIFEST = "bundle.json"
TRAINED = "aspectra.json"
"""Notes what the weights of a trained model do not tell; not in a bundle."""
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"


class Manifest(BaseModel):
    """bundle.json: what the model is, how it was trained, what it scored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    name: str
    kind: Kind
    """"bi" gives vectors, "cross" scores of pairs, "mention" scores of what is said of a marked mention."""
    precision: Literal["fp32", "fp16", "int8", "int8-static"]
    max_tokens: int
    dimensions: int | None = None
    """Length of a vector, or number of answers; none for a cross-encoder."""
    answers: tuple[str, ...] = ()
    """What may be said of a mention, in the order of the scores."""
    context: tuple[Part, ...] = ()
    """What of its surroundings a passage is read with."""
    base: str
    licence: str
    training: dict[str, Any]
    figures: dict[str, Any]
    sha256: dict[str, str]
    """Digest of every other file that the bundle needs."""

    @property
    def identity(self) -> str:
        """Name and weights: vectors of two encoders with the same identity can be compared."""
        return f"{self.name}@{self.sha256.get(MODEL, '')[:12]}"


class Bundle(BaseModel):
    model_config = ConfigDict(frozen=True)

    folder: Path
    manifest: Manifest

    @property
    def model(self) -> Path:
        return self.folder / MODEL

    @property
    def tokenizer(self) -> Path:
        return self.folder / TOKENIZER


def sha256(path: Path) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def folder_of(name: str) -> Path:
    """A shipped bundle's folder, else ``name`` as a folder."""
    shipped = SHIPPED / name
    return shipped if name and shipped.is_dir() else Path(name)


def is_bundle(name: str) -> bool:
    """Whether ``name`` is that of a bundle, shipped or in a folder."""
    return (folder_of(name) / MANIFEST).is_file()


def read_manifest(name: str) -> Manifest:
    """What the bundle ``name`` says of itself; its files are not looked at.

    Raises:
        AspectraError: no such bundle, or its manifest cannot be used; the message names it.
    """
    noted = folder_of(name) / MANIFEST
    if not name or not noted.is_file():
        shipped = ", ".join(sorted(p.name for p in SHIPPED.iterdir() if p.is_dir()))
        raise AspectraError(f"No bundle {name!r}: no {MANIFEST} there.", f"Shipped: {shipped}; or give a folder.")
    try:
        return Manifest.model_validate_json(noted.read_bytes())
    except ValidationError as e:
        first = e.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise AspectraError(f"{noted}: {where}: {first['msg']}.", "Export the model again.") from e


def kind_of(name: str) -> Kind | None:
    """The kind of the bundle ``name``; None where it is a training run's model, not exported.

    Raises:
        AspectraError: it is neither.
    """
    folder = folder_of(name)
    if name and (folder / TRAINED).is_file() and not (folder / MANIFEST).exists():
        return None
    return read_manifest(name).kind


def load_bundle(name: str, kind: Kind) -> Bundle:
    """Find ``name`` among the shipped bundles, else take it for a folder, and check it whole.

    Raises:
        AspectraError: no such bundle, a bundle of another kind, or a file that is missing or
            differs from its digest; the message names it.
    """
    manifest, folder = read_manifest(name), folder_of(name)
    if manifest.kind != kind:
        raise AspectraError(f"{folder} is a bundle of kind {manifest.kind!r}, not {kind!r}.")
    for file in (MODEL, TOKENIZER):
        path = folder / file
        if not path.is_file():
            raise AspectraError(f"{path} is missing.", "Copy the bundle again, whole.")
        if manifest.sha256.get(file) != sha256(path):
            raise AspectraError(f"{path} is not the file that {MANIFEST} describes.", "Copy the bundle again, whole.")
    return Bundle(folder=folder, manifest=manifest)
