"""The page in a real browser, over a real stack with the demo notes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext

pytestmark = pytest.mark.browser
QUERY = "pleural effusion"


def search(page: Page, line: str) -> None:
    """For passages."""
    page.goto("/?scope=passage")
    page.get_by_label("Search the notes").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def passages_counted(page: Page) -> int:
    text = page.locator("#headline").inner_text()
    number = re.match(r"([\d,]+) passage", text)
    return int(number[1].replace(",", "")) if number else 0


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_the_search_line_has_the_focus_on_the_start_page(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_label("Search the notes")).to_be_focused()


def test_the_start_page_finds_patients_as_it_says(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Find patients")
    expect(page.get_by_role("radio", name="Patients")).to_be_checked()
    with page.expect_navigation():
        page.get_by_role("button", name="trouble breathing").click()
    expect(page.locator("#headline")).to_have_text(re.compile(r"^\d+ patients have a passage"))
    expect(page.locator(".group h2 a").first).to_have_text(re.compile("^P-"))


def test_a_search_shows_counts_and_highlighted_hits(page: Page) -> None:
    search(page, QUERY)
    assert passages_counted(page) > 0
    first = page.locator(".hit").first
    expect(first).to_be_visible()
    expect(first.locator(".hit-text mark").first).to_have_text(re.compile("pleural|effusion", re.IGNORECASE))
    expect(first.locator(".matched")).to_have_count(0)  # counted, as all are until a line says otherwise
    expect(page.get_by_label("Search the notes")).to_have_value(QUERY)


def test_a_switched_criterion_stands_in_the_line_as_one_would_type_it(page: Page) -> None:
    search(page, "pleural effusion, no pneumothorax")
    page.locator(".criterion .ways > summary").first.click()
    with page.expect_navigation():
        page.locator(".way", has_text="possible").first.click()
    expect(page.get_by_label("Search the notes")).to_have_value("possible pleural effusion, no pneumothorax")
    # What somebody typed stays, whatever it is.
    search(page, "finding:fever present")
    expect(page.get_by_label("Search the notes")).to_have_value("finding:fever present")


def test_no_address_or_title_holds_the_query(page: Page) -> None:
    visited: list[str] = []
    page.on("framenavigated", lambda frame: visited.append(f"{frame.url} {page.title()}"))
    search(page, "septations effusion")
    with page.expect_navigation():
        page.locator(".scope-choice", has_text="Notes").click()
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    assert len(visited) >= 3
    assert [v for v in visited if re.search("septation|effusion", v)] == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    (cookie,) = page.context.cookies()
    assert re.fullmatch(r"[\w-]{22}", cookie["value"])
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Strict", -1)


def test_a_link_with_a_query_loses_it_on_the_way(page: Page) -> None:
    page.goto("/?q=pleural+effusion&scope=note")
    assert re.search(r"/results/[\w-]{22}\?scope=note$", page.url)


def test_why_says_in_words_what_its_figures_say_on_request(page: Page) -> None:
    search(page, QUERY)
    why = page.locator(".hit").first.locator(".why")
    why.locator("summary").first.click()
    expect(why.locator(".standings dt")).to_contain_text(["Words found", "Similar in meaning", "By both"])
    expect(why.locator(".standings dd").first).to_have_text(
        re.compile(r"^(\d+(st|nd|rd|th) place|not among the first)$")
    )
    for stage in ("BM25", "k-NN", "fused", "cross-encoder", "reranked"):
        expect(why.get_by_text(stage)).to_be_hidden()
    expect(why.get_by_role("table")).to_be_hidden()
    why.get_by_text("Figures", exact=True).click()
    expect(why.get_by_role("row")).to_have_count(6)
    for stage in ("BM25", "k-NN", "fused", "cross-encoder", "reranked"):
        expect(why.get_by_text(stage)).to_be_visible()


def test_a_criterion_has_one_colour_at_its_chip_in_the_text_and_in_the_note(page: Page) -> None:
    search(page, "pleural effusion, cardiomegaly")
    for name, chip in (("pleural effusion", 0), ("cardiomegaly", 1)):
        hue = re.compile(rf"\bhue-{chip}\b")
        expect(page.locator(".criterion").nth(chip).locator(".swatch")).to_have_class(hue)
        first = page.locator(".hit", has=page.locator(".said", has_text=f"{name}: present")).first
        expect(first.locator(".said", has_text=f"{name}: present").locator(".swatch")).to_have_class(hue)
        expect(first.locator(f".finding[title^='{name}'] mark").first).to_have_class(hue)
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    expect(page.locator(".note-lit .hue-1")).to_have_text("cardiomegaly")
    expect(page.locator(".finding[title^='cardiomegaly'] mark").first).to_have_class(re.compile("hue-1"))


@pytest.mark.parametrize("order", ["Newest", "Oldest"])
def test_an_order_by_date_holds_over_all_pages_and_stays(page: Page, order: str) -> None:
    search(page, QUERY)
    number = passages_counted(page)
    page.get_by_role("navigation", name="Order").get_by_role("link", name=order).click()
    page.wait_for_url(f"**sort={order.lower()}")
    expect(page.get_by_role("link", name=order)).to_have_attribute("aria-current", "true")
    days: list[str] = []
    while True:
        days += page.locator(".hit-date").all_inner_texts()
        following = page.locator("a[rel=next]")
        if not following.count():
            break
        with page.expect_navigation():
            following.click()
    assert days == sorted(days, reverse=order == "Newest")
    assert len(days) == number > 20
    # It stays with a filter, another unit, and the way back from a note.
    page.locator(".facet-row").first.click()
    page.wait_for_url(f"**sort={order.lower()}")
    page.get_by_role("button", name="Patients", exact=True).click()
    page.wait_for_url(f"**scope=patient&sort={order.lower()}")
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    page.keyboard.press("b")
    page.wait_for_url(f"**/results/**sort={order.lower()}**")
    page.get_by_role("link", name="Best").click()
    page.wait_for_url(re.compile(r"/results/[\w-]{22}\?scope=patient$"))


def test_each_criterion_tells_what_it_leaves(page: Page) -> None:
    page.goto("/?scope=patient&q=women+over+60+with+pneumothorax+within+30+days+after+pacemaker")
    left = page.locator(".criterion-left")
    expect(left).to_have_count(2)  # the first leaves what it has
    counts = [int(re.sub(r"\D", "", said)) for said in left.all_inner_texts()]
    assert counts[0] > counts[1] > 0
    expect(page.locator("#headline")).to_have_text(re.compile(rf"^{counts[1]} patients? "))
    # Within the filters, wherever they stand, as what a criterion has by itself.
    page.goto("/?scope=patient&q=pneumonia+without+pleural+effusion+type:%22radiology+report%22")
    expect(left).to_have_count(2)
    first = page.locator(".criterion-count").first
    expect(first).to_have_attribute("title", re.compile(r"^\d+ patients? within the filters$"))
    counts = [int(re.sub(r"\D", "", said)) for said in (first.inner_text(), *left.all_inner_texts())]
    assert counts == sorted(counts, reverse=True)
    expect(page.locator("#headline")).to_have_text(re.compile(rf"^{counts[-1]} patients? "))
    page.goto("/?scope=patient&q=pneumothorax+and+pacemaker")
    expect(left).to_have_count(1)
    both = int(re.sub(r"\D", "", left.inner_text()))
    assert both > 0
    expect(page.locator("#headline")).to_have_text(re.compile(rf"^{both} patients? "))
    page.get_by_role("button", name="Passages", exact=True).click()
    expect(page.locator(".scope-choice[aria-pressed=true]")).to_have_text("Passages")
    expect(left).to_have_count(0)


def test_words_of_time_that_were_left_aside_come_with_the_way_to_ask(page: Page) -> None:
    page.goto("/?scope=patient&q=fever+before")
    expect(page.locator(".aside-words")).to_contain_text("Left aside: before. Time stands between two findings")
    page.goto("/?scope=patient&q=patients+with+fever")
    expect(page.locator(".aside-words")).to_have_text("Left aside: patients.")


def test_a_patients_passage_names_its_type_beside_the_note(page: Page) -> None:
    page.set_viewport_size(
        {"width": 1100, "height": 800}
    )  # with the pane beside it, below the name where both are long
    page.goto("/?scope=patient&q=pneumothorax")
    head = page.locator(".group .hit-head", has=page.locator(".hit-type")).first
    name, kind = head.locator(".hit-name").bounding_box(), head.locator(".hit-type").bounding_box()
    assert name
    assert kind
    assert name["y"] < kind["y"] + kind["height"] / 2 < name["y"] + name["height"]


def test_a_facet_narrows_the_count_and_its_chip_undoes_it(page: Page) -> None:
    search(page, QUERY)
    everything = passages_counted(page)
    row = page.locator(".facet-row:not([disabled])").last
    page.locator(".facet-more").evaluate_all("all => all.forEach(one => one.open = true)")
    shown = int(re.sub(r"\D", "", row.locator(".facet-count").inner_text()))
    with page.expect_navigation():
        row.click()
    assert passages_counted(page) == shown <= everything
    with page.expect_navigation():
        page.locator(".criterion-filter .criterion-off").click()
    assert passages_counted(page) == everything


@pytest.mark.parametrize("scope", ["Passages", "Patients"])
def test_another_finding_is_one_click_away_with_the_number_that_it_told(page: Page, scope: str) -> None:
    search(page, "pneumonia")
    with page.expect_navigation():
        page.locator(".scope-choice", has_text=scope).click()
    facet = page.get_by_role("region", name="Other findings")
    cell = facet.locator(".facet-cell:has(.is-absent)").first
    name, _, told = str(cell.get_attribute("title")).partition(", absent: ")
    number = told.split()[0]
    with page.expect_navigation():
        cell.click()
    expect(page.locator(".headline")).to_have_text(re.compile(rf"^{number} {scope.lower()[:-1]}s? "))
    expect(page.locator(".criterion", has_text=name)).to_contain_text("ruled out")


def test_u_undoes_one_step_after_the_other(page: Page) -> None:
    search(page, "pneumonia")
    expect(page.get_by_role("link", name="Undo")).to_have_count(0)
    steps = [page.locator("#headline").inner_text()]
    for step in (page.locator(".facet-cell").first, page.locator(".scope-choice", has_text="Patients")):
        with page.expect_navigation():
            step.click()
        steps.append(page.locator("#headline").inner_text())
    assert len(set(steps)) == 3
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("undo the last step")
    page.keyboard.press("Escape")
    for before in reversed(steps[:-1]):
        with page.expect_navigation():
            page.keyboard.press("u")
        expect(page.locator("#headline")).to_have_text(before)
    expect(page.get_by_role("link", name="Undo")).to_have_count(0)
    page.keyboard.press("u")  # nothing is left to undo
    expect(page.locator("#headline")).to_have_text(steps[0])


def test_a_year_sets_both_dates(page: Page) -> None:
    search(page, QUERY)
    year = page.locator(".year").first
    shown = int(re.sub(r"\D", "", (year.get_attribute("title") or "").partition(":")[2]))
    with page.expect_navigation():
        year.click()
    assert passages_counted(page) == shown
    expect(page.locator(".criterion-filter")).to_have_count(2)


@pytest.mark.parametrize(("scope", "heading"), [("Notes", ".group"), ("Patients", ".group")])
def test_groups_hold_their_hits(page: Page, scope: str, heading: str) -> None:
    search(page, QUERY)
    with page.expect_navigation():
        page.locator(".scope-choice", has_text=scope).click()
    groups = page.locator(heading)
    assert groups.count() > 0
    expect(groups.first.locator(".hit").first).to_be_visible()
    names = groups.locator("header h2").all_inner_texts()
    assert scope != "Patients" or len(set(names)) == len(names)
    told = groups.locator("header", has_text=re.compile(r"male, born \d{4}")).count()
    assert (told > 0) == (scope == "Patients")


def test_what_is_not_counted_stands_behind_a_line_that_says_so(page: Page) -> None:
    page.goto("/?scope=patient&q=gout")
    expect(page.locator("#headline")).to_contain_text("3 patients")
    expect(page.locator(".counts")).not_to_contain_text("close")
    said = page.locator(".close-from")
    expect(said).to_have_text(re.compile("Who follows is not counted"))
    assert page.locator(".close-from ~ .group").count() == page.locator(".group").count() - 3
    # Who is counted shows what counts, and no passage that merely comes close.
    for group in page.locator(".group").all()[:3]:
        expect(group.locator(".matched")).to_have_count(0)
    expect(page.locator(".close-from + .group .matched")).not_to_have_count(0)
    # Where nothing is counted, it is said before everything; and on every page that begins so.
    search(page, "pneumothorax and gout and asthma and stroke")
    expect(page.locator(".close-from + .hit .hit-number")).to_have_text("1")
    page.get_by_role("link", name="Next").click()
    page.wait_for_url(re.compile(r"page=2"))
    expect(page.locator(".close-from + .hit .hit-number")).to_have_text("11")


def test_the_next_page_goes_on_where_the_first_ends(page: Page) -> None:
    search(page, QUERY)
    page.get_by_role("link", name="Next").click()
    page.wait_for_url(re.compile(r"page=2"))
    expect(page.locator(".hit-number").first).to_have_text("11")


def test_a_note_shows_the_passage_marked_and_in_view(page: Page) -> None:
    search(page, QUERY)
    first = page.locator(".hit").first
    text = re.sub(r"\s+", " ", first.locator(".hit-text").inner_text()).strip()
    first.locator(".hit-open").click()
    page.wait_for_url("**/notes/**")
    passage = page.locator("#passage")
    expect(passage).to_be_in_viewport()
    assert re.sub(r"\s+", " ", passage.inner_text()).strip() == text
    assert passage.locator("mark").count() > 0
    page.locator("#back").click()
    page.wait_for_url("**/results/**")
    expect(page.locator(".hit:target")).to_have_count(1)


def test_an_open_quote_is_explained_beside_the_kept_line(page: Page) -> None:
    search(page, '"chest pain')
    expect(page.get_by_role("alert")).to_contain_text('A quote (") is not closed.')
    expect(page.get_by_label("Search the notes")).to_have_value('"chest pain')


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("cough finding:pnemothorxx", 'cough finding:"pneumothorax"'),
        ("effusion section:impresion", 'effusion section:"impression"'),
        ("effusion -section:impresion", "pleural effusion without section:impression"),
    ],
)
def test_what_may_have_been_meant_is_asked_by_a_button(page: Page, line: str, meant: str) -> None:
    search(page, line)
    expect(page.locator("main")).to_contain_text("Did you mean")
    with page.expect_navigation():
        page.get_by_role("button", name="Ask for that").click()
    expect(page.get_by_label("Search the notes")).to_have_value(meant)
    expect(page.locator("main")).not_to_contain_text("Did you mean")
    # Of what is like nothing there is no such button.
    search(page, "effusion section:zzzzzz")
    expect(page.get_by_role("button", name="Ask for that")).to_have_count(0)


def test_a_chip_tells_what_was_understood_and_switches_it(page: Page) -> None:
    search(page, "show me all patients with PTX")
    chip = page.locator(".criterion").first
    expect(chip.locator(".criterion-text")).to_have_text("pneumothorax")
    expect(chip.locator(".criterion-typed")).to_have_text("from “PTX”")
    expect(page.locator(".aside-words")).to_contain_text("show me all patients")
    assert int(chip.locator(".criterion-count").inner_text().split()[0].replace(",", "")) == passages_counted(page)
    chip.locator("summary").click()
    ruled_out = chip.locator(".way", has_text="ruled out").first
    counted = int(ruled_out.locator(".way-count").inner_text().replace(",", ""))
    with page.expect_navigation():
        ruled_out.click()
    assert passages_counted(page) == counted
    expect(page.locator("#headline")).to_contain_text("pneumothorax is absent")


def test_a_guess_is_told_and_taken_back_with_a_click(page: Page) -> None:
    search(page, "pnuemothorax")
    assert passages_counted(page) > 0
    notice = page.locator(".notice", has_text="was understood as pneumothorax")
    with page.expect_navigation():
        notice.get_by_role("button").click()
    expect(page.locator(".nothing")).to_be_visible()


def test_what_another_reading_is_stands_in_the_link_to_it(page: Page) -> None:
    search(page, "cough without ICD after pneumonia")
    links = page.locator(".notice").get_by_role("button", name="Read it so")
    expect(links).to_have_count(2)
    first, second = links.all_inner_texts()
    assert first != second
    assert "on the same day or after" in second
    with page.expect_navigation():
        links.last.click()
    expect(page.get_by_label("Search the notes")).to_have_value(re.compile("on the same day or after"))


def test_a_pasted_list_keeps_its_items_apart(page: Page) -> None:
    page.goto("/")
    line = page.get_by_label("Search the notes")
    line.fill("women ")
    line.evaluate("""(line) => {
      const held = new DataTransfer();
      held.setData("text/plain", "Inclusion criteria:\\n- gout\\n\\nExclusion criteria:\\n- asthma\\n- fever\\n");
      line.dispatchEvent(new ClipboardEvent("paste", { clipboardData: held, cancelable: true, bubbles: true }));
    }""")
    expect(line).to_have_value("women Inclusion criteria: - gout; Exclusion criteria: - asthma; - fever")


def test_what_empties_a_search_is_named_and_can_be_dropped(page: Page) -> None:
    search(page, "pneumothorax qwertzuiop")
    nothing = page.locator(".nothing")
    expect(nothing).to_contain_text("No passage has the word qwertzuiop.")
    with page.expect_navigation():
        nothing.get_by_role("button", name="Search without it").click()
    assert passages_counted(page) > 0


def test_every_counted_one_can_be_reached(page: Page) -> None:
    def on_this_page() -> int:
        """Hits, and the other notes that have the words of one."""
        again = page.locator(".similar-link[href$='#again']").all_inner_texts()
        return page.locator(".hit").count() + sum(int(text.split()[2].replace(",", "")) for text in again)

    search(page, 'type:"discharge summary"')
    seen = on_this_page()
    while page.locator("a[rel=next]").count():
        with page.expect_navigation():
            page.locator("a[rel=next]").click()
        seen += on_this_page()
    assert seen == passages_counted(page) > 400


def test_the_other_notes_with_the_same_words_are_one_click_away(page: Page) -> None:
    search(page, 'type:"discharge summary"')
    while not (again := page.locator(".similar-link[href$='#again']")).count():
        with page.expect_navigation():
            page.locator("a[rel=next]").click()
    number = int(again.first.inner_text().split()[2])
    again.first.click()
    listed = page.locator("#again")
    expect(listed.get_by_role("heading")).to_contain_text("The same words in ")
    notes = listed.locator("li a")
    # Of the whole index, so at least those that were counted.
    assert notes.count() >= min(number, 60)
    if notes.count() > 5:  # a longer list is closed at first
        listed.locator("summary").click()
    name = notes.first.inner_text()
    notes.first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_badges_are_not_copied_and_triggers_are_reached_by_keyboard(page: Page) -> None:
    search(page, "no pneumothorax")
    hit = page.locator(".hit-text", has=page.locator(".is-absent:not(.is-other)")).first
    finding = hit.locator(".is-absent:not(.is-other)").first
    expect(finding.locator(".sign")).to_have_text("no")
    copied = hit.evaluate("one => { getSelection().selectAllChildren(one); return getSelection().toString(); }")
    without_badges = (
        "c = one.cloneNode(true); c.querySelectorAll('.sign').forEach(s => s.remove()); return c.textContent"
    )
    note = hit.evaluate(f"one => {{ const {without_badges}; }}")
    assert "".join(copied.split()) == "".join(note.split())
    finding.focus()
    expect(hit.locator(".trigger.lit").first).to_be_visible()


def test_the_first_hit_is_few_tabs_away(page: Page) -> None:
    search(page, QUERY)
    page.locator("body").evaluate("one => { document.activeElement.blur(); one.focus(); }")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('hit-open')"):
            return
    raise AssertionError("no hit within ten tabs")


def test_the_first_steps_lead_on_and_go_once_something_was_asked(page: Page) -> None:
    page.goto("/")
    steps = page.get_by_role("region", name="The first three steps")
    steps.get_by_role("button", name="The same question as groups").click()
    page.wait_for_url("**/build")
    expect(page.locator("#counts-title")).to_contain_text("2 patients")
    page.goto("/")
    steps.get_by_role("button", name="women over 60").click()
    page.wait_for_url("**/results/**")
    expect(page.locator(".hit").first).to_be_visible()
    page.goto("/")
    expect(page.get_by_label("Search the notes")).to_be_focused()
    expect(steps).to_have_count(0)


def test_the_first_steps_are_put_away_and_stay_so(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Put them away").click()
    steps = page.get_by_role("region", name="The first three steps")
    expect(steps).to_have_count(0)
    page.goto("/")
    expect(page.get_by_role("region", name="Try one")).to_be_visible()
    expect(steps).to_have_count(0)


def test_an_example_is_a_search(page: Page) -> None:
    page.goto("/?scope=passage")
    page.locator(".example").first.click()
    page.wait_for_url("**/results/**")
    assert passages_counted(page) > 0


def test_the_keyboard_is_enough(page: Page) -> None:
    search(page, QUERY)
    names = page.locator(".hit-open")
    page.keyboard.press("j")
    expect(names.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(names.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(names.nth(0)).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_label("Search the notes")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_url("**/notes/**")


def test_letters_typed_into_the_line_stay_there(page: Page) -> None:
    page.goto("/")
    line = page.get_by_label("Search the notes")
    expect(line).to_be_focused()
    page.keyboard.type("jok?/")
    expect(line).to_have_value("jok?/")


@pytest.mark.parametrize("width", [360, 768, 1280, 2560])
def test_no_page_scrolls_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/")
    assert overflow(page) <= 0
    search(page, f'{QUERY} -"{"long" * 30}" after:2000')
    assert overflow(page) <= 0
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    assert overflow(page) <= 0
    search(page, '"' + "unbroken" * 40)
    assert overflow(page) <= 0


def test_days_stand_in_the_row_of_the_names_and_acts_stay_where_they_are(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    search(page, "pneumothorax")
    with page.expect_navigation():
        page.locator(".scope-choice", has_text="Patients").click()
    heads = page.locator(".group .hit-head").evaluate_all(
        """heads => heads.map((head) => ["h3", ".hit-date"].map((one) => {
            const box = head.querySelector(one).getBoundingClientRect();
            return [box.top, box.right];
        }))"""
    )
    assert len({right for _, (_, right) in heads}) == 1
    assert all(abs(name_top - top) < 12 for (name_top, _), (top, _) in heads)
    compare = page.get_by_role("button", name="Compare")
    before = compare.bounding_box()
    page.get_by_text("Save cohort", exact=True).click()
    now = compare.bounding_box()
    assert before
    assert now
    assert now["y"] == before["y"]


def test_on_a_narrow_screen_facets_are_behind_a_button(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    search(page, QUERY)
    expect(page.locator(".facet").first).to_be_hidden()
    page.get_by_role("button", name="Filters").click()
    expect(page.locator(".facet").first).to_be_visible()


def test_on_a_narrow_screen_a_long_criterion_ends_with_what_takes_it_off(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    search(page, "pneumothorax within 30 days after pacemaker")
    chip = page.locator(".criterion-head").first
    said, off = (chip.locator(one).bounding_box() for one in (".criterion-said", ".criterion-off"))
    assert said
    assert off
    assert said["height"] > 1.5 * off["height"]  # several lines
    assert off["x"] >= said["x"] + said["width"]
    assert said["y"] <= off["y"] <= said["y"] + said["height"] - off["height"]


def test_on_a_narrow_screen_marks_and_order_stand_in_one_row(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    search(page, "pleural effusion")
    legend, sorts = (page.locator(one).bounding_box() for one in (".legend", ".sorts"))
    assert legend
    assert sorts
    assert abs(legend["y"] + legend["height"] / 2 - sorts["y"] - sorts["height"] / 2) < 12


def test_on_a_narrow_screen_a_patients_passages_begin_below_the_name(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/?scope=patient&q=pneumothorax")
    number, name = (page.locator(one).first.bounding_box() for one in (".group .hit-number", ".group .hit-open"))
    assert number
    assert name
    assert abs(number["x"] - name["x"]) < 1


def test_everything_works_without_scripts(new_context: NewContext, page_url: str) -> None:
    narrow = {"width": 360, "height": 800}
    page = new_context(page_url, java_script_enabled=False, viewport=narrow).new_page()
    search(page, QUERY)
    assert passages_counted(page) > 0
    expect(page.locator(".facet").first).to_be_visible()
    page.locator(".hit-open").first.click()
    page.wait_for_url("**/notes/**")
    expect(page.locator("#passage")).to_be_in_viewport()


@pytest.mark.parametrize("path", ["/", "/nowhere", "/results/expired"])
def test_the_demo_notice_is_everywhere(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_text("Synthetic demonstration notes – no real patients.")).to_be_visible()


def test_no_hit_of_the_demo_repeats_what_the_notice_says(page: Page) -> None:
    search(page, f"{QUERY} collection:demo")
    expect(page.locator(".hit").first).to_be_visible()
    assert page.locator(".tag-synthetic").count() == 0
    page.locator(".hit .similar-link").first.click()
    page.wait_for_url("**/similar*")
    assert page.locator(".tag-synthetic").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system(new_context: NewContext, page_url: str, scheme: str) -> None:
    page = new_context(page_url, color_scheme=scheme).new_page()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", scheme)
    red = int(page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]"))
    assert (red < 64) == (scheme == "dark")
