"""Where a clause begins and ends, by its words alone."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files

_WORDS = tomllib.loads((files("search_stack.language.assertion") / "clauses.toml").read_text(encoding="utf-8"))
VERBS, EXISTENTIAL, FILLERS, BE, PARTICIPLES, ACTIVES, BEHIND_VERB, CHANGES, REPORTS = (
    frozenset(_WORDS[kind].split())
    for kind in (
        *("verbs", "existential", "fillers", "be", "participles", "actives"),
        *("behind_verb", "changes", "reports"),
    )
)
PATIENT, LEAD_IN, SUBJECTS, BREAKERS, LINKS, COMMAS, STOPS, OPENERS, TELLS_WHY, MARKERS, MONTHS = (
    frozenset(_WORDS[kind].split())
    for kind in (
        *("patient", "lead_in", "subjects", "breakers", "links", "commas", "stops"),
        *("openers", "tells_why", "markers", "months"),
    )
)
LOOK_AHEAD = 12


def is_stop(tokens: Sequence[str], at: int) -> bool:
    """Whether the token ends every scope: a semicolon, or a full stop that is not inside a number."""
    if tokens[at] in STOPS:
        return True
    inside_number = at + 1 < len(tokens) and tokens[at + 1].isdigit() and at > 0 and tokens[at - 1].isdigit()
    return tokens[at] == "." and not inside_number


def is_adverb(token: str) -> bool:
    """Whether it ends as an adverb, and not as cardiomegaly, anomaly and family do."""
    return token.endswith("ly") and not token.endswith(("megaly", "maly", "mily", "elly"))


def is_verb(tokens: Sequence[str], at: int) -> bool:
    """Whether the token is the verb of a clause, and no participle before a noun: "no increased markings"."""
    if tokens[at] in ACTIVES:
        behind = tokens[at + 1 + (tokens[at + 1 : at + 2] == ["out"]) :][:1]
        return bool(behind) and behind[0][0].isalpha() and behind[0] not in BEHIND_VERB
    if tokens[at] not in VERBS:
        return False
    if tokens[at] not in PARTICIPLES or at + 1 == len(tokens):
        return True
    behind = tokens[at + 1]
    return not behind[0].isalpha() or behind in BEHIND_VERB or is_adverb(behind)


def reports(tokens: Sequence[str], at: int) -> bool:
    """Whether a relative before the token tells of somebody else: "her husband noticed"."""
    return tokens[at] in REPORTS and (at == 0 or tokens[at - 1] not in BE)


def is_patient(tokens: Sequence[str], at: int) -> bool:
    """Whether the patient becomes the subject: "parents were told that the child had"; not "mother of the patient"."""
    return tokens[at] in PATIENT and "of" not in tokens[max(0, at - 2) : at]


def existential(tokens: Sequence[str], verb: int) -> bool:
    """Whether the verb only says that something is there: "is seen", "are not identified"."""
    if tokens[verb] in EXISTENTIAL:
        return True
    if tokens[verb] not in BE:
        return False
    n = verb + 1
    while n < len(tokens) and (tokens[n] in FILLERS or tokens[n] in BE):
        n += 1
    return n < len(tokens) and tokens[n] in EXISTENTIAL


def change_follows(tokens: Sequence[str], comma: int) -> bool:
    """Whether a change is stated behind the comma, and the list does not go on.

    "No pneumothorax, increased effusion": yes; "without fever, increased effort or cough": no.
    """
    if tokens[comma] not in COMMAS or comma + 1 == len(tokens) or tokens[comma + 1] not in CHANGES:
        return False
    rest = tokens[comma + 2 : comma + LOOK_AHEAD]
    return not any(t in LINKS or t in COMMAS for t in rest)


def clause_follows(tokens: Sequence[str], at: int, stated: bool = False) -> bool:
    """Whether a clause with a verb of its own begins at ``at``, behind a comma or link.

    "No effusion, the heart is enlarged": yes; "no effusion, edema or nodule is seen": no, unless the clause before has
    ``stated`` already that something is there or not. A bare participle behind "or" is of both: "there is no mass or
    effusion seen".
    """
    end = min(len(tokens), at + LOOK_AHEAD)
    joined = at > 0 and tokens[at - 1] in ("or", "nor")
    for n in range(at, end):
        token = tokens[n]
        if is_stop(tokens, n) or (n > at and token in BREAKERS):
            return False
        if (token in COMMAS and n > at) or (token in LINKS and n + 1 < end and tokens[n + 1] in SUBJECTS):
            return False
        if is_verb(tokens, n):
            if joined and tokens[n] in EXISTENTIAL:
                return False
            return n > at and (stated or not existential(tokens, n))
    return False
