"""The matrix of roles and rights, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Right(StrEnum):
    """What a view or a route of the API may ask for."""

    VIEW = "view"
    """Ask how many patients there are, in numbers and passages in which nobody stands out."""
    FIND = "find"
    """Search, read notes, ask for cohorts."""
    COHORTS = "cohorts"
    """See cohorts that are kept, and what exports there are."""
    KEEP = "keep"
    """Keep, change, schedule and delete cohorts."""
    REVIEW = "review"
    """Decide, patient by patient, whether a kept cohort is right; see nobody else's decisions."""
    ADJUDICATE = "adjudicate"
    """See what all reviewers decided and how they agree, settle what they differ on, say what they fill in."""
    EXPORT = "export"
    """Have cohorts written out."""
    PURPOSES = "purposes"
    """Open and end purposes, and say who is of them."""
    AUDIT = "audit"
    """Read who did what."""
    OPERATE = "operate"
    """Watch how the installation does: numbers, no text."""


class Role(StrEnum):
    VIEWER = "viewer"
    SEARCHER = "searcher"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    AUDITOR = "auditor"
    ADMIN = "admin"


RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.VIEWER: frozenset({Right.VIEW}),
    Role.SEARCHER: frozenset({Right.FIND}),
    Role.REVIEWER: frozenset({Right.FIND, Right.COHORTS, Right.REVIEW}),
    Role.MANAGER: frozenset({Right.FIND, Right.COHORTS, Right.KEEP, Right.ADJUDICATE, Right.EXPORT, Right.PURPOSES}),
    Role.AUDITOR: frozenset({Right.AUDIT}),
    Role.ADMIN: frozenset({Right.OPERATE, Right.PURPOSES}),
}
"""An admin sees no clinical text: who runs the installation need not read in it. Nor does an auditor, besides what
others asked for. Who adjudicates does not review, being blind to nobody."""

FOR_A_PURPOSE = frozenset(Right) - {Right.PURPOSES, Right.AUDIT, Right.OPERATE}
"""Rights that show something of patients: they hold for a purpose that was stated, within the collections that it
covers."""
