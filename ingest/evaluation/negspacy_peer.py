"""negspacy beside our rules, where it is installed (extra ``bench``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from ingest.evaluation.assertion import Case


def installed() -> bool:
    return find_spec("negspacy") is not None


def negspacy(cases: Sequence[Case]) -> Iterator[bool]:
    """Its own clinical term set over a blank English pipeline, the concept given as an entity."""
    import spacy
    from negspacy.negation import Negex  # noqa: F401 (registers the pipe)
    from negspacy.termsets import termset

    terms: Any = termset
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    pipe = nlp.add_pipe("negex", config={"neg_termset": terms("en_clinical").get_patterns(), "ent_types": []})
    for case in cases:
        doc = nlp.make_doc(case.sentence)
        span = doc.char_span(case.begin, case.end, label="CONCEPT", alignment_mode="expand")
        if span is None or case.begin == case.end:
            yield False
            continue
        doc.ents = [span]
        nlp.get_pipe("sentencizer")(doc)
        yield bool(pipe(doc).ents[0]._.negex)
