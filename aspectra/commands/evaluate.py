"""Measure how good rankings and labels are."""

from __future__ import annotations

import click

from aspectra.commands.evaluate_assertion import assertion
from aspectra.commands.evaluate_findings import findings
from aspectra.commands.evaluate_retrieval import retrieval, trec_files
from aspectra.commands.evaluate_sections import aspects, sections


@click.group()
def evaluate() -> None:
    """Measure models and rules on labelled data, beside a baseline in the same run."""


for measured in (retrieval, sections, aspects, assertion, findings):
    evaluate.add_command(measured)
evaluate.add_command(trec_files, "trec")

COMMANDS = (evaluate,)
