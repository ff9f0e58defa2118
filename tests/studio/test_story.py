"""Five minutes of a first-time user, in a browser: from the file to the k counted on what was written."""

from __future__ import annotations

import pytest

from shoal.io import read_table
from shoal.measures import anonymity_level
from studio.browser import BROWSER, PATIENCE, idle, opened, served

playwright = pytest.importorskip("playwright.sync_api", reason="the browser is steered by playwright")
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to open pages with"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def play():
    with playwright.sync_playwright() as started:
        yield started


def test_the_five_minutes(play, people):
    with served(people) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        assert "200 records" in page.inner_text("main")
        page.focus("select[aria-label='Role of tenure']")
        page.keyboard.press("4")  # neither, by the keyboard
        page.wait_for_selector("#undo[title*='tenure']")
        idle(page)
        page.click("text=Looks right")
        page.wait_for_url("**/risk")
        page.fill("#k", "5")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=are in groups that are too small")
        page.click("text=Go on and protect them")
        page.click("text=Reach k = 5 for me")
        page.wait_for_selector(".card .effect b")
        idle(page)
        page.wait_for_selector(".verdict.good")
        page.locator("#add").evaluate("menu => (menu.open = true)")
        page.click("button.method:has-text('Cap the highest values')")
        page.wait_for_selector("#card-2 .effect b, .card:nth-child(2) .effect b")
        idle(page)
        playwright.expect(page.locator(".card")).to_have_count(2, timeout=PATIENCE)
        page.click("#undo")
        playwright.expect(page.locator(".card")).to_have_count(1, timeout=PATIENCE)
        page.click("#redo")
        playwright.expect(page.locator(".card")).to_have_count(2, timeout=PATIENCE)
        idle(page)
        page.reload()
        assert page.locator(".card").count() == 2
        page.click("#rail >> text=Release")
        page.wait_for_url("**/release")
        page.go_back()
        page.wait_for_selector(".card")
        page.goto(f"{page.base}/release")
        page.wait_for_selector("main .verdict, button:has-text('Write the file'):enabled")
        page.click("button:has-text('Write the file')")
        page.wait_for_selector(".success")
        assert "counted there: k = " in page.inner_text(".success")
        page.click("#drawer summary")
        assert "shoal" in page.inner_text("#text-command")
        assert page.strange == []
    names = [name for name in read_table(people).names() if name not in ("person",)]
    written = read_table(people.with_name("people-protected.csv"))
    assert set(written.names()) == set(names)
    known = [n for n in names if n in ("region", "settlement", "sex", "age", "marital_status", "education")]
    assert anonymity_level(written, columns=known) >= 5


def test_two_tabs_and_four_quick_changes(play, people):
    with served(people) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        idle(page)
        other = page.context.new_page()
        other.goto(f"{page.base}/columns")
        other.wait_for_selector("table.columns")
        page.evaluate(
            """() => { for (const name of ['region', 'sex', 'age', 'education']) {
                const one = document.querySelector(`select[aria-label="Role of ${name}"]`);
                one.value = 'other'; one.dispatchEvent(new Event('change', {bubbles: true})); } }"""
        )
        page.wait_for_selector("#undo[title*='education']")
        idle(page)
        page.goto(f"{page.base}/risk")
        page.wait_for_selector("table.bars")
        text = page.inner_text("main .lead")
        assert not any(name in text for name in ("region", "age,", "education"))
        other.select_option("select[aria-label='Role of tenure']", "other")
        other.wait_for_selector("#notice:has-text('Meanwhile')")
        assert other.locator("select[aria-label='Role of age']").input_value() == "other", "as it is now"
