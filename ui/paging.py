"""Which pages to offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

AROUND = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """``number`` None stands for pages left out."""

    number: int | None
    url: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Paging:
    page: int
    pages: int
    links: tuple[PageLink, ...]
    previous: str
    following: str
    last: str


def paging(page: int, pages: int, url: Callable[[int], str]) -> Paging:
    """Links to the first, the last and those around ``page``; addresses are empty where there is no such page."""
    shown = sorted({n for n in (1, pages, *range(page - AROUND, page + AROUND + 1)) if 1 <= n <= pages})
    links: list[PageLink] = []
    for before, number in zip([0, *shown], shown, strict=False):
        if number - before > 1:
            links.append(PageLink(None))
        links.append(PageLink(number, url(number), number == page))
    return Paging(
        page=page,
        pages=pages,
        links=tuple(links),
        previous=url(min(page - 1, pages)) if page > 1 and pages else "",
        following=url(page + 1) if page < pages else "",
        last=url(pages) if pages else "",
    )
