"""JSON that is laid out over several lines, read value by value in bounded memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from ingest.readers.record import FieldError
from ingest.readers.streams import RECORD_BYTES, UTF16_MARKS, InputFile, RecordTooLongError
from search_stack.core.errors import AspectraError

PORTION = 2**16
BEHIND = "; nothing behind it was read"
_DECODER = json.JSONDecoder()


def over_lines(source: InputFile) -> bool:
    """Whether a file holds values over several lines, and not one on each: its first line is the begin of an object, of
    which the next line is not another one. A first line beyond `RECORD_BYTES` is no line either."""
    first = _line(source, RECORD_BYTES + 1)
    if not first.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
        return False
    if len(first) > RECORD_BYTES:
        return True
    second = _line(source, PORTION).lstrip()
    return bool(second) and not second.startswith(b"{") and not _is_whole(first.removeprefix(codecs.BOM_UTF8))


def _line(source: InputFile, size: int) -> bytes:
    """The next line that is not blank, up to ``size``; empty at the end."""
    while (line := source.readline(size)) and not line.strip():
        pass
    return line


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


class JsonText:
    """What stands in a file of JSON, from its begin to its end. No value may be longer than `RECORD_BYTES`.

    Raises (each call):
        FieldError: it is no JSON from here on, or a value is too long. Reasons never quote it.
    """

    def __init__(self, source: InputFile) -> None:
        self.line = 1
        """Of what is read next."""
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._begun = False

    def next(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._at < len(self._text):
                if not (char := self._text[self._at]).isspace():
                    return char
                self.line += char == "\n"
                self._at += 1
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Step over a character."""
        if self.next() != expected:
            raise self._wrong("another character is expected")
        self._at += 1

    def value(self) -> Any:
        """The value that stands next."""
        self.next()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise self._wrong("nested too deeply") from None
            except json.JSONDecodeError as e:
                if not self._more():
                    raise self._wrong(e.msg.partition(":")[0]) from None
            except ValueError:
                raise self._wrong("a number is too long") from None
            else:
                # A number at the end of what was read may go on.
                if end < len(self._text) or not self._more():
                    self.line += self._text.count("\n", self._at, end)
                    self._at = end
                    return found

    def members(self) -> Iterator[str]:
        """The names of an object, each before its value, which whoever asks must read before the next name."""
        self.take("{")
        if self.next() == "}":
            self._at += 1
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self._wrong("a name is expected")
            self.take(":")
            yield name
            if self.next() != ",":
                self.take("}")
                return
            self._at += 1

    def elements(self) -> Iterator[int]:
        """The lines of the elements of an array, each before it, which whoever asks must read before the next."""
        self.take("[")
        if self.next() == "]":
            self._at += 1
            return
        while True:
            self.next()
            yield self.line
            if self.next() != ",":
                self.take("]")
                return
            self._at += 1

    def _more(self) -> bool:
        """Read on; as much as there is already, so that a long value is looked at a few times only."""
        rest = self._text[self._at :]
        if self._ended:
            return False
        if len(rest) > RECORD_BYTES:
            raise FieldError("", f"{RecordTooLongError(RECORD_BYTES)}{BEHIND}", cut=True)
        data = self._source.read(max(PORTION, len(rest)))
        if not self._begun:
            self._begun = True
            if data.startswith(UTF16_MARKS):
                raise AspectraError(f"{self._source.path} is UTF-16 text.", "Save it as UTF-8 and read it again.")
            data = data.removeprefix(codecs.BOM_UTF8)
        self._ended = not data
        try:
            self._text, self._at = rest + self._decode(data, final=self._ended), 0
        except UnicodeDecodeError:
            raise FieldError("", f"not valid UTF-8{BEHIND}", cut=True) from None
        return not self._ended

    def _wrong(self, what: str) -> FieldError:
        return FieldError("", f"not valid JSON: {what}{BEHIND}", cut=True)
