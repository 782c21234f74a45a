"""Accounts of this machine: whose process this is, and whom the local engine and broker run as."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass

from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Account:
    """The user that a service drops to."""

    name: str
    uid: int
    gid: int


def present_user() -> str:
    """Whose process this is, as the system calls them."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def engine_account(settings: Settings) -> Account | None:
    """Whom the engine and the broker run as; None where they run as the present user.

    Raises:
        AspectraError: we are root and ``engine_run_as`` is unknown or root itself.
    """
    if os.geteuid() != 0:
        return None
    remedy = "Set ASPECTRA_ENGINE_RUN_AS to an ordinary user of this machine."
    try:
        entry = pwd.getpwnam(settings.engine_run_as)
    except KeyError as e:
        raise AspectraError(f"The engine's user {settings.engine_run_as!r} does not exist.", remedy) from e
    if entry.pw_uid == 0:
        raise AspectraError("The engine refuses to run as root.", remedy)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
