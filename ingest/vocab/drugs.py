"""The dictionary of drug names that the package drug-named-entity-recognition holds."""

from __future__ import annotations

import bz2
import pickle
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from ingest.vocab.entry import Entry, Left
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable

CODES = {"drugbank_id": "DRUGBANK", "medline_plus_id": "MEDLINEPLUS"}
"""Fields that hold a code of the drug itself. Its "mesh_id" is one of what the drug does, shared by many."""
KNOWN = ("medline_plus_id", "nhs_url", "wikipedia_url")
"""Fields that only drugs have which people get; the others are mostly chemicals and candidates."""
CHEMICALS = "substances that no patient gets"
_PARTS = ("drug_variant_to_canonical", "drug_canonical_to_data")


class _Plain(pickle.Unpickler):
    """Reads dictionaries, lists, texts and numbers; a file can make it run nothing."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it holds a {module}.{name}")


def read_drugs(path: Path, left: Left) -> Iterator[Entry]:
    """Each drug with its names and brands; a mixture is a kind of each of its drugs.

    Raises:
        AspectraError: it is no such file, or cannot be read.
    """
    variants, drugs = _read(path)
    names: dict[str, list[str]] = defaultdict(list)
    for variant, meant in variants.items():
        for drug in meant:
            names[drug].append(variant)
    for drug, data in drugs.items():
        codes = tuple(f"{system}:{data[field]}" for field, system in CODES.items() if data.get(field))
        if not any(data.get(field) for field in KNOWN):
            left[CHEMICALS] += 1
            continue
        parts = [part.removeprefix("and ").strip() for part in drug.split(",")] if "," in drug else drug.split(" and ")
        parents = tuple(_id(drugs[p]) or _named(p) for p in parts if len(parts) > 1 and p in drugs)
        name = data.get("name") or drug
        yield Entry(_id(data) or _named(drug), (name, *dict.fromkeys(names[drug])), 0, parents, "drug", codes)


def _read(path: Path) -> tuple[Mapping[str, list[str]], Mapping[str, dict[str, Any]]]:
    try:
        with bz2.open(path) as source:
            found = _Plain(source).load()
        return tuple(found[part] for part in _PARTS)
    except (EOFError, pickle.UnpicklingError, KeyError, TypeError, ValueError) as e:
        raise AspectraError(f"{path}: no dictionary of drugs.", "Is it of another version of the package?") from e
    except OSError as e:
        raise unreadable(path, e) from None


def _id(data: Mapping[str, Any]) -> str:
    return f"DRUGBANK:{data['drugbank_id']}" if data.get("drugbank_id") else ""


def _named(drug: str) -> str:
    return "drug:" + "-".join(drug.replace(",", " ").replace(";", " ").split())[:70]
