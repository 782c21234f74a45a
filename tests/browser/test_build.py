"""The builder in a real browser: the opening question put together by hand, and by the line, which say the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewContext, Watch
from tests.browser.rules import keeps_the_rules

pytestmark = pytest.mark.browser
OPENING = "women over 60 with pneumothorax within 30 days after pacemaker"


def counted(page: Page) -> str:
    return page.locator("#counts-title").inner_text()


def fits(page: Page) -> None:
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def add(page: Page, to: str, words: str) -> None:
    page.get_by_label(f"Add to {to}").fill(words)
    with page.expect_response("**/build"):
        page.keyboard.press("Enter")


def begin(page: Page, line: str) -> None:
    """Open the builder and type, as one does whom the page has put into the line."""
    page.goto("/build")
    expect(page.get_by_label("As a line")).to_be_focused()
    page.keyboard.type(line)
    expect(page.get_by_label("As a line")).to_have_value(line)
    page.keyboard.press("Enter")


def press(page: Page, name: str) -> None:
    with page.expect_response("**/build"):
        page.get_by_role("button", name=name, exact=True).click()


def press_offer(page: Page) -> None:
    """A link to what may be meant says what it reads."""
    with page.expect_response("**/build"):
        page.get_by_role("button", name="Ask for that").click()


def test_the_opening_question_by_hand_and_by_line(page: Page) -> None:
    page.goto("/build")
    keeps_the_rules(page)
    begin(page, OPENING)
    expect(page.locator("#counts-title")).to_contain_text("patient")
    by_line = counted(page)

    begin(page, "pneumothorax")
    expect(page.locator("#counts-title")).to_be_visible()
    alone = counted(page)
    add(page, "pneumothorax", "pacemaker")
    expect(page.get_by_label("As a line")).to_have_value("pneumothorax, pacemaker")
    expect(page.get_by_role("group", name="pacemaker").locator(".block-head")).to_contain_text("note")
    expect(page.locator(".build-counts .bars li").last).to_contain_text("note")
    press(page, "Relate")
    expect(page.get_by_role("group", name="pneumothorax within 30 days after pacemaker")).to_be_visible()
    add(page, "pneumothorax within 30 days after pacemaker", "women over 60")
    expect(page.locator("#counts-title")).to_have_text(by_line)
    keeps_the_rules(page)
    fits(page)
    for _ in range(3):
        press(page, "Undo")
    expect(page.locator("#counts-title")).to_have_text(alone)
    press(page, "Redo")
    expect(page.get_by_label("Choose pacemaker")).to_be_visible()
    page.get_by_role("group", name="pacemaker").get_by_role("button", name="exclude").click()
    expect(page.get_by_role("group", name="without pacemaker")).to_be_visible()
    page.get_by_role("button", name="Show the patients").click()
    page.wait_for_url("**/results/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pneumothorax")
    page.get_by_role("button", name="Edit in the builder").click()
    expect(page.get_by_role("group", name="without pacemaker")).to_be_visible()


def test_groups_by_tick_and_by_hand(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # a line that cannot be read, in the end
    begin(page, "cough, fever, pneumonia")
    expect(page.locator("#counts-title")).to_be_visible()
    page.get_by_label("Choose cough").check()
    page.get_by_label("Choose fever").check()
    press(page, "Any of them")
    group = page.get_by_role("group", name="any of")
    expect(group).to_be_visible()
    # Dragged into the group, the third is an alternative too.
    with page.expect_response("**/build"):
        page.get_by_role("group", name="pneumonia", exact=True).locator(".criterion-text").drag_to(
            group.locator(".block-turn")
        )
    expect(page.get_by_label("As a line")).to_have_value("cough or fever or pneumonia")
    # Beside another, where the order is another; by keys too, which keep the place.
    with page.expect_response("**/build"):
        page.get_by_role("group", name="pneumonia", exact=True).locator(".criterion-text").drag_to(
            page.get_by_role("group", name="cough", exact=True), target_position={"x": 150, "y": 3}
        )
    expect(page.get_by_label("As a line")).to_have_value("pneumonia or cough or fever")
    page.get_by_role("button", name="Move pneumonia down").focus()
    for _ in range(2):
        with page.expect_response("**/build"):
            page.keyboard.press("Enter")
        expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("button", name="Move pneumonia up")).to_be_focused()
    expect(page.get_by_label("As a line")).to_have_value("cough or fever or pneumonia")
    press(page, "any of")
    expect(page.get_by_label("As a line")).to_have_value("cough, fever, pneumonia")
    # What a note says of a finding is switched in its place.
    page.get_by_role("group", name="fever", exact=True).locator(".ways > summary").click()
    fits(page)
    with page.expect_response("**/build"):
        page.get_by_role("group", name="fever", exact=True).get_by_role("button", name="ruled out").click()
    expect(page.get_by_role("group", name="fever ruled out")).to_be_visible()
    # A filter by what no note has would leave nobody, without a word.
    page.get_by_label("As a line").fill("cough section:impresion")
    page.keyboard.press("Enter")
    expect(page.get_by_text('Did you mean "impression"?')).to_be_visible()
    press_offer(page)
    expect(page.get_by_label("As a line")).to_have_value("cough section:impression")
    press(page, "Undo")
    press(page, "Undo")
    # So may a name that no lexicon holds.
    page.get_by_label("As a line").fill("cough finding:pnemothorxx")
    page.keyboard.press("Enter")
    press_offer(page)
    expect(page.get_by_label("As a line")).to_have_value('cough finding:"pneumothorax"')
    press(page, "Undo")
    page.get_by_label("As a line").fill("cough section:")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("group", name="fever ruled out")).to_be_visible()  # nothing is lost


def test_names_are_ticked_off_one_after_the_other(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # with nothing ticked
    begin(page, "diabetes mellitus, cough, hypertension")
    page.get_by_role("group", name="diabetes mellitus", exact=True).locator(".ways > summary").click()
    for name in ("type 1 diabetes mellitus", "gestational diabetes"):
        switched = page.get_by_role("button", name=name, exact=True)  # by its words, whether or not its count is there
        expect(switched).to_have_attribute("data-count", re.compile(r"^\d"))
        with page.expect_response("**/build"):
            switched.click()
        expect(switched).to_have_attribute("aria-pressed", "false")
        expect(switched).to_be_focused()  # in the list, which stays open
    expect(page.locator(".block").first).to_contain_text("diabetes mellitus")
    expect(page.get_by_label("As a line")).to_have_value(
        re.compile("not gestational diabetes.*not type 1 diabetes mellitus")
    )
    for button in ("Any of them", "All of them", "Relate", "Bring together", "Move ticked here"):
        press(page, button)
        expect(page.get_by_role("alert")).to_contain_text("Nothing is ticked.")
    page.get_by_label("Choose cough").check()
    press(page, "Any of them")
    expect(page.get_by_role("alert")).to_contain_text("Only one is ticked.")


def test_each_way_to_ask_is_counted_once_its_list_is_open(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/counts") else None)
    begin(page, "diabetes mellitus, cough")
    block = page.get_by_role("group", name="diabetes mellitus", exact=True)
    alone = block.locator(".criterion-count").inner_text().split()[0]
    assert asked == []
    block.locator(".ways > summary").click()
    expect(block.locator(".way[data-says=present]")).to_have_attribute("data-count", alone)
    assert len(asked) == 1
    ways, narrower = (
        block.locator(".way[data-says]:not([data-says=''])"),
        block.locator(".switch[data-name][data-count]"),
    )
    expect(ways).to_have_count(block.locator(".way[data-says][data-count]").count())
    numbers = {one.get_attribute("data-name") or "": one.get_attribute("data-count") for one in narrower.all()}
    keeps_the_rules(page)
    # It is what one finds who asks for that alone.
    name = "type 2 diabetes mellitus"
    assert numbers[name] not in (None, "0")
    begin(page, name)
    own = page.get_by_role("group", name=name, exact=True).locator(".criterion-count")
    expect(own).to_contain_text(re.compile(rf"^{numbers[name]}\b"))


def held(page: Page) -> list[Route]:
    """Steps that are sent and not answered, until their routes go on."""
    found: list[Route] = []
    page.route("**/build", lambda route: found.append(route) if route.request.method == "POST" else route.continue_())
    return found


def answer(page: Page, steps: list[Route]) -> None:
    """Let the step go on that is sent, or about to be."""
    while not steps:
        page.wait_for_timeout(20)
    steps.pop().continue_()


WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask", buffered: true });
}"""


def test_what_is_typed_while_a_step_runs_is_kept_and_never_blocks(
    page: Page, watch: Watch, record_testsuite_property: Callable[[str, object], None]
) -> None:
    watch.expect(r"(?:status of 400|net::ERR_FAILED) .*/build")  # a step that fails, and one that is not answered
    begin(page, "pneumonia")
    expect(page.locator("#counts-title")).to_be_visible()
    steps = held(page)
    page.evaluate(WATCH)
    field, line = page.get_by_label("Add to pneumonia"), page.get_by_label("As a line")
    field.press_sequentially("cough", delay=50)
    page.keyboard.press("Enter")
    words = "shortness of breath, or a fever since the spring"
    page.keyboard.type(words[:24], delay=100)
    answer(page, steps)  # it comes amid the typing
    page.keyboard.type(words[24:], delay=100)
    field = page.get_by_role("textbox", name="Add to pneumonia").or_(page.get_by_role("combobox", name="Add to"))
    expect(page.get_by_label("Choose cough")).to_be_visible()
    expect(field).to_have_value(words)
    expect(field).to_be_focused()
    longest = max(page.evaluate("window.tasks"), default=0)
    record_testsuite_property("longest task while typing, ms", longest)
    assert longest < 1_000
    page.evaluate("setTimeout(() => { const from = performance.now(); while (performance.now() - from < 150); })")
    page.wait_for_function("() => window.tasks.some((one) => one > 140)")  # it would have been seen
    expect(page.locator("output[for=add-top]")).to_contain_text("With it, all in all,")

    # A second step waits for the first; the line and a tick stay as they are by then.
    field.fill("fever")
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    field.fill("asthma")
    page.keyboard.press("Enter")
    page.get_by_label("Choose cough").check()
    line.fill("something else")
    line.press("Home")
    answer(page, steps)
    expect(page.get_by_label("Choose fever")).to_be_visible()
    expect(page.get_by_label("Choose cough")).to_be_checked()
    assert page.evaluate("document.querySelector('#line').selectionStart") == 0
    answer(page, steps)
    expect(page.get_by_label("Choose asthma")).to_be_visible()
    expect(line).to_have_value("something else")
    expect(line).to_be_focused()
    expect(page.locator("output[for=line]")).to_contain_text("patient")
    field.fill("half a wor")
    line.press("Enter")  # reads the line, and that alone
    answer(page, steps)
    expect(page.get_by_label("Choose asthma")).to_have_count(0)
    expect(field).to_have_value("half a wor")
    page.get_by_role("button", name="Undo").click()
    answer(page, steps)
    expect(page.get_by_label("Choose asthma")).to_be_visible()
    # What is typed and was not asked for is there after another step, and after one that fails.
    field.fill("section:")
    page.get_by_role("button", name="Undo").click()
    answer(page, steps)
    expect(page.get_by_label("Choose asthma")).to_have_count(0)
    expect(field).to_have_value("section:")
    field.press("Enter")
    page.keyboard.type("more")  # the next one
    answer(page, steps)
    expect(page.get_by_role("alert")).to_contain_text("“section:” was not added.")
    expect(field).to_have_value("more")
    steps.clear()
    field.fill("one more")
    page.keyboard.press("Enter")
    while not steps:
        page.wait_for_timeout(20)
    steps.pop().abort()
    expect(page.get_by_role("alert")).to_contain_text("What you typed is still here")
    expect(field).to_have_value("one more")


def test_a_field_goes_on_from_what_is_typed(page: Page) -> None:
    begin(page, "pneumonia")
    with page.expect_response("**/complete"):
        page.get_by_label("Add to pneumonia").press_sequentially("pneumoth")
    expect(page.locator("#names option[value=pneumothorax]")).to_have_count(1)


def test_the_days_between_two_criteria_are_set_on_their_edge(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # days that are none
    begin(page, "pneumothorax within 30 days after pacemaker")
    edge = page.get_by_role("group", name="Days between pneumothorax and pacemaker")
    expect(edge.get_by_role("combobox")).to_have_value("after")
    for name in ("pneumothorax", "pacemaker"):
        member = page.get_by_role("group", name=name, exact=True)
        expect(member.locator(".criterion-count")).to_contain_text("by itself")
    within = counted(page)
    edge.get_by_role("combobox").select_option("either")
    edge.get_by_label("to", exact=False).last.fill("60")
    with page.expect_response("**/build"):
        page.keyboard.press("Enter")
    line = page.get_by_label("As a line")
    expect(line).to_have_value("pneumothorax within 60 days of pacemaker")
    expect(edge.get_by_role("combobox")).to_have_value("either")
    keeps_the_rules(page)
    fits(page)
    press(page, "Undo")
    expect(line).to_have_value("pneumothorax within 30 days after pacemaker")
    expect(page.locator("#counts-title")).to_have_text(within)
    press(page, "Redo")
    expect(line).to_have_value("pneumothorax within 60 days of pacemaker")
    # Days that are none are told, and stay to be mended; another step does not lose them.
    edge.get_by_label("from", exact=False).first.fill("ten")
    with page.expect_response("**/build"):
        edge.get_by_role("button", name="Set").click()
    expect(page.get_by_role("alert")).to_contain_text("no number of days")
    expect(edge.locator("input").first).to_have_value("ten")
    page.get_by_role("button", name="Take pneumothorax off", exact=True).click()
    expect(line).to_have_value("pacemaker")


def test_each_time_is_set_changed_and_taken_off(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # a date that is none
    begin(page, "pneumonia, fever, cough")
    line = page.get_by_label("As a line")
    rest = "fever, cough"

    def in_time(name: str, kind: str) -> Locator:
        block = page.get_by_role("group", name=name, exact=True)
        row = block.locator(
            ":scope > .block-head > .block-new, :scope > .block-ways > .block-new:not(.block-number):not(.block-site)"
        )
        row.locator("summary").click()
        row.locator(".when-kind").select_option(kind)
        return row

    row = in_time("pneumonia", "first")
    expect(row.locator("input:visible")).to_have_count(0)  # no number is asked for
    with page.expect_response("**/build"):
        row.get_by_role("button").click()
    expect(line).to_have_value("the first pneumonia, fever, cough")
    expect(page.get_by_role("group", name="Time of the first pneumonia")).to_be_visible()
    expect(page.locator(".block-new[open]")).to_have_count(0)
    for kind, written in (
        ("last", "the last pneumonia"),
        ("notes", "pneumonia in at least 2 notes"),
        ("days", "pneumonia on at least 2 days"),
    ):
        now = page.get_by_role("group", name="Time of")
        now.get_by_role("combobox").select_option(kind)
        with page.expect_response("**/build"):
            now.get_by_role("button", name="Set").click()
        expect(line).to_have_value(f"{written}, {rest}")
    page.get_by_role("group", name="Time of").get_by_label("so many").fill("3")
    with page.expect_response("**/build"):
        page.keyboard.press("Enter")
    expect(line).to_have_value("pneumonia on at least 3 days, fever, cough")
    keeps_the_rules(page)
    # What cannot be read is told, and stays to be mended.
    now = page.get_by_role("group", name="Time of")
    now.get_by_role("combobox").select_option("during")
    now.get_by_label("from").fill("soon")
    with page.expect_response("**/build"):
        now.get_by_role("button", name="Set").click()
    expect(page.get_by_role("alert")).to_contain_text("not a date")
    now = page.get_by_role("group", name="Time of")
    expect(now.get_by_label("from")).to_have_value("soon")
    now.get_by_label("from").fill("2019")
    now.locator("[name^=when-until]").fill("2021")
    with page.expect_response("**/build"):
        page.keyboard.press("Enter")
    expect(line).to_have_value("(pneumonia DURING 2019-01-01 TO 2021-12-31), fever, cough")
    # One around another: the first of those.
    row = in_time("pneumonia since 2019-01-01 before 2022-01-01", "first")
    with page.expect_response("**/build"):
        row.get_by_role("button").click()
    expect(line).to_have_value("(FIRST (pneumonia DURING 2019-01-01 TO 2021-12-31)), fever, cough")
    press(page, "Undo")
    expect(page.get_by_role("group", name="Time of")).to_have_count(1)
    with page.expect_response("**/build"):
        page.get_by_role("group", name="Time of").get_by_role("button", name="at any time").click()
    expect(line).to_have_value("pneumonia, fever, cough")
    row = in_time("fever", "age")
    row.locator("[name^=new-least]").fill("60")
    with page.expect_response("**/build"):
        row.get_by_role("button").click()
    page.get_by_role("button", name="Take fever at age 60 or older off").click()
    expect(line).to_have_value("pneumonia, cough")


def test_several_are_brought_together(page: Page) -> None:
    begin(page, "pneumonia, fever, cough")
    for name in ("fever", "cough"):
        page.get_by_label(f"Choose {name}").check()
    page.get_by_label("all of them in what").select_option("day")
    press(page, "Bring together")
    line = page.get_by_label("As a line")
    expect(line).to_have_value("pneumonia, (SAME DAY (fever cough))")
    by_day = counted(page)
    add(page, "fever and cough in the same day", "asthma")
    expect(line).to_have_value("pneumonia, (SAME DAY (fever cough asthma))")
    press(page, "Undo")
    expect(page.locator("#counts-title")).to_have_text(by_day)
    now = page.get_by_role("group", name="Time of")
    now.get_by_role("combobox").select_option("note")
    with page.expect_response("**/build"):
        now.get_by_role("button", name="Set").click()
    expect(line).to_have_value("pneumonia, fever and cough in the same note")
    keeps_the_rules(page)
    fits(page)
    with page.expect_response("**/build"):
        page.get_by_role("group", name="Time of").get_by_role("button", name="at any time").click()
    expect(line).to_have_value("pneumonia, fever, cough")


def test_every_step_works_without_scripts(new_context: NewContext, page_url: str) -> None:
    page = new_context(page_url, java_script_enabled=False).new_page()
    page.goto("/build")
    page.get_by_label("As a line").fill("pneumothorax")
    page.keyboard.press("Enter")
    page.get_by_label("Add to pneumothorax").fill("no fever")
    page.keyboard.press("Enter")
    expect(page.get_by_label("As a line")).to_have_value("pneumothorax, no fever")
    page.get_by_role("button", name="Take fever ruled out off").click()
    expect(page.get_by_label("As a line")).to_have_value("pneumothorax")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("As a line")).to_have_value("pneumothorax, no fever")
    page.get_by_label("As a line").fill("pneumothorax within 30 days after pacemaker")
    page.keyboard.press("Enter")
    page.locator(".block-edge input").last.fill("7")
    page.keyboard.press("Enter")
    expect(page.get_by_label("As a line")).to_have_value("pneumothorax within 7 days after pacemaker")
    page.get_by_role("group", name="pacemaker", exact=True).locator(".block-new:not(.block-site) > summary").click()
    page.locator("#new-kind-1").select_option("notes")
    page.locator("#new-number-1").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_label("As a line")).to_have_value(
        "pneumothorax within 7 days after (pacemaker in at least 3 notes)"
    )


def test_where_in_the_body_is_set_and_taken_off(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # what is no place of the body
    begin(page, "pleural effusion")
    expect(page.locator("#counts-title")).to_be_visible()
    alone = counted(page)
    page.get_by_role("group", name="pleural effusion").get_by_text("where", exact=False).first.click()
    page.get_by_label("pleural effusion: where in the body").fill("left")
    press(page, "Set where pleural effusion is")
    expect(page.get_by_label("As a line")).to_have_value("left pleural effusion")
    assert counted(page) != alone
    keeps_the_rules(page)
    fits(page)
    page.get_by_label("pleural effusion (left): where in the body").fill("the moon")
    press(page, "Set where pleural effusion (left) is")
    expect(page.get_by_role("alert")).to_contain_text("no place of the body")
    page.get_by_label("pleural effusion (left): where in the body").fill("")
    press(page, "Set where pleural effusion (left) is")
    expect(page.locator("#counts-title")).to_have_text(alone)


def test_a_number_is_set_changed_and_taken_off(page: Page, watch: Watch) -> None:
    watch.expect(r"status of 400 .*/build")  # what is no number
    begin(page, "nodule")
    expect(page.locator("#counts-title")).to_be_visible()
    alone = counted(page)
    page.get_by_role("group", name="nodule").get_by_text("number", exact=False).first.click()
    field = page.get_by_label("nodule: number that the notes must tell")
    field.fill("> 8 mm")
    press(page, "Set the number of nodule")
    expect(page.get_by_label("As a line")).to_have_value("nodule > 8 mm")
    assert counted(page) != alone
    keeps_the_rules(page)
    fits(page)
    field = page.get_by_label("nodule > 8 mm: number that the notes must tell")
    field.fill("> 1 cm")
    with page.expect_response("**/build"):
        field.press("Enter")
    expect(page.get_by_label("As a line")).to_have_value("nodule > 10 mm")
    field = page.get_by_label("nodule > 10 mm: number that the notes must tell")
    field.fill("large")
    press(page, "Set the number of nodule > 10 mm")
    expect(page.get_by_role("alert")).to_contain_text("large is no amount")
    page.get_by_label("nodule > 10 mm: number that the notes must tell").fill("")
    press(page, "Set the number of nodule > 10 mm")
    expect(page.locator("#counts-title")).to_have_text(alone)
