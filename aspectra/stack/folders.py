"""The folders of the stack, and who may enter them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from search_stack.core.account import Account as Account
from search_stack.core.account import engine_account as engine_account
from search_stack.core.errors import AspectraError
from search_stack.core.file_lock import file_lock
from search_stack.core.files import unwritable
from search_stack.core.settings import Settings

PRIVATE = 0o700
PASSAGE = 0o711
"""Others may pass through to a folder of their own, and list nothing."""


def run_folder(settings: Settings) -> Path:
    return settings.data_dir / "run"


def log_folder(settings: Settings) -> Path:
    return settings.data_dir / "logs"


def make_folder(path: Path, mode: int) -> Path:
    """Make ``path`` with exactly ``mode``; one that is there and ours gains the bits it lacks.

    Several processes may make the same one at once.

    Raises:
        AspectraError: the folder cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.mkdir()
        except FileExistsError:
            if not path.is_dir():
                raise
            found = path.stat()
            if found.st_uid == os.geteuid() and found.st_mode & mode != mode:
                path.chmod(found.st_mode & 0o7777 | mode)
        else:
            path.chmod(mode)  # the umask may have taken bits away
    except OSError as e:
        raise AspectraError(
            f"The folder {path} cannot be made: {e.strerror}.", "ASPECTRA_DATA_DIR and ASPECTRA_CACHE_DIR move it."
        ) from e
    return path


def make_private(path: Path, account: Account | None) -> Path:
    """Make ``path`` a folder that only ``account`` may enter (None: we), wherever it stands.

    Raises:
        AspectraError: it is a link or another user's, or cannot be made.
    """
    make_folder(path, PRIVATE)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.geteuid(), account.uid if account else os.geteuid()):
        raise AspectraError(f"{path} is a link or another user's folder.", f"Look whose it is, and remove it: {path}")
    path.chmod(PRIVATE)
    give_to(account, path)
    return path


def make_data_folders(settings: Settings) -> None:
    """Only root's engine runs as somebody else, so only root's folders let others through."""
    outer = PASSAGE if os.geteuid() == 0 else PRIVATE
    make_folder(settings.data_dir, outer)
    make_folder(log_folder(settings), outer)
    make_folder(run_folder(settings), PRIVATE)


def closed_to(account: Account, path: Path) -> Path | None:
    """The first folder on the way to ``path``, itself included, that ``account`` may not enter."""
    whole = path.resolve()
    for folder in [*reversed(whole.parents), whole]:
        if not folder.is_dir():
            return None
        found = folder.stat()
        bit = 0o100 if found.st_uid == account.uid else 0o010 if found.st_gid == account.gid else 0o001
        if not found.st_mode & bit:
            return folder
    return None


def give_to(account: Account | None, folder: Path) -> None:
    """Make ``account`` the owner of ``folder`` and all below, unless it already is."""
    if account is None or folder.stat().st_uid == account.uid:
        return
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(parent, name), account.uid, account.gid, follow_symlinks=False)
    os.chown(folder, account.uid, account.gid)


@contextmanager
def locked(path: Path, waiting: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock file ``path``; ``waiting`` hears who holds it where that takes some seconds.

    Raises:
        AspectraError: the file cannot be written, because its folder is another user's, or it is
            held for too long.
    """
    with ExitStack() as held:
        try:
            held.enter_context(file_lock(path, waiting))
        except OSError as e:
            raise unwritable(path, e, "Run this as the user who started the stack.") from e
        yield
