"""The local broker's configuration, written anew at every start."""

from __future__ import annotations

import os
from pathlib import Path

from aspectra.stack.broker_program import Program
from aspectra.stack.folders import Account, make_private, run_folder
from search_stack.core.files import write_whole
from search_stack.core.settings import Settings

DISABLED = """
    ACL BGREWRITEAOF BGSAVE CLUSTER CONFIG DEBUG EVAL FAILOVER MIGRATE MODULE MONITOR PSYNC REPLICAOF SAVE SHUTDOWN
    SLAVEOF SWAPDB SYNC
"""
"""Commands by which a client could write files, load code, copy or redirect the data or stop the server. EVALSHA
and SCRIPT stay: Celery lets go of its locks by a script."""
DISABLED_SINCE_7 = "EVAL_RO FCALL FCALL_RO FUNCTION"


def data_folder(settings: Settings) -> Path:
    return settings.data_dir / "broker"


def server_config(settings: Settings, program: Program) -> str:
    """What the server reads on its standard input.

    Each brand and line keeps its data in a file of its own name, because one does not read what
    another has written. Claims that stay behind lapse and are made again.
    """
    major, minor, _ = program.version
    lines = {
        "port": "0",
        "unixsocket": _quoted(settings.broker_socket),
        "unixsocketperm": "700",
        "dir": _quoted(data_folder(settings).resolve()),
        "appendonly": "yes",
        "appendfilename": f'"{program.brand}-{major}.{minor}.aof"',
        "save": '""',  # the append-only file holds all; snapshots would hold it twice
        "daemonize": "no",
    }
    written = [f"{name} {value}" for name, value in lines.items()]
    return "\n".join([*written, *(f'rename-command {name} ""' for name in disabled(program)), ""])


def disabled(program: Program) -> list[str]:
    """The commands that are switched off; a server does not start where one is named that it does not have."""
    return [*DISABLED.split(), *(DISABLED_SINCE_7.split() if program.version >= (7, 0, 0) else ())]


def write_config(settings: Settings, program: Program, account: Account | None) -> Path:
    """Make the folders that the server needs, its ``account``'s alone, and write what it shall read.

    Raises:
        AspectraError: a folder is another user's, or cannot be made.
    """
    make_private(data_folder(settings), account)
    make_private(settings.broker_socket.parent, account)
    config = run_folder(settings) / "broker.conf"
    write_whole(config, os.fsencode(server_config(settings, program)), private=True)
    return config


def _quoted(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'
