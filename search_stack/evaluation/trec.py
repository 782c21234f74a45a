"""Rankings and relevance judgements in the files of TREC, as trec_eval and ir_measures read them: a run
is one system's rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.rankings import Qrels, Rankings

QRELS = "Each line: query, 0, passage, relevance, with blanks between."
RUN = "Each line: query, Q0, passage, rank, score, system, with blanks between."


def write_run(path: Path, rankings: Rankings, system: str) -> None:
    """``query Q0 passage rank score system``, best first.

    Raises:
        AspectraError: it cannot be written, or an id has white space in it.
    """
    lines = []
    for query, scored in rankings.items():
        ordered = sorted(scored, key=lambda one: (-one[1], one[0]))
        for rank, (passage, score) in enumerate(ordered, 1):
            lines.append(f"{_id(query)} Q0 {_id(passage)} {rank} {score!r} {_id(system)}")
    _write(path, lines)


def write_qrels(path: Path, qrels: Qrels) -> None:
    """``query 0 passage relevance``."""
    _write(path, [f"{_id(q)} 0 {_id(p)} {relevance}" for q, judged in qrels.items() for p, relevance in judged.items()])


def write_folder(folder: Path, prefix: str, systems: Mapping[str, Rankings], qrels: Qrels) -> None:
    """The judgements in ``qrels.txt``, and a run for each system."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise AspectraError(f"{folder}: cannot be made ({e.strerror}).", "Choose another --report folder.") from e
    write_qrels(folder / "qrels.txt", qrels)
    for system, rankings in systems.items():
        write_run(folder / f"{prefix}-{system}.run", rankings, system)


def read_run(path: Path) -> Rankings:
    """The rankings in ``path``; what it says of ranks is not used, scores decide.

    Raises:
        AspectraError: it cannot be read; the message names file and line.
    """
    rankings: dict[str, list[tuple[str, float]]] = {}
    for number, fields in _lines(path):
        try:
            query, _, passage, _, score, _ = fields
            rankings.setdefault(query, []).append((passage, float(score)))
        except ValueError:
            raise AspectraError(f"{path}:{number}: no line of a run.", RUN) from None
    return rankings


def read_qrels(path: Path) -> Qrels:
    """The judgements in ``path``; queries without any relevant passage are left out, as trec_eval does.

    Raises:
        AspectraError: it cannot be read; the message names file and line.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, fields in _lines(path):
        try:
            query, _, passage, relevance = fields
            qrels.setdefault(query, {})[passage] = int(relevance)
        except ValueError:
            raise AspectraError(f"{path}:{number}: no line of relevance judgements.", QRELS) from None
    return {query: judged for query, judged in qrels.items() if any(r > 0 for r in judged.values())}


def _id(name: str) -> str:
    if not name or any(c.isspace() for c in name):
        raise AspectraError(f"The id {name!r} has white space in it.", "TREC's files separate fields by blanks.")
    return name


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if fields := line.split():
                    yield number, fields
    except OSError as e:
        raise AspectraError(f"{path}: cannot be read ({e.strerror}).", "Check the path.") from e
    except UnicodeDecodeError as e:
        raise AspectraError(f"{path}: not UTF-8.", "Give a text file.") from e


def _write(path: Path, lines: list[str]) -> None:
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as e:
        raise AspectraError(f"{path}: cannot be written ({e.strerror}).", "Choose another folder.") from e
