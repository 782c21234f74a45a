"""Which lexicon, rules and code a label comes from: passages carry it, so that old labels can be told."""

from __future__ import annotations

import hashlib
from pathlib import Path

from search_stack.language.lexicon.concepts import Lexicon

FOLDER = Path(__file__).parent
"""What is in it decides what a note's labels are."""
_NOT_RULES = (".pyc", ".md", ".csv")
"""The shipped concepts (``.csv``) count in the lexicon."""


def digest_of(folder: Path) -> str:
    """SHA-256 over the names and contents of all files of rules and code below ``folder``."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in _NOT_RULES:
            whole.update(f"{path.relative_to(folder)}\0".encode())
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


# Read with the code itself: a process that outlives an upgrade goes on labelling as before it.
RULES = digest_of(FOLDER)


def read_by(rules: str = RULES, own: str = "") -> str:
    """8 hexadecimal digits over rules, shipped arbiter and a site's ``own``: all that decides labels but concepts."""
    return hashlib.sha256(f"{rules}{own}".encode()).hexdigest()[:8]


def fingerprint(concept: str, reader: str) -> str:
    """Of a concept's labels: its own fingerprint ``concept``, and `read_by` of what finds and judges its mentions."""
    return f"{concept}-{reader}"


def labels_version(lexicon: Lexicon, rules: str = RULES, own: str = "") -> str:
    """16 hexadecimal digits over the concepts of ``lexicon``, the digest of ``rules`` with the shipped arbiter, and the
    digest of a site's ``own`` arbiter, empty where it has none."""
    return hashlib.sha256(f"{rules}{own} {lexicon.digest}".encode()).hexdigest()[:16]
