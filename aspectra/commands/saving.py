"""Backup and restore."""

from __future__ import annotations

from pathlib import Path

import click

from aspectra.console import command, say, settings, stage_bars
from aspectra.saving.backup import backup as save
from aspectra.saving.manifest import plain_settings
from aspectra.saving.restore import restore as put_back
from aspectra.stack.services import need_stopped
from search_stack.core.errors import AspectraError


@click.command()
@click.argument("to", type=click.Path(path_type=Path))
@command
def backup(to: Path) -> None:
    """Save everything that cannot be made again in the new folder TO, while the stack works on.

    The ledger, lexicons, promoted models, settings without secrets and, where the engine may write one, a
    snapshot of the index. Guard it like the notes that it holds.
    """
    with stage_bars() as progress:
        found = save(settings(), to, progress)
    index = "with the index" if found.snapshot else "without the index, which a restore builds anew"
    say(f"{sum(found.counts.values()):,} notes are saved in {to}, {index}.")


@click.command()
@click.argument("folder", metavar="FROM", type=click.Path(path_type=Path))
@click.option("--replace", "replace_all", is_flag=True, help="Put it in the place of the notes that are there.")
@command
def restore(folder: Path, replace_all: bool) -> None:
    """Put back what `aspectra backup` saved in the folder FROM. The engine must run, worker and page must not.

    Notes that were deleted and patients that were forgotten after the backup are back then: delete and
    forget them again.
    """
    config = settings()
    need_stopped(config, ("worker", "web"), "a backup is put back")
    with stage_bars() as progress:
        manifest, found = put_back(config, folder, replace_all, progress)
    say(f"{sum(manifest.counts.values()):,} notes of {manifest.made} are back. Ledger and index: {found}.")
    here = plain_settings(config)
    for name in sorted(manifest.settings.keys() | here.keys()):
        if (was := manifest.settings.get(name, "not set")) != (now := here.get(name, "not set")):
            say(f"The setting {name} was {was}, and is {now}.")
    if found.differences:
        raise AspectraError("Ledger and index do not agree.", "Build it anew: aspectra reindex")
    say("Start again: aspectra up")


COMMANDS = (backup, restore)
