"""The built site: every inner link arrives, nothing is fetched from elsewhere, axe finds nothing to mend."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

SITE = Path(__file__).parent.parent / "site"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(
    not (SITE / "index.html").exists(), reason="no site here: run `make docs` first"
)
LOOKED_AT = (
    *("index", "quickstart", "guide/index", "methods/index", "reference/shoal.masking", "papers/000"),
    *("notebooks/business-amounts", "notebooks/networks", "gallery/index", "gallery/plot_report"),
    *("guide/recoding", "benchmarks/gomm", "inside"),
)


class Links(HTMLParser):
    """What a page points at (`links`), what it loads (`loads`), and where one can arrive in it (`marks`)."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.marks: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if mark := given.get("id") or (tag == "a" and given.get("name")):
            self.marks.add(mark)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("img", "script", "iframe") and given.get("src"):
            self.loads.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(given["href"])


@pytest.fixture(scope="module")
def pages():
    return {page: Links(page) for page in SITE.rglob("*.html")}


def test_every_inner_link_arrives(pages):
    lost = []
    for page, found in pages.items():
        for link in found.links:
            address, mark = urldefrag(link)
            if urlsplit(address).scheme:
                continue
            target = (page.parent / unquote(address)).resolve() if address else page
            if not target.exists() or (mark and target in pages and unquote(mark) not in pages[target].marks):
                lost.append(f"{page.relative_to(SITE)} -> {link}")
    assert not lost


def test_nothing_is_loaded_from_elsewhere(pages):
    assert not [load for found in pages.values() for load in found.loads if urlsplit(load).netloc]


def test_every_public_name_is_in_the_reference(pages):
    import shoal

    text = (SITE / "reference" / "shoal.html").read_text(encoding="utf-8")
    assert not [name for name in shoal.__all__ if not re.search(rf"\b{name}\b", text)]


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to open pages with")
@pytest.mark.parametrize("name", LOOKED_AT)
def test_axe_finds_nothing_to_mend(name):
    playwright = pytest.importorskip("playwright.sync_api", reason="axe runs in playwright")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not here").Axe()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for width, scheme in ((1280, "light"), (390, "dark")):
            shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            shown.goto((SITE / f"{name}.html").as_uri())
            shown.wait_for_timeout(300)  # milliseconds; the theme opens its menus by script
            found = axe.run(shown).response["violations"]
            assert [(v["id"], v["nodes"][0]["target"], v["nodes"][0]["html"][:200]) for v in found] == []
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
        browser.close()


def test_links_that_leave_the_site_are_listed():
    listed = (SITE / "outer-links.txt").read_text(encoding="utf-8").splitlines()
    assert listed, "the footer names the maker of the theme at least"
    assert all(line.startswith("http") and line.endswith(".html") for line in listed)
    assert not [line for line in listed if "#module-" in line], "a name of ours is no module of Python"
