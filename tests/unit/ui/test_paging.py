"""Links to pages."""

from __future__ import annotations

from ui.paging import paging


def _shown(page: int, pages: int) -> list[int | None]:
    return [link.number for link in paging(page, pages, str).links]


def test_gaps_stand_for_pages_left_out() -> None:
    assert _shown(1, 1) == [1]
    assert _shown(1, 10) == [1, 2, 3, None, 10]
    assert _shown(6, 12) == [1, None, 4, 5, 6, 7, 8, None, 12]
    assert _shown(12, 12) == [1, None, 10, 11, 12]


def test_the_first_and_last_page_lead_nowhere_further() -> None:
    assert (paging(1, 3, str).previous, paging(1, 3, str).following) == ("", "2")
    assert (paging(3, 3, str).previous, paging(3, 3, str).following) == ("2", "")


def test_beyond_the_end_the_way_back_is_the_last_page() -> None:
    beyond = paging(9, 3, str)
    assert (beyond.previous, beyond.following, beyond.last) == ("3", "", "3")


def test_no_pages_no_links() -> None:
    assert paging(1, 0, str).links == ()
