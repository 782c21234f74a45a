"""Coding systems and the short names that a query knows them by: one table for FHIR and OMOP.

National forms of one classification share its name, so that ``icd10:I48`` finds the diagnosis wherever
it was coded; procedures have names of their own, as their codes look like diagnoses.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

LOCAL = "local"
"""Of a code whose system the source does not name."""
OMOP = "omop"
"""Of a concept id that stands for itself."""


@dataclass(frozen=True, slots=True)
class CodeSystem:
    name: str
    uris: tuple[str, ...]
    """As FHIR names it, without http:// and https://; an OID as ``urn:oid:…``."""
    vocabularies: tuple[str, ...] = ()
    """As OMOP names it: VOCABULARY_ID."""


_OID = "urn:oid:2.16.840.1.113883.6."
_SID = "hl7.org/fhir/sid/"
_DE = "fhir.de/CodeSystem/"
SYSTEMS = (
    CodeSystem(
        "icd10",
        (
            *(f"{_SID}icd-10{form}" for form in ("", "-cm", "-us", "-gm", "-de", "-nl", "-uk", "-ca", "-am")),
            f"{_DE}bfarm/icd-10-gm",
            f"{_DE}dimdi/icd-10-gm",
            "terminology.hl7.org/CodeSystem/icd10",
            "terminology.hl7.org/CodeSystem/icd10CM",
            f"{_OID}3",
            f"{_OID}90",
        ),
        ("ICD10", "ICD10CM", "ICD10GM", "ICD10CN", "CIM10", "KCD7"),
    ),
    CodeSystem("icd10pcs", ("www.cms.gov/Medicare/Coding/ICD10", f"{_SID}icd-10-pcs", f"{_OID}4"), ("ICD10PCS",)),
    CodeSystem(
        "icd9",
        (f"{_SID}icd-9", f"{_SID}icd-9-cm", f"{_SID}icd-9-cm/diagnosis", f"{_OID}2", f"{_OID}42", f"{_OID}103"),
        ("ICD9CM",),
    ),
    CodeSystem("icd9proc", (f"{_SID}icd-9-cm/procedure", f"{_OID}104"), ("ICD9Proc",)),
    CodeSystem("icd11", ("id.who.int/icd/release/11/mms", "id.who.int/icd11/mms", f"{_SID}icd-11"), ("ICD11",)),
    CodeSystem("icdo3", ("terminology.hl7.org/CodeSystem/icd-o-3", f"{_SID}icd-o-3", f"{_OID}43.1"), ("ICDO3",)),
    CodeSystem("snomed", ("snomed.info/sct", f"{_OID}96"), ("SNOMED",)),
    CodeSystem("loinc", ("loinc.org", f"{_OID}1"), ("LOINC",)),
    CodeSystem("rxnorm", ("www.nlm.nih.gov/research/umls/rxnorm", f"{_OID}88"), ("RxNorm", "RxNorm Extension")),
    CodeSystem("atc", ("www.whocc.no/atc", f"{_DE}bfarm/atc", f"{_DE}dimdi/atc", f"{_OID}73"), ("ATC",)),
    CodeSystem("ndc", (f"{_SID}ndc", f"{_OID}69"), ("NDC",)),
    CodeSystem("cvx", (f"{_SID}cvx", "urn:oid:2.16.840.1.113883.12.292"), ("CVX",)),
    CodeSystem("dmd", ("dmd.nhs.uk",), ("dm+d",)),
    CodeSystem("cpt4", ("www.ama-assn.org/go/cpt", f"{_OID}12"), ("CPT4",)),
    CodeSystem(
        "hcpcs",
        ("www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets", f"{_OID}285", f"{_OID}14"),
        ("HCPCS",),
    ),
    CodeSystem("ops", (f"{_DE}bfarm/ops", f"{_DE}dimdi/ops"), ("OPS",)),
    CodeSystem("opcs4", ("fhir.hl7.org.uk/Id/opcs-4",), ("OPCS4",)),
    CodeSystem("read2", ("read.info/readv2",), ("Read",)),
    CodeSystem("meddra", ("www.meddra.org", f"{_OID}163"), ("MedDRA",)),
    CodeSystem("mesh", ("terminology.hl7.org/CodeSystem/MSH", f"{_OID}177"), ("MeSH",)),
    CodeSystem(OMOP, ("fhir-terminology.ohdsi.org",)),
)

LONGEST = 64
"""Characters of a name."""
_SCHEME = re.compile(r"https?://|urn:(?!oid:)", re.IGNORECASE)
_OTHER = re.compile(r"[^a-z0-9_.]+")


def _key(uri: str) -> str:
    """The form that spellings of one URI share: no scheme, version, slash at the end, or capitals."""
    return _SCHEME.sub("", uri.partition("|")[0].strip(), count=1).rstrip("/").lower()


_BY_URI = {_key(uri): system.name for system in SYSTEMS for uri in system.uris}
_BY_VOCABULARY = {vocabulary.lower(): system.name for system in SYSTEMS for vocabulary in system.vocabularies}


def of_uri(uri: str) -> str:
    """The name of FHIR's system; of one that is not in the table its address, written as a name.

    >>> of_uri("http://hl7.org/fhir/sid/icd-10-cm"), of_uri("https://hospital.example/lab codes"), of_uri("")
    ('icd10', 'hospital.example-lab-codes', 'local')
    """
    key = _key(uri)
    if key.startswith("snomed.info/sct/"):  # an edition or a version of it
        return "snomed"
    return _BY_URI.get(key) or _as_name(key)


def of_vocabulary(vocabulary: str) -> str:
    """The name of OMOP's vocabulary; of one that is not in the table its id, written as a name.

    >>> of_vocabulary("ICD10CM"), of_vocabulary("Cancer Modifier")
    ('icd10', 'cancer-modifier')
    """
    return _BY_VOCABULARY.get(vocabulary.strip().lower()) or _as_name(vocabulary.strip().lower())


def _as_name(key: str) -> str:
    """What a query can name: a letter first, then letters, digits and ``_.-``."""
    name = _OTHER.sub("-", key.removeprefix("urn:")).strip("-")
    if not name[:1].isalpha():
        name = f"{LOCAL}-{name}".rstrip("-")
    if len(name) > LONGEST:  # what is cut off still tells two of them apart
        name = f"{name[: LONGEST - 9]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
    return name
