"""Codes and what stands above them: by how a system writes its codes, and by a table of parents. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

Code = tuple[str, str]
"""System and code, each as `system_name` and `code_name` give it."""
_KNOWN = {
    "icd10": "icd10",
    "icd10cm": "icd10",
    "icd10gm": "icd10",
    "icd10am": "icd10",
    "icd10who": "icd10",
    "icd10pcs": "icd10pcs",
    "icd9": "icd9",
    "icd9cm": "icd9",
    "icd9proc": "icd9proc",
    "atc": "atc",
    "ops": "ops",
    "opcs": "opcs4",
    "opcs4": "opcs4",
    "loinc": "loinc",
    "rxnorm": "rxnorm",
    "sct": "snomed",
    "snomed": "snomed",
    "snomedct": "snomed",
}
"""Systems by their spellings, without dots, hyphens and blanks. National forms of one classification are one system, so
that ``icd10:I48`` finds the diagnosis wherever it was coded."""
_UNTYPED = re.compile(r"[^a-z0-9_.-]+")
_BETWEEN = re.compile(r"[\s._-]+")
_MARKS = re.compile(r"[.\s]*[-+*†!#]*$")
"""Behind an ICD-10 code: dagger, asterisk, and the hyphen of one that is not told to the end (I48.-)."""
_DOTTED = {
    "icd10": re.compile(r"(?P<category>[A-Z]\d[0-9A-Z])\.?(?P<rest>[0-9A-Z]*)"),
    "icd9": re.compile(r"(?P<category>E\d{3}|V\d\d|\d{3})\.?(?P<rest>\d*)"),
    "icd9proc": re.compile(r"(?P<category>\d\d)\.?(?P<rest>\d*)"),
    "opcs4": re.compile(r"(?P<category>[A-Z]\d\d)\.?(?P<rest>\d?)"),
}
"""A category, and each character behind its dot a level of its own."""
_ATC, _ATC_LEVELS = re.compile(r"[A-Z](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?"), (1, 3, 4, 5, 7)
_OPS, _OPS_LEVELS = re.compile(r"\d-\d(?:[0-9A-Z]{1,2}(?:\.[0-9A-Z]{0,2})?)?"), (1, 4, 5)
_PCS = re.compile(r"[0-9A-Z]{1,7}")


def system_name(text: str) -> str:
    """A system as it is kept: as it can be typed in a query, and one spelling of those that are known.

    >>> system_name("ICD-10-CM"), system_name("SNOMED CT"), system_name("Local Lab")
    ('icd10', 'snomed', 'local-lab')
    """
    text = text.strip().casefold()
    return _KNOWN.get(_BETWEEN.sub("", text)) or _UNTYPED.sub("-", text).strip("-")


def is_known(system: str) -> bool:
    """Whether ``system`` is a spelling of one whose codes we know to compare.

    >>> is_known("ICD-10"), is_known("ward")
    (True, False)
    """
    return _BETWEEN.sub("", system.strip().casefold()) in _KNOWN


def code_name(system: str, text: str) -> str:
    """A code as it is compared: of a system whose form is known in capitals, and with its dot.

    >>> code_name("icd10", "i4891"), code_name("icd10", "I48.-"), code_name("icd9", "42731"), code_name("loinc", "7-7")
    ('I48.91', 'I48', '427.31', '7-7')
    """
    text = " ".join(text.split())
    if system in _DOTTED:
        bare = _MARKS.sub("", text.upper())
        if found := _DOTTED[system].fullmatch(bare):
            return f"{found['category']}.{found['rest']}" if found["rest"] else found["category"]
    elif (pattern := {"atc": _ATC, "ops": _OPS, "icd10pcs": _PCS}.get(system)) and pattern.fullmatch(text.upper()):
        return text.upper()
    return text


def broader(system: str, code: str) -> list[str]:
    """Codes above ``code`` by the way the system writes its codes, the nearest last; none where its form is not known.

    Only whole levels: I48.91 is below I48.9 and I48, and not below I4. Numbers without a meaning in their digits
    (LOINC, SNOMED CT, RxNorm) are below nothing.

    >>> broader("icd10", "I48.91"), broader("atc", "B01AA03"), broader("loinc", "718-7")
    (['I48', 'I48.9'], ['B', 'B01', 'B01A', 'B01AA'], [])
    """
    return [level for level in _levels(system, code) if level != code]


def _levels(system: str, code: str) -> Iterator[str]:
    if (dotted := _DOTTED.get(system)) and (found := dotted.fullmatch(code)):
        yield found["category"]
        for end in range(1, len(found["rest"]) + 1):
            yield f"{found['category']}.{found['rest'][:end]}"
    elif system == "atc" and _ATC.fullmatch(code):
        yield from (code[:end] for end in _ATC_LEVELS if end <= len(code))
    elif system == "ops" and _OPS.fullmatch(code):
        yield from (code[:end] for end in (*_OPS_LEVELS, *range(7, len(code) + 1)) if end <= len(code))
    elif system == "icd10pcs" and _PCS.fullmatch(code):
        yield from (code[:end] for end in range(1, len(code) + 1))


Parents = Mapping[Code, Collection[str]]
"""By code, the codes above it in a table, of the same system."""


def above(code: Code, parents: Parents) -> set[Code]:
    """``code`` itself, and every code above it: by ``parents``, by the form of the codes, and by both in turn."""
    system = code[0]
    found = {code}
    waiting = [code]
    while waiting:
        one = waiting.pop()
        for up in (*broader(*one), *parents.get(one, ())):
            if up and (system, up) not in found:
                found.add((system, up))
                waiting.append((system, up))
    return found


def unit_name(text: str) -> str:
    """A unit as it is compared: without blanks, in small letters, the micro sign as u.

    >>> unit_name("g / dL"), unit_name("µmol/L")
    ('g/dl', 'umol/l')
    """
    return "".join(text.split()).replace("µ", "u").replace("μ", "u").casefold()
