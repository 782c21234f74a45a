"""Sentences of notes beside two others: one that says the same in other words, and one that a word or two turn into
something else."""

from search_stack.evaluation.minimal_pairs.triples import (
    KINDS,
    Kind,
    Triple,
    measured_sentences,
    measuring,
    training,
)

__all__ = ["KINDS", "Kind", "Triple", "measured_sentences", "measuring", "training"]
