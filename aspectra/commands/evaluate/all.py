"""Measure all that there is data for, once, into one table."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from aspectra.commands.evaluate.standard import Run, runs
from aspectra.console import command, say, settings, warn
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.core.settings import Settings
from search_stack.evaluation.kept import Kept, KeptFigures, code_version, digest_of, folder_version
from search_stack.evaluation.overview import Row, html, row
from search_stack.inference.bundle import read_manifest

SETTINGS = ("mentions", "onnx_provider", "passage_tokens", "rerank_depth", "rerank_cut", "candidate_depth")
"""Settings that figures depend on, besides those that name models."""
PACKAGES = ("search_stack", "encoders", "aspectra")
"""Whose files are the code's version."""


@click.command("all")
@click.option(
    "--data-root",
    "root",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder that is laid out like the shared data; what it has files for is measured.",
)
@click.option(
    "--report",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the table to this HTML file.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of figures that were measured before, and are not again; as REPORT with .figures where none is named.",
)
@click.option("--only", multiple=True, help="Measure this task only; repeat it.")
@command
def everything(root: Path, report: Path, keep: Path | None, only: tuple[str, ...]) -> None:
    """All tasks that DATA-ROOT has files for, in one table with intervals, seconds and commands.

    Figures are kept by data, models, options and code: cut short, it goes on, and what has not changed is not measured
    again. What fails is told in the table, and measured anew the next time.
    """
    wanted = [r for r in runs(root) if not only or r.task in only]
    if unknown := set(only) - {r.task for r in wanted}:
        raise AspectraError(
            f"{root}: nothing is there to measure {min(unknown)} on.", "Leave it out, or add its files."
        )
    if not wanted:
        raise AspectraError(f"{root}: nothing is there to measure on.", "Name a folder laid out like the shared data.")
    store, models = KeptFigures(keep or report.with_suffix(".figures")), identities(settings())
    code = code_version(*PACKAGES)
    rows = [measured(one, root, store, models, code, call) for one in wanted]
    told = {name: value for name, value in models.items() if name in ("encoder", "reranker")} | {"code": code}
    write_whole(report, html(str(root), rows, told))
    say(f"{report}: {len(rows)} commands.")
    if failed := [r for r in rows if r.error]:
        warn(f"{len(failed)} of them failed: {', '.join(r.task for r in failed)}.")
        sys.exit(1)


def identities(config: Settings) -> dict[str, str]:
    """What serves, and what else of the settings changes figures, by name.

    Raises:
        AspectraError: a bundle is not there.
    """
    bundles = {"encoder": config.encoder_bundle, "reranker": config.reranker_bundle}
    return {
        **{name: read_manifest(bundle).identity for name, bundle in bundles.items() if bundle},
        **{name: str(getattr(config, name)) for name in SETTINGS},
        "lexicon": folder_version(config.lexicon_folder),
    }


def measured(
    run: Run,
    root: Path,
    store: KeptFigures,
    models: dict[str, str],
    code: str,
    call: Callable[[Sequence[str]], Kept],
) -> Row:
    """The figures of ``run``: those that were kept, else those that ``call`` brings, which are then kept."""
    line = shlex.join(["aspectra", *run.arguments])
    name = run.data.relative_to(root).as_posix() if run.data != root else root.name
    digest = digest_of({n: root / n for n in run.files}, [run.task, *run.standard.options], models, code)
    kept, error = store.get(digest), ""
    if kept:
        say(f"{line}: measured on {kept.ended}.")
    else:
        say(line)
        try:
            kept = call(run.arguments)
        except AspectraError as e:
            error = " ".join(filter(None, (e.message, e.remedy)))
            warn(f"{run.task}: {error}")
        else:
            store.put(digest, kept)
    return row(run.task, name, line, run.standard.shown, kept, error)


def call(arguments: Sequence[str]) -> Kept:
    """What `aspectra` measures with ``arguments``, in a process of its own, so that its memory ends with it.

    Raises:
        AspectraError: it failed; the message is what it said last.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures.json"
        line = [sys.executable, "-m", "aspectra", *arguments, "--json", str(file)]
        done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or not file.is_file():
            said = [s for s in done.stderr.splitlines() if s.strip()]
            errors = [n for n, s in enumerate(said) if s.startswith("Error:")]
            raise AspectraError(" ".join(said[errors[-1] :] if errors else said[-1:]) or "It said nothing.")
        figures = json.loads(file.read_text(encoding="utf-8"))
    return Kept(
        command=["aspectra", *arguments],
        seconds=time.monotonic() - began,
        ended=datetime.now(UTC).isoformat(timespec="seconds"),
        figures=figures,
    )


COMMANDS = (everything,)
