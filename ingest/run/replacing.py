"""What an earlier export brought and a corrected one no longer does."""

from __future__ import annotations

from collections import Counter

from ingest.ledger import Ledger
from ingest.readers import Source
from ingest.run.summary import incomplete

SYSTEM = "system "
"""Before the name of a system, in the totals of a run that read a table of parents."""


def retire(source: Source, ledger: Ledger, run: int, totals: Counter[str]) -> Counter[str]:
    """Take out facts of the source's collection, and parents of the systems that it told of, that ``run`` did not
    bring; how many ("gone facts", "gone codes"). Nothing ("kept back") where too much of the source was left out: what
    was rejected may be what is there. Call it once the source was read to its end."""
    records = totals["new"] + totals["unchanged"] + totals["changed"]
    records += totals["patients"] + totals["merges"] + totals["facts"] + totals["codes"]
    if incomplete(records, totals["rejected"], totals["cut"], totals["lines"], totals["left_out"]):
        return Counter({"kept back": 1})
    gone = Counter({"gone facts": ledger.facts.retire(source.collection, run) if totals["facts"] else 0})
    systems = [name.removeprefix(SYSTEM) for name in totals if name.startswith(SYSTEM)]
    return gone + Counter({"gone codes": ledger.codes.retire(systems, run)})
