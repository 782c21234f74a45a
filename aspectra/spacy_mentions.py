"""Mentions of any spaCy pipeline, its named entities, for ``ASPECTRA_MENTIONS=spacy:NAME``; extra ``spacy``."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Span

from search_stack.core.errors import AspectraError
from search_stack.language.mentions import Named


class SpacyMentions:
    """The entities of the pipeline ``name``, an installed package or a folder, loaded when it is first asked.

    What an entity is called in vocabularies is read from ``kb_id_``, ``ent_id_``, and from what scispaCy and MedCAT
    keep on a span (``kb_ents``, ``cui``).

    Raises:
        AspectraError: there is no such pipeline.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.identity = f"spacy:{_version(name)}"

    @cached_property
    def _pipeline(self) -> Language:
        try:
            return spacy.load(self._name)
        except Exception as e:  # whatever the factories of its components raise
            first = (str(e).splitlines() or [type(e).__name__])[0]
            raise AspectraError(f"spaCy cannot load the pipeline {self._name}.", first) from e

    def named(self, text: str) -> Iterator[Named]:
        for entity in self._pipeline(text).ents:
            yield Named(entity.start_char, entity.end_char, tuple(dict.fromkeys(_codes(entity))))


def _codes(entity: Span) -> Iterator[str]:
    """As they are, and as UMLS's where they look like a CUI."""
    told = [entity.kb_id_, entity.ent_id_]
    if entity.has_extension("kb_ents"):
        told += [code for code, _ in entity._.kb_ents[:1]]
    if entity.has_extension("cui"):
        told.append(str(entity._.cui))
    for code in filter(None, told):
        yield code
        if code[0] == "C" and code[1:].isdigit():
            yield f"UMLS:{code}"


def _version(name: str) -> str:
    """Name and version of a package; of a folder its name, and a digest of what it says of itself.

    Raises:
        AspectraError: it is neither.
    """
    meta = Path(name) / "meta.json"
    if meta.is_file():
        return f"{Path(name).name}@{hashlib.sha256(meta.read_bytes()).hexdigest()[:12]}"
    try:
        return f"{name}@{importlib.metadata.version(name)}"
    except (importlib.metadata.PackageNotFoundError, ValueError) as e:
        raise AspectraError(
            f"ASPECTRA_MENTIONS names the spaCy pipeline {name}, which is not installed.",
            "Install its package, or name the folder that nlp.to_disk wrote.",
        ) from e
