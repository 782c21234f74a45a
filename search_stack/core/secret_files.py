"""Secrets from files of their own, as Docker, Kubernetes and the agents of vaults put them there: where a variable
would hold the secret, one with ``_FILE`` behind its name holds the file's path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from search_stack.core.errors import AspectraError
from search_stack.core.files import need_private, unreadable

SUFFIX = "_FILE"


def secrets_of(settings: type[BaseSettings]) -> Iterable[str]:
    """The names of its fields that are secret."""
    return (name for name, field in settings.model_fields.items() if field.annotation is SecretStr)


def file_variable(prefix: str, name: str) -> str:
    """
    >>> file_variable("ASPECTRA_", "engine_password")
    'ASPECTRA_ENGINE_PASSWORD_FILE'
    """
    return f"{prefix}{name.upper()}{SUFFIX}"


class SecretFiles(PydanticBaseSettingsSource):
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        prefix = str(self.config.get("env_prefix"))
        variable = file_variable(prefix, field_name)
        path = os.environ.get(variable) if field.annotation is SecretStr else None
        if path and prefix + field_name.upper() in os.environ:
            raise AspectraError(f"{variable} and {variable.removesuffix(SUFFIX)} are both set.", "Unset one of them.")
        return (secret_in(Path(path)) if path else None), field_name, False

    def __call__(self) -> dict[str, Any]:
        found = {n: self.get_field_value(field, n)[0] for n, field in self.settings_cls.model_fields.items()}
        return {name: value for name, value in found.items() if value is not None}


def secret_in(path: Path) -> str:
    """What ``path`` holds, without the end of its line.

    Raises:
        AspectraError: it cannot be read, others may read it too, or it is empty; nothing that it holds is told.
    """
    try:
        need_private(path, "this secret", "chown it to the user that reads it")
        said = path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as e:
        raise unreadable(path, e, "Check the path, and whose file it is.") from None
    if not said:
        raise AspectraError(f"{path}: there is no secret in it.", "Write it there, alone.")
    return said
