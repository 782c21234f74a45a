"""Label notes from standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from aspectra.console import command, err, settings
from aspectra.terminal import json_line
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding
from search_stack.language.labeller import Labeller, find_mention, load_labeller

SHAPE = 'Write each line as: {"id": "n1", "text": "No pneumothorax."}'


@click.command()
@command
def label() -> None:
    """Label notes: JSON lines {"id", "text"} in, JSON lines with sections, entities and findings out.

    With "concept" in a line (and "begin" and "end" where it stands more than once), the answer
    also holds "concept_assertion": what the note says of that mention, whether or not a lexicon
    knows it. Where the text does not hold these words, what decides of the mentions of the
    concept that is called so, "MI" for "myocardial infarction": present before denied, both
    before a doubt; null where there is none. Needs neither engine nor broker.
    """
    labeller = load_labeller(settings().lexicon_folder, settings().mentions)
    for answer in labelled(sys.stdin.buffer, labeller):
        click.echo(json_line(answer))


def labelled(lines: Iterable[bytes], labeller: Labeller) -> Iterator[dict[str, Any]]:
    """The answer to each line; blank ones are left out.

    Raises:
        AspectraError: a line is not of the shape, with its number; those before it are answered.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            asked = _read(line, number)
            found = labeller.label(asked["text"])
            answer: dict[str, Any] = {
                "id": asked["id"],
                "sections": [asdict(s) for s in found.sections],
                "entities": [asdict(e) for e in found.entities],
                "findings": [asdict(f) for f in found.findings],
            }
            if "concept" in asked:
                answer["concept_assertion"] = _of_concept(asked, number, labeller, found.findings)
            yield answer


def _read(line: bytes, number: int) -> dict[str, Any]:
    try:
        asked = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise AspectraError(f"Standard input:{number}: not UTF-8.", SHAPE) from None
    except ValueError:
        raise AspectraError(f"Standard input:{number}: not JSON.", SHAPE) from None
    if not isinstance(asked, dict):
        raise AspectraError(f"Standard input:{number}: not a JSON object.", SHAPE)
    if not isinstance(asked.get("id"), str | int):
        raise AspectraError(f"Standard input:{number}: id is missing, or neither text nor a number.", SHAPE)
    for field in ("text", "concept"):
        if not isinstance(asked.get(field, "" if field == "concept" else None), str):
            raise AspectraError(f"Standard input:{number}: {field} is missing or not text.", SHAPE)
    if ("begin" in asked) != ("end" in asked):
        raise AspectraError(f"Standard input:{number}: begin and end belong together.", "Give both or neither.")
    return asked


def _of_concept(
    asked: dict[str, Any], number: int, labeller: Labeller, findings: Sequence[Finding]
) -> dict[str, Any] | None:
    text = asked["text"]
    span = (asked["begin"], asked["end"]) if "begin" in asked else find_mention(text, asked["concept"])
    if span is None and (named := labeller.mention_of(asked["concept"], findings)):
        return _told(asked, named)
    if span is None:
        # One line out of thousands: the others are answered all the same.
        err.print(f"Standard input:{number}: the text does not hold the concept; concept_assertion is null.")
        return None
    if not all(type(n) is int for n in span) or not 0 <= span[0] < span[1] <= len(text):
        raise AspectraError(
            f"Standard input:{number}: begin and end are not offsets into the text.",
            f"Give whole numbers, begin before end, at most {len(text)}.",
        )
    return _told(asked, labeller.concept_assertion(text, *span))


def _told(asked: dict[str, Any], finding: Finding) -> dict[str, Any]:
    told = {k: v for k, v in asdict(finding).items() if k not in ("concept", "name", "kind")}
    return {"concept": asked["concept"], **told}


COMMANDS = (label,)
