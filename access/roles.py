"""The matrix of roles and rights, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Right(StrEnum):
    """What a view or a route of the API may ask for."""

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
    AUDIT = "audit"
    """Read who did what."""
    OPERATE = "operate"
    """Watch how the installation does: numbers, no text."""


class Role(StrEnum):
    SEARCHER = "searcher"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    AUDITOR = "auditor"
    ADMIN = "admin"


RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.SEARCHER: frozenset({Right.FIND}),
    Role.REVIEWER: frozenset({Right.FIND, Right.COHORTS, Right.REVIEW}),
    Role.MANAGER: frozenset({Right.FIND, Right.COHORTS, Right.KEEP, Right.ADJUDICATE, Right.EXPORT}),
    Role.AUDITOR: frozenset({Right.AUDIT}),
    Role.ADMIN: frozenset({Right.OPERATE}),
}
"""An admin sees no clinical text: who runs the installation need not read in it. Nor does an auditor, besides what
others asked for. Who adjudicates does not review, being blind to nobody."""
