"""A slow machine: answers that come late leave no page waiting, and nothing typed or pressed is lost."""

from __future__ import annotations

import pytest

from studio.browser import BROWSER, PATIENCE, idle, opened, served
from studio.test_everybody import go, project

playwright = pytest.importorskip("playwright.sync_api", reason="the browser is steered by playwright")
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to open pages with"),
    pytest.mark.slow,
]
__all__ = ["project"]


@pytest.fixture(scope="module")
def play():
    with playwright.sync_playwright() as started:
        yield started


def late(page, milliseconds, pattern):
    """These answers of the server are so much later."""

    def wait(route):
        found = route.fetch(max_redirects=0)
        page.wait_for_timeout(milliseconds)
        route.fulfill(response=found)

    page.route(pattern, wait)


def test_what_is_typed_stays_while_figures_arrive(play, project):
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        idle(page)
        page.goto(f"{page.base}/protect")
        idle(page)
        late(page, 1000, "**/meter*")
        page.click("#add summary")
        page.click("button.method:has-text('Ranges where needed')")
        page.wait_for_selector("#card-3")
        page.locator("#of-3-k").focus()
        page.keyboard.type("4")
        page.wait_for_selector("#card-3 .effect b")
        assert page.locator("#of-3-k").input_value() == "4"
        page.keyboard.type("2")
        assert page.locator("#of-3-k").input_value() == "42"


def test_undo_as_quick_as_a_person_presses(play, project):
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        late(page, 500, "**/undo")
        for _ in range(3):
            page.keyboard.press("Control+z")
        page.wait_for_selector("#redo[title*='roles']")
        for _ in range(3):
            page.keyboard.press("Control+Shift+z")
        page.wait_for_selector("#undo[title*='steps']")
        playwright.expect(page.locator("#redo")).to_be_disabled(timeout=PATIENCE)
        page.wait_for_selector(".card .effect b")
        assert page.strange == []


def test_a_studio_that_has_ended_is_said(play, project):
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        page.route("**/protect/turn", lambda route: route.abort())
        page.click("#turn-2")
        page.wait_for_selector("#notice:has-text('does not answer')")


def test_a_click_while_figures_arrive_is_done(play, project):
    """The page that brings the figures gives way: the button it would have drawn anew is not lost."""
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        late(page, 2000, lambda url: url.endswith("/protect"))
        with page.expect_request(lambda ask: ask.method == "GET" and ask.url.endswith("/protect")):
            page.click("#turn-2")
        page.click("#turn-1")
        page.wait_for_selector("#card-1.off")
        page.wait_for_selector("#card-2.off")
        assert page.strange == []


def test_an_answer_whose_button_was_drawn_anew_is_shown(play, project):
    """The meter brings a newer header while Undo waits: page, meter and header still follow the answer."""
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        page.click("#turn-2")
        page.wait_for_selector("#card-2.off")
        idle(page)
        late(page, 1500, "**/undo")
        page.click("#undo")
        page.evaluate(
            """() => { const meter = document.getElementById('meter');
            meter.setAttribute('hx-sync', 'this:replace');
            htmx.ajax('GET', '/meter?screen=protect', {source: meter, target: meter, swap: 'outerHTML'}); }"""
        )
        page.wait_for_selector("#card-2:not(.off) .effect b")
        page.wait_for_selector("#redo[title*='switched']")
        assert page.strange == []
