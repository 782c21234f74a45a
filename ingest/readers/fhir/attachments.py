"""The text of attachments: base64 of plain text or HTML, in some character set."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Sequence

from ingest.readers.fhir.references import contained, located
from ingest.readers.fhir.tree import Resource, text
from ingest.readers.html_text import html_text
from ingest.readers.record import FieldError

PLAIN, HTML = "text/plain", ("text/html", "application/xhtml+xml")
READABLE = (PLAIN, *HTML)
"""Content types, the one that is read with least loss first."""
UNTOLD = ("", "application/octet-stream")
"""Content types that say nothing."""
BEGINNINGS = (
    (b"{\\rtf", "application/rtf"),
    (b"%pdf", "application/pdf"),
    (b"<html", HTML[0]),
    (b"<!doctype html", HTML[0]),
)
"""In small letters, what tells the type where none is given; what begins otherwise is text, which must decode."""
CHARSETS = re.compile(r"ascii|utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|iso8859-\d+|cp125\d|cp437|cp850|mac-roman|koi8-r")
"""Python's names of what text may be written in; its other codecs are no character sets of documents."""
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ELSEWHERE = "the text, or a part of it, is elsewhere and not in the export"
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_HEAD_BYTES = 1024
_BEGINNING = 64
"""Characters of base64: a multiple of four."""


def best(attachments: Sequence[Resource]) -> tuple[Resource, str]:
    """Of several forms of one document the plainest that has a text, and that text; nothing where none has. What is
    there several times in the same form is parts of it, one below the other.

    Raises:
        FieldError: none of them can be read; the reason is that of the first.
    """
    forms: dict[str, list[Resource]] = {kind: [] for kind in READABLE}
    for attachment in attachments:
        if _holds_or_names(attachment) and (kind := _kind(attachment)) in forms:
            forms[kind].append(attachment)
    damage: FieldError | None = None
    for form in forms.values():
        try:
            written = [(attachment, words) for attachment in form if (words := attached_text(attachment)).strip()]
        except FieldError as e:
            damage = damage or e
            continue
        if written:
            return written[0][0], "\n\n".join(dict.fromkeys(words for _, words in written))
    if damage:
        raise damage
    if attachments and not any(forms.values()):
        raise _unreadable(attachments[0])
    return {}, ""


def _holds_or_names(attachment: Resource) -> bool:
    """Whether it has a text, or says that there is one elsewhere: a note without one of its parts is not the note."""
    return bool(text(attachment, "data")) or (
        _is_elsewhere(attachment) and kind_of(text(attachment, "contentType")) in READABLE
    )


def resolved(attachment: Resource, resource: Resource, binary: Callable[[str], Resource | None]) -> Resource:
    """The attachment of ``resource`` with the data of the Binary that its address names, if that is in the export or
    in the resource."""
    if text(attachment, "data") or not may_be_text(kind_of(text(attachment, "contentType"))):
        return attachment
    at = located(text(attachment, "url"))
    if at is None or not at.id or not at.of("Binary"):
        return attachment
    found = contained(resource, at.id) if at.contained else binary(at.id)
    if found is None:
        return attachment
    own, told = text(found, "contentType"), text(attachment, "contentType")
    by_told = kind_of(own) in UNTOLD or (kind_of(own) == kind_of(told) and ";" in told)  # which has the character set
    return {**attachment, "url": None, "contentType": told if by_told else own, "data": text(found, "data")}


def _unreadable(attachment: Resource) -> FieldError:
    if _is_elsewhere(attachment):
        return FieldError("url", ELSEWHERE)
    if _kind(attachment) not in READABLE:
        return FieldError("contentType", f"is none of {', '.join(READABLE)}")
    return FieldError("data", "empty")


def _is_elsewhere(attachment: Resource) -> bool:
    return bool(text(attachment, "url")) and not text(attachment, "data")


def attached_text(attachment: Resource) -> str:
    """
    Raises:
        FieldError: it is elsewhere, no base64, or not in the character set that it names.
    """
    if _is_elsewhere(attachment):
        raise FieldError("url", ELSEWHERE)
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


def kind_of(content_type: str) -> str:
    """Without its parameters.

    >>> kind_of("Text/Plain; charset=UTF-8")
    'text/plain'
    """
    return content_type.partition(";")[0].strip().lower()


def may_be_text(kind: str) -> bool:
    return kind in READABLE or kind in UNTOLD


def _kind(attachment: Resource) -> str:
    return kind_of(text(attachment, "contentType")) or _by_beginning(text(attachment, "data"))


def _by_beginning(data: str) -> str:
    try:
        head = base64.b64decode("".join(data[: 2 * _BEGINNING].split())[:_BEGINNING])
    except ValueError:
        return PLAIN  # which says what is wrong with it
    head = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return next((kind for beginning, kind in BEGINNINGS if head.startswith(beginning)), PLAIN)


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
