"""The correcting page in a browser: by mouse, by keys, by touch, and hostile pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

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

pytestmark = pytest.mark.timeout(300)


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
        return [
            text.strip()[:14] for text in self.tab.locator("#now .b").all_inner_texts()
        ]

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
        before = tab.kept()
        assert before[0] == "All about trai"
        assert "Home" not in before
        tab.block("Home").click()
        assert tab.kept()[0] == "Home"
        tab.block("Shop").click(modifiers=["Shift"])  # up to there
        assert tab.kept()[:5] == ["Home", "News", "Contact", "Shop", "All about trai"]
        tab.tab.get_by_role("button", name="Undo").click()
        tab.tab.get_by_role("button", name="Undo").click()
        assert tab.kept() == before
        tab.tab.get_by_role("button", name="Redo").click()
        assert tab.kept()[0] == "Home"

        # A drag over the list drops it as far as the pointer goes.
        start, end = tab.block("First stop"), tab.block("Last stop")
        start.hover()
        tab.tab.mouse.down()
        end.hover()
        tab.tab.mouse.up()
        assert not [text for text in tab.kept() if "stop" in text]

        # "Like this": all of the menu; the whole table.
        tab.block("News").click()
        tab.tab.get_by_role("button", name="Like this").click()
        assert tab.kept()[:4] == ["Home", "News", "Contact", "Shop"]
        tab.block("Gauge").click()
        tab.tab.get_by_role("button", name="Table").click()
        assert not {"Gauge", "Speed", "Narrow", "Slow"} & set(tab.kept())
        tab.block("Buy now").click()
        tab.tab.get_by_label("Label of the block").select_option("advertisement")
        text = tab.saved().text
    assert text is not None
    assert text.startswith("Home\n")
    assert "Gauge" not in text
    assert "Buy now" not in text


def test_correct_by_keys_alone(open_page: Open) -> None:
    page = read_page(HTML)
    with open_page(page) as tab:
        tab.press("j j x j j Space")  # Contact, Shop and the title
        assert "Contact" in tab.kept()
        assert tab.tab.evaluate("document.activeElement.ariaSelected") == "true"
        tab.press("u")
        assert "Contact" not in tab.kept()
        tab.press("r u k k k k Space")
        assert tab.kept()[0] == "Home"
        tab.press("a")  # the menu is all like this: dropped again
        assert "Home" not in tab.kept()
        headings = [b.index for b in page.page.blocks if b.tag == "h2"]
        tab.press("ArrowDown " * headings[0])
        tab.press("h")
        assert not [text for text in tab.kept() if "stop" in text.lower()]
        assert "Data" in tab.kept()
        tab.press("j l")
        assert [text for text in tab.kept() if "stop" in text] == [
            "First stop", "Second stop", "Last stop",
        ]  # fmt: skip
        tab.press("m")
        tab.tab.keyboard.type("quote")
        tab.press("Escape j x j m")
        tab.tab.keyboard.type("paragraph")
        assert tab.block("Second stop").inner_text().startswith("paragraph")
        tab.press("Escape u u u r r")
        saved = tab.saved()
    first = next(b.index for b in page.page.blocks if b.text == "First stop")
    assert saved.labels[first : first + 2] == ("quote", "list")
    assert not Label(saved.labels[first - 1]).is_main  # dropped with its section
    assert len(saved.labels) == len(page.page.blocks)


def test_what_was_saved_is_shown_again(open_page: Open) -> None:
    with open_page(read_page(HTML)) as tab:
        tab.block("Home").click()
        tab.block("Buy now").click()
        tab.tab.get_by_label("Field that the block is").select_option("author")
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
        menu = tab.tab.get_by_label("Field that the block is")
        fields = tab.tab.get_by_label("Fields of the page")
        tab.block("11,50").click()
        menu.select_option("sku")
        assert fields.inner_text() == "sku: 11,50 net"
        menu.select_option("sku")  # taken back
        assert fields.inner_text() == ""
        menu.select_option("price")
        tab.press("Escape j f")
        tab.tab.keyboard.type("sku")
        tab.press("Escape")
        assert fields.inner_text() == "price: 11,50 net\nsku: Our number: K-1"
        assert "price" in tab.block("11,50").inner_text()
        assert tab.kept() == before  # a click for a field keeps and drops nothing
        tab.press("s")
        tab.tab.wait_for_url("**/page/2")
        tab.tab.get_by_role("link", name="All pages").click()
        tab.tab.get_by_role("link", name="Rules for shop.example").click()
        rules = tab.tab.locator("pre").inner_text()
        assert rules == '[fields]\nprice = [".cost"]\nsku = [".no"]\n'
        row = tab.tab.get_by_role("row").filter(has_text="shop.example/2")
        assert "price 21.50" in row.inner_text()
        assert "sku K-2" in row.inner_text()


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
        block = tab.block("الرئيسية")
        # At the start of the line.
        assert tab.style(block, "borderRightStyle") == "dotted"
        block.tap()
        assert tab.kept()[0] == "الرئيسية"
        assert block.get_attribute("aria-selected") == "true"
        assert tab.style(block, "borderRightStyle") == "solid"
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
        tab.press("Space")
        assert "1 block: main content" in tab.tab.get_by_role("status").inner_text()


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
