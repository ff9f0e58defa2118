"""Every screen for everybody: axe-core, narrow and zoomed, by keyboard, with scripts off; and its picture.

SHOAL_PICTURES=docs/pictures writes the pictures of the docs.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shoal.datasets import make_census
from shoal.io import write_table
from shoal.studio.project_folder import open_project
from shoal.studio.screens import SCREENS
from studio.browser import BROWSER, PATIENCE, idle, opened, served

playwright = pytest.importorskip("playwright.sync_api", reason="the browser is steered by playwright")
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to open pages with"),
    pytest.mark.slow,
]
KEYS = ("region", "sex", "age", "education")
STEPS = [
    {"id": 1, "on": True, "method": "mondrian"},
    {"id": 2, "on": True, "method": "top_code", "quantile": 0.99, "columns": ["income"]},
]
WATCH = """() => document.addEventListener('securitypolicyviolation',
    e => console.error('policy', e.blockedURI))"""
UNREACHABLE = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex < 0).map(e => e.outerHTML.slice(0, 80))"""
SMALL = """() => [...document.querySelectorAll('button, select, summary, .rail a')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
    .map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def play():
    with playwright.sync_playwright() as started:
        yield started


@pytest.fixture
def project(tmp_path):
    """A file whose roles, promise, hierarchy and steps are said already."""
    path = tmp_path / "people.csv"
    write_table(make_census(400, rng=0), path, identifiers=True, shuffle=False)
    history = open_project(path)[0]
    names = make_census(1, rng=0).names()
    roles = dict.fromkeys(names, "other") | dict.fromkeys(KEYS, "quasi")
    history.change(
        "roles", roles=roles | {"income": "confidential", "person": "identifier"}, looks_right=True
    )
    history.change("promise: k = 3", promise={"k": 3}, hierarchies={"age": {"widths": [5, 10, 20]}})
    history.change("steps", steps=STEPS)
    return path


def go(page, name):
    page.goto(f"{page.base}/{name}")
    idle(page)
    if name == "explore" and not page.locator(".point[role=button]").count():
        page.locator("#own").evaluate("own => (own.open = true)")
        for box in page.locator("input[name=way]").all():
            box.set_checked(box.input_value() in ("mondrian", "centres", "global_median"))
        page.fill("#sizes", "2, 3, 6")
        page.click("text=Try these")
        page.wait_for_selector("#found:not([hx-get]) .point[role=button]")
    if name == "compare":
        page.wait_for_selector(".variables")
    if name == "step":
        page.goto(f"{page.base}/step?id=2")
        page.wait_for_selector(".histogram")
    if name == "hierarchy":
        page.goto(f"{page.base}/hierarchy?column=age")
        page.wait_for_selector("#use-1")
    idle(page)


LOOKS = [(1280, "light", "no-preference"), (390, "dark", "reduce")]


@pytest.mark.parametrize(("width", "scheme", "motion"), LOOKS, ids=["wide", "phone"])
def test_every_screen(play, project, width, scheme, motion):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not here").Axe()
    folder = os.environ.get("SHOAL_PICTURES")
    look = {"viewport": {"width": width, "height": 860}, "color_scheme": scheme, "reduced_motion": motion}
    with served(project) as address, opened(play, address, **look) as page:
        page.evaluate(WATCH)
        page.wait_for_selector("table.columns")
        for screen in SCREENS:
            go(page, screen.name)
            if folder and width == 1280:
                if screen.name == "explore":
                    page.locator("#own").evaluate("own => (own.open = false)")
                    page.locator(".map").evaluate("map => map.scrollIntoView({block: 'end'})")
                page.screenshot(path=str(Path(folder) / f"studio-{screen.name}.png"))
            page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            found = axe.run(page, context="body").response["violations"]
            said = [(one["id"], [node["html"][:120] for node in one["nodes"]][:2]) for one in found]
            assert said == [], screen.name
            assert page.locator("h1").count() == 1
            assert page.evaluate(UNREACHABLE) == [], screen.name
            assert page.evaluate(SMALL) == [], screen.name
            for narrow in (width, width // 2) if width > 400 else (width, 320):  # 200 % zoom; a small phone
                page.set_viewport_size({"width": narrow, "height": 860})
                assert page.evaluate("document.documentElement.scrollWidth") <= narrow, (screen.name, narrow)
            page.set_viewport_size({"width": width, "height": 860})
            if motion == "reduce":
                moving = "() => document.getAnimations().filter(a => a.playState === 'running').length"
                assert page.evaluate(moving) == 0
        assert page.strange == [], "no request elsewhere, no report of the policy, no error"


def test_by_keyboard_alone(play, project):
    """From the roles to the written file with Tab, Enter, Space and arrows; a point is taken with Enter."""
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        idle(page)
        tab_to(page, "Looks right")
        page.keyboard.press("Enter")
        page.wait_for_url("**/risk")
        go(page, "explore")
        page.locator(".point.kept[role=button]").first.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        name = page.evaluate("document.activeElement.querySelector('title').textContent")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#undo[title*='{name.split(',')[0]}']")
        page.wait_for_selector(".card .effect b")
        playwright.expect(page.locator(".card")).to_have_count(1, timeout=PATIENCE)
        page.keyboard.press("Control+z")
        page.wait_for_selector("#card-2")
        idle(page)
        go(page, "release")
        page.wait_for_selector("button:has-text('Write the file'):enabled")
        tab_to(page, "Write the file")
        page.keyboard.press("Enter")
        page.wait_for_selector(".success")
    assert project.with_name("people-protected.csv").exists()


def test_alt_with_an_arrow_moves_the_card(play, project):
    """From any field of the card; the focus goes with it, a list of choices keeps its own Alt with arrows."""
    with served(project) as address, opened(play, address) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        page.locator("#card-2 input:not([type=hidden]):visible").first.focus()
        page.keyboard.press("Alt+ArrowUp")
        page.wait_for_selector("#card-2 + #card-1")
        page.wait_for_selector("#moveup-2:focus")
        page.keyboard.press("Alt+ArrowUp")  # the first stays the first
        idle(page)
        page.keyboard.press("Alt+ArrowDown")
        page.wait_for_selector("#card-1 + #card-2")
        page.wait_for_selector("#movedown-2:focus")
        assert page.strange == []


def test_a_card_is_dragged_by_its_grip(play, project):
    """To another place, not into a field or onto itself; Undo brings it back."""
    tall = {"viewport": {"width": 1280, "height": 1400}}  # both cards are seen
    with served(project) as address, opened(play, address, **tall) as page:
        page.wait_for_selector("table.columns")
        go(page, "protect")
        high = page.locator("#card-1").bounding_box()["height"]
        page.drag_and_drop("#card-2 .grip", "#card-1", target_position={"x": 40, "y": 10})
        page.wait_for_selector("#card-2 + #card-1")
        page.wait_for_selector("#undo[title*='moved: Cap the highest values']")
        idle(page)
        page.drag_and_drop("#card-2 .grip", "#card-1", target_position={"x": 40, "y": high - 10})
        page.wait_for_selector("#card-1 + #card-2")
        idle(page)
        page.drag_and_drop("#card-2 .grip", "#card-2", target_position={"x": 200, "y": 40})
        page.drag_and_drop("#card-2 h2", "#card-1", target_position={"x": 40, "y": 10})
        assert page.locator("#card-1 + #card-2").count() == 1
        assert page.locator(".drop-above, .drop-below").count() == 0
        page.click("#undo")
        page.wait_for_selector("#card-2 + #card-1")
        assert page.strange == []


def tab_to(page, words):
    """Press Tab until that button has the focus, and see that the focus shows."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if words in page.evaluate("document.activeElement.textContent ?? ''").strip()[: len(words) + 2]:
            break
    else:
        raise AssertionError(words)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_with_scripts_off(play, project):
    with served(project) as address, opened(play, address, java_script_enabled=False) as page:
        until(page, "columns", "select[aria-label='Role of tenure']")
        page.select_option("select[aria-label='Role of tenure']", "quasi")
        press(page, "tr[data-name=tenure] form[action='/columns/role'] button")
        assert page.locator("select[aria-label='Role of tenure']").input_value() == "quasi"
        page.goto(f"{page.base}/protect")
        press(page, "button[aria-label='Remove: Cap the highest values']")
        assert page.locator(".card").count() == 1
        until(page, "release", "button:has-text('Write the file'):enabled")
        press(page, "button:has-text('Write the file')")
        until(page, "release", ".success")


def press(page, selector):
    """Press a button of a form and wait for the page that answers."""
    with page.expect_navigation():
        page.click(selector)


def until(page, name, selector):
    """Load the page again and again, as a person without scripts does."""
    for _ in range(200):
        page.goto(f"{page.base}/{name}")
        if page.locator(selector).count():
            return
        page.wait_for_timeout(300)
    raise AssertionError(selector)
