"""What the names of text files tell of their notes, by a pattern: "{patient_id}/{date} {type}"."""

from __future__ import annotations

import re

from ingest.readers.columns import OPTIONAL
from ingest.readers.record import FieldError
from search_stack.core.errors import AspectraError

_PART = re.compile(r"\{(?P<field>\w*)\}|(?P<any>\*)|(?P<text>[^{}*]+|[{}])")


class Names:
    """A pattern of names: a field in braces, ``*`` for what is not read, all else as it stands. Each is as short as
    the rest allows, and within the name of one folder or file.

    >>> Names("{patient_id}/{date}_*").read("P-7/2021-02-03_ward_2")
    {'patient_id': 'P-7', 'date': '2021-02-03'}
    """

    def __init__(self, pattern: str) -> None:
        """
        Raises:
            AspectraError: it names no field, one that there is not, or one twice.
        """
        found: list[str] = []
        expression = ""
        for part in _PART.finditer(pattern):
            if part["any"]:
                expression += "[^/]*?"
            elif part["text"]:
                expression += re.escape(part["text"])
            else:
                found.append(part["field"])
                expression += f"(?P<{part['field']}>[^/]+?)" if part["field"] in OPTIONAL else ""
        if unknown := [field for field in found if field not in OPTIONAL]:
            raise AspectraError(
                f"--names: {{{unknown[0]}}} is no field.", f"Fields are {', '.join(OPTIONAL)}; * is read as none."
            )
        if not found or len(found) > len(set(found)):
            raise AspectraError(
                "--names: each field stands in it once, and one at least.", "For example '{patient_id}/{date} {type}'."
            )
        self._expression = re.compile(expression)

    def read(self, name: str) -> dict[str, str]:
        """The values of the fields in a path below the folder, without its ending.

        Raises:
            FieldError: it is not of the pattern.
        """
        fit = self._expression.fullmatch(name)
        if fit is None:
            raise FieldError("note_id", "the file's name is not as --names has it")
        return fit.groupdict()
