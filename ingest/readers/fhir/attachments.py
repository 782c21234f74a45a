"""The text of an attachment: base64 of plain text or HTML, in some character set."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterable

from ingest.readers.fhir.tree import Resource, text
from ingest.readers.html_text import html_text
from ingest.readers.record import FieldError

PLAIN, HTML = "text/plain", ("text/html", "application/xhtml+xml")
READABLE = (PLAIN, *HTML)
"""Content types, the one that is read with least loss first."""
CHARSETS = re.compile(r"ascii|utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|iso8859-\d+|cp125\d|cp437|cp850|mac-roman|koi8-r")
"""Python's names of what text may be written in; its other codecs are no character sets of documents."""
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_HEAD_BYTES = 1024


def best(attachments: Iterable[Resource]) -> Resource | None:
    """Of several forms of one document the one to be read; None where there is none at all.

    Raises:
        FieldError: none of them can be read; the reason is that of the first.
    """
    every = list(attachments)
    if not every:
        return None
    ranked = sorted((READABLE.index(kind), n) for n, a in enumerate(every) if (kind := _readable(a)))
    if ranked:
        return every[ranked[0][1]]
    first = every[0]
    if text(first, "data"):
        raise FieldError("contentType", f"is none of {', '.join(READABLE)}")
    if text(first, "url"):
        raise FieldError("url", "the text is elsewhere, and not in the export")
    raise FieldError("data", "empty")


def attached_text(attachment: Resource) -> str:
    """
    Raises:
        FieldError: it is no base64, or not in the character set that it names.
    """
    try:
        content = base64.b64decode("".join(text(attachment, "data").split()), validate=True)
    except (binascii.Error, ValueError):
        raise FieldError("data", "not base64") from None
    kind = _kind(attachment)
    written = _decoded(content, _charset(attachment, content, kind))
    return html_text(written) if kind in HTML else written


def narrative(resource: Resource) -> str:
    """The text of a resource's ``text.div``; empty where there is none, or it says that there is none.

    Raises:
        FieldError: it is no string.
    """
    part = resource.get("text")
    if not isinstance(part, dict) or text(part, "status") == "empty":
        return ""
    return html_text(text(part, "div"))


def _readable(attachment: Resource) -> str:
    """Its content type, where it holds text that can be read."""
    return _kind(attachment) if text(attachment, "data") and _kind(attachment) in READABLE else ""


def _kind(attachment: Resource) -> str:
    """Where no content type is given it is text, which must then decode."""
    return text(attachment, "contentType").partition(";")[0].strip().lower() or PLAIN


def _charset(attachment: Resource, content: bytes, kind: str) -> str:
    for mark, name in MARKS:
        if content.startswith(mark):
            return name
    found = re.search(r";\s*charset\s*=\s*[\"']?([^\s;\"']+)", text(attachment, "contentType"), re.IGNORECASE)
    if found:
        return found[1]
    meta = _META.search(content[:_HEAD_BYTES]) if kind in HTML else None
    return meta[1].decode("ascii", "replace") if meta else "utf-8"


def _decoded(content: bytes, charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        name = ""
    if not CHARSETS.fullmatch(name):
        raise FieldError("contentType", "a character set that is not known")
    try:
        written = content.decode(name)
    except UnicodeDecodeError:
        raise FieldError("data", "not in its character set, which is UTF-8 where none is named") from None
    return written.removeprefix("\ufeff")
