"""The correcting page in a browser: by mouse, by keys, by touch, and hostile pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets
from scrapy_mainpage.label import Label
from tests.correct.helpers import read_page, serve
from tests.mockserver import SENTENCE, article
from tests.mockserver import serve as serve_site
from tests.report.test_report import HOSTILE

TABLE = "<table><tr><td>Gauge<td>Speed<tr><td>Narrow<td>Slow</table>"
LIST = "<ul><li>First stop<li>Second stop<li>Last stop</ul>"
HTML = article("trains", paragraphs=3, main=f"<h2>Stops</h2>{LIST}<h2>Data</h2>{TABLE}")
ARABIC = (
    "<html lang=ar dir=rtl><body><nav><a href=/>الرئيسية</a></nav><article>"
    "<h1>المكتبة التي تسافر</h1>" + "<p>في صباح كل يوم سبت، يسمع أطفال القرية.</p>" * 4
)
WAIT_MS = 30_000


class Tab:
    """The correcting page in a tab, and what it asked for."""

    def __init__(self, tab: Any, folder: Path) -> None:
        self.tab, self.folder = tab, folder
        self.hosts: set[str | None] = set()
        self.errors: list[str] = []
        tab.set_default_timeout(WAIT_MS)
        tab.on("request", lambda r: self.hosts.add(urlsplit(r.url).hostname))
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("console", self._note)

    def _note(self, message: Any) -> None:
        if message.type == "error" and "favicon" not in str(message.location):
            self.errors.append(message.text)

    def block(self, text: str) -> Any:
        """The block that begins with the text."""
        return self.tab.locator("#page .b").filter(has_text=text).first

    def kept(self) -> list[str]:
        """The first words of the blocks that are main content, without labels."""
        texts: list[str] = self.tab.evaluate(
            """() => [...document.querySelectorAll("#page .kept")].map((element) => {
                const copy = element.cloneNode(true);
                copy.querySelector(":scope > .tag")?.remove();
                return copy.textContent.trim().slice(0, 14);
            })"""
        )
        return texts

    def keep(self, text: str) -> None:
        self.block(text).click()
        self.press("Enter")

    def name(self, menu: str, choice: str) -> None:
        for name in (menu, choice):
            self.tab.get_by_role("button", name=name, exact=True).click()

    def find(self, text: str) -> None:
        """Choose a block by its text, as keys do: three inputs."""
        self.press("/")
        self.tab.keyboard.type(text)
        self.press("Enter")

    def style(self, block: Any, name: str) -> str:
        style: str = block.evaluate(f"element => getComputedStyle(element).{name}")
        return style

    def press(self, keys: str) -> None:
        for key in keys.split():
            self.tab.keyboard.press(key)

    def saved(self) -> LabelledPage:
        """Save, and read the page from the labelled set."""
        self.press("s")
        self.tab.wait_for_url("**/")
        ((page,),) = (each.pages for each in load_sets(self.folder))
        return page


Open = Callable[..., Any]


@pytest.fixture
def open_page(
    requirement: Callable[[str], str], request: pytest.FixtureRequest, tmp_path: Path
) -> Open:
    """Opens a page to correct in a new tab; ends with the block."""
    requirement("browser")
    browser = request.getfixturevalue("chromium")

    @contextmanager
    def opened(*pages: PageToCorrect, **options: Any) -> Iterator[Tab]:
        with serve(tmp_path / "set", *pages) as server:
            context = browser.new_context(**options)
            tab = Tab(context.new_page(), tmp_path / "set")
            tab.tab.goto(f"{server.url}page/1")
            yield tab
            assert tab.hosts == {"127.0.0.1"}
            assert tab.errors == []
            context.close()

    return opened


def test_correct_by_mouse(open_page: Open) -> None:
    with open_page(read_page(HTML)) as tab:
        button = partial(tab.tab.get_by_role, "button", exact=True)
        before = tab.kept()
        assert before[0] == "All about trai"
        tab.block("Home").click()
        assert tab.kept() == before  # a click chooses, and changes nothing
        button(name="Keep").click()
        assert tab.kept()[0] == "Home"
        tab.block("Shop").click(modifiers=["Shift"])  # up to there
        button(name="Keep").click()
        assert tab.kept()[:5] == ["Home", "News", "Contact", "Shop", "All about trai"]
        button(name="Undo").click()
        button(name="Undo").click()
        assert tab.kept() == before
        button(name="Redo").click()
        assert tab.kept()[0] == "Home"

        # A drag over the list chooses it as far as the pointer goes.
        start, end = tab.block("First stop"), tab.block("Last stop")
        start.hover()
        tab.tab.mouse.down()
        end.hover()
        tab.tab.mouse.up()
        button(name="Drop").click()
        assert not [text for text in tab.kept() if "stop" in text]

        # "Like this": all of the menu; the whole table.
        tab.block("News").click()
        button(name="Like this").click()
        assert "4 blocks" in tab.tab.get_by_role("status").inner_text()
        button(name="Keep").click()
        assert tab.kept()[:4] == ["Home", "News", "Contact", "Shop"]
        tab.block("Gauge").click()
        button(name="Table").click()
        button(name="Drop").click()
        assert not {"Gauge", "Speed", "Narrow", "Slow"} & set(tab.kept())
        tab.block("Buy now").click()
        tab.press("Delete")
        text = tab.saved().text
    assert text is not None
    assert text.startswith("Home\n")
    assert "Gauge" not in text
    assert "Buy now" not in text


def test_correct_by_keys_alone(open_page: Open) -> None:
    page = read_page(HTML)
    with open_page(page) as tab:
        first = tab.tab.locator(":focus")
        assert "All about trains" in first.inner_text()  # the first kept block
        tab.press("k k J J Enter")  # Contact, Shop and the title
        assert tab.kept()[:2] == ["Contact", "Shop"]
        assert tab.tab.evaluate("document.activeElement.ariaChecked") == "true"
        tab.press("u")
        assert "Contact" not in tab.kept()
        tab.press("r u p")  # the nearest block of the menu
        tab.press("a Enter")
        assert tab.kept()[:4] == ["Home", "News", "Contact", "Shop"]
        tab.press("Space")
        assert "Home" not in tab.kept()
        headings = [b.index for b in page.page.blocks if b.tag == "h2"]
        tab.find("stops")
        assert tab.tab.locator(":focus").get_attribute("id") == f"b{headings[0]}"
        tab.press("h Delete")
        assert not [text for text in tab.kept() if "stop" in text.lower()]
        assert "Data" in tab.kept()
        tab.press("j l Enter")
        assert [text for text in tab.kept() if "stop" in text] == [
            "First stop", "Second stop", "Last stop",
        ]  # fmt: skip
        tab.press("Escape f Escape u u r")
        saved = tab.saved()
    first = next(b.index for b in page.page.blocks if b.text == "First stop")
    assert not Label(saved.labels[first - 1]).is_main  # dropped with its section
    assert len(saved.labels) == len(page.page.blocks)


def test_the_text_that_is_shown_is_saved_and_crawled(open_page: Open) -> None:
    pages = [product_page(n) for n in (1, 2, 3)]
    with open_page(*pages) as tab:
        shown = []
        for n in (1, 2):
            tab.block("Our number").click()
            with tab.tab.expect_response("**/text/*") as answer:
                tab.press("Delete")
            answer.value.finished()
            tab.tab.wait_for_function("!now.textContent.includes('Our number')")
            shown.append(tab.tab.locator("#now").text_content())
            tab.press("s")
            tab.tab.wait_for_url(f"**/page/{n + 1}")
        ((saved),) = (each.pages for each in load_sets(tab.folder))
        assert [page.text for page in saved] == shown
        tab.tab.get_by_role("link", name="All pages").click()
        tab.tab.get_by_role("link", name="Rules for shop.example").click()
        assert tab.tab.locator(".change").filter(has_text="as corrected").count() == 2
        assert "Our number: K-3" in tab.tab.locator(".change .lost").inner_text()
        tab.tab.get_by_role("button", name="Write").click()
        tab.tab.get_by_text("Written").wait_for()
    rules = tab.folder.parent / "mainpage-rules" / "shop.example.toml"
    crawled = [extract(page.html, url=page.url, rules=rules) for page in pages[:2]]
    assert [page.text for page in crawled] == shown


def test_edited_rules_are_tried_written_and_not_lost(open_page: Open) -> None:
    with open_page(product_page(1), product_page(2)) as tab:
        tab.block("Kettle 1").click()
        tab.name("This is…", "title")
        tab.press("s")
        tab.tab.wait_for_url("**/page/2")
        tab.tab.get_by_role("link", name="All pages").click()
        tab.tab.get_by_role("link", name="Rules for").click()
        rules = tab.tab.get_by_label("Rules")
        assert "title = " in rules.input_value()
        rules.fill('drop = ["h1"]\n')
        tab.tab.get_by_role("button", name="Try").click()
        tab.tab.get_by_text("Tried", exact=True).wait_for()
        write = tab.tab.get_by_role("button", name="Write")
        write.click()
        tab.tab.get_by_text("Written").wait_for()
        assert write.is_disabled()
        rules.fill("posts = [")
        assert write.is_enabled()
        tab.tab.get_by_role("button", name="Try").click()
        tab.tab.get_by_text("Not done: ").wait_for()
        tab.errors.clear()  # the browser logs the answer 400
        with tab.tab.expect_event("dialog") as asked:
            tab.tab.close(run_before_unload=True)
        assert asked.value.type == "beforeunload"
        asked.value.accept()


def test_what_was_saved_is_shown_again(open_page: Open) -> None:
    with open_page(read_page(HTML)) as tab:
        tab.keep("Home")
        tab.block("Buy now").click()
        tab.name("This is…", "author")
        tab.saved()
        assert "1 of 1 saved" in tab.tab.inner_text("body")
        tab.tab.get_by_role("link", name="All about trains").click()
        tab.block("Buy now").wait_for()
        assert "Home" in tab.kept()
        assert "author" in tab.block("Buy now").inner_text()


def product_page(n: int) -> PageToCorrect:
    main = f"<p class=cost>{n}1,50 net</p><p class=no>Our number: K-{n}</p>"
    html = article(f"kettle {n}", paragraphs=3, main=main)
    return read_page(html, f"https://shop.example/{n}")


def test_fields_are_named_by_clicks_and_keys_and_found_on_another_page(
    open_page: Open,
) -> None:
    page = product_page(1)
    with open_page(page, product_page(2)) as tab:
        before = tab.kept()
        fields = tab.tab.get_by_label("Fields of the page")
        tab.block("11,50").click()
        tab.name("This is…", "sku")
        assert fields.inner_text() == "sku: 11,50 net"
        tab.name("This is…", "sku")  # taken back
        assert fields.inner_text() == ""
        tab.name("This is…", "price")
        tab.press("j f s")
        assert fields.inner_text() == "price: 11,50 net\nsku: Our number: K-1"
        assert "price" in tab.block("11,50").inner_text()
        assert tab.kept() == before  # a click for a field keeps and drops nothing
        tab.press("s")
        tab.tab.wait_for_url("**/page/2")
        tab.tab.get_by_role("link", name="All pages").click()
        tab.tab.get_by_role("link", name="Rules for shop.example").click()
        rules = tab.tab.get_by_label("Rules").input_value()
        assert rules == '[fields]\nprice = [".cost"]\nsku = [".no"]\n'
        row = tab.tab.locator(".change").filter(has_text="shop.example/2")
        assert "price 21.50" in row.inner_text()
        assert "sku K-2" in row.inner_text()


def test_a_key_that_is_held_does_what_it_does_once(open_page: Open) -> None:
    with open_page(read_page(HTML), read_page(HTML)) as tab:
        keyboard = tab.tab.keyboard
        tab.block("First stop").click()
        before = tab.kept()
        for _ in range(2):  # the second one is a repetition
            keyboard.down("f")
        assert tab.tab.locator("#field").is_visible()
        keyboard.up("f")
        price = tab.tab.get_by_role("button", name="price", exact=True)
        assert price.get_attribute("aria-keyshortcuts") == "p"
        tab.press("Escape")
        for key in (" ", "u"):
            for _ in range(3):
                keyboard.down(key)
            keyboard.up(key)
            assert (tab.kept() == before) == (key == "u")
        for _ in range(3):
            keyboard.down("j")
        keyboard.up("j")
        assert "Data" in tab.tab.locator(":focus").inner_text()
        for _ in range(3):
            keyboard.down("s")
        tab.tab.wait_for_url("**/page/2")
        keyboard.down("s")
        keyboard.up("s")
        assert "1 saved" in tab.tab.inner_text("nav")
        assert len(tab.folder.joinpath("pages.jsonl").read_text().splitlines()) == 1
        # Nor does the Enter that ends the input of a word end a search.
        tab.press("/")
        tab.tab.evaluate(
            """() => {
                const ends = { key: "Enter", keyCode: 229, bubbles: true };
                const event = new KeyboardEvent("keydown", ends);
                document.querySelector("#find input").dispatchEvent(event);
            }"""
        )
        assert tab.tab.locator("#find").is_visible()
        tab.press("Escape")


TASKS = {
    "drop a list": (LIST, "Second stop", "l Delete"),
    "keep a table": (f"<footer>{TABLE}</footer>", "Gauge", "t Enter"),
    "label the author": ("<p>By Ann Owl</p>", "By Ann", "f a"),
    "mark a price": ("<p class=cost>1,50 net</p>", "1,50", "f p"),
}
"""Each is a page, the text to find and what to press: six inputs with / Enter s."""


@pytest.mark.parametrize("width", [390, 1280])
def test_tasks_take_six_inputs_by_keys_alone(open_page: Open, width: int) -> None:
    pages = [
        read_page(article("trains", paragraphs=3, main=main), f"https://a.example/{n}")
        for n, (main, *_) in enumerate(TASKS.values())
    ]
    with open_page(*pages, viewport={"width": width, "height": 800}) as tab:
        for n, (_, text, keys) in enumerate(TASKS.values(), 1):
            tab.tab.wait_for_url(f"**/page/{n}")
            assert "by a click, the arrow keys or Find" in tab.tab.inner_text("#status")
            tab.find(text)
            tab.press(f"{keys} s")
        tab.tab.wait_for_url("**/")
        ((saved),) = (each.pages for each in load_sets(tab.folder))
        lines = (tab.folder / "pages.jsonl").read_text("utf-8").splitlines()
    assert "First stop" not in str(saved[0].text)
    assert "Narrow" in str(saved[1].text)
    marks = [json.loads(line) for line in lines[2:]]
    assert [list(mark["fields"]) for mark in marks] == [["author"], ["price"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_correct_by_touch_at_phone_width_from_right_to_left(
    open_page: Open, scheme: str
) -> None:
    phone = {"width": 390, "height": 800}
    with open_page(
        read_page(ARABIC), viewport=phone, has_touch=True, color_scheme=scheme
    ) as tab:
        width = tab.tab.evaluate("document.documentElement.scrollWidth")
        assert width <= 390
        assert tab.tab.evaluate("scrollY") == 0  # it opens at its heading
        shown = tab.tab.locator("#now").bounding_box()
        assert shown["y"] < 800  # the result is in sight
        block = tab.block("الرئيسية")
        # At the start of the line.
        assert tab.style(block, "borderRightStyle") == "dotted"
        block.tap()
        assert block.get_attribute("aria-selected") == "true"
        for button in tab.tab.get_by_role("button").all():
            box = button.bounding_box()
            assert box["x"] + box["width"] <= 390  # none behind a sideways scroll
        tab.tab.get_by_role("button", name="Keep", exact=True).tap()
        assert tab.kept()[0] == "الرئيسية"
        assert block.get_attribute("aria-checked") == "true"
        assert tab.style(block, "borderRightStyle") == "solid"
        tab.tab.get_by_role("button", name="To…").tap()
        tab.tab.locator("#page .b").nth(2).tap()
        assert tab.tab.locator("#page .picked").count() == 3
        tab.tab.get_by_role("button", name="Save and next").tap()
        tab.tab.wait_for_url("**/")


def test_keys_have_a_visible_focus_and_a_name(open_page: Open) -> None:
    with open_page(read_page(HTML)) as tab:
        tab.press("j")
        focused = tab.tab.locator(":focus")
        assert focused.get_attribute("role") == "option"
        assert tab.style(focused, "outlineStyle") == "solid"
        assert tab.tab.get_by_role("listbox").get_attribute("aria-multiselectable")
        assert tab.tab.locator("#page [tabindex='0']").count() == 1
        tab.press("?")
        help_box = tab.tab.get_by_role("dialog").bounding_box()
        assert help_box["y"] >= 0  # on screen, wherever the page is
        tab.press("?")
        assert tab.tab.get_by_role("dialog").count() == 0
        tab.press("Escape")
        tab.press("Space")
        assert "1 block: dropped" in tab.tab.get_by_role("status").inner_text()


def test_no_script_of_a_page_runs_and_nothing_leaves_this_machine(
    open_page: Open,
) -> None:
    with serve_site({}) as site:
        outside = HOSTILE.format(url=site.url)
        outside = outside.replace("127.0.0.1", "localhost")
        url = "https://example.com/'\"><script>err(20)</script>"
        page = read_page(outside, url)
        with open_page(page) as tab:
            tab.tab.evaluate("err = (n) => { window.ran = n; }")
            for k in range(len(page.page.blocks)):
                tab.press("j Space" if k else "Space")
            tab.press("a u h")
            for element in tab.tab.locator("#page *").all()[:40]:
                element.dispatch_event("load")
                element.dispatch_event("focus")
            assert tab.tab.evaluate("window.ran") is None
            assert tab.tab.locator("#page a, #now a, iframe, img, form").count() == 0
            assert tab.tab.locator("script").count() == 1
            saved = tab.saved()
            tab.tab.wait_for_load_state("networkidle")
            assert tab.tab.locator("script").count() == 1
            assert "script" in tab.tab.inner_text("body")
        assert site.requests.total() == 0
    assert saved.url == url
    assert SENTENCE not in str(saved.text)
