"""The page in a browser: it opens at both widths, in light and dark, and nothing sticks out on a phone."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from report.files import facts
from shoal.report import page

pytest.importorskip("matplotlib", reason="a report needs the extra `report`")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to open pages with")
MEASURE = """<script>document.title = [document.documentElement.scrollWidth, innerWidth,
getComputedStyle(document.body).backgroundColor, document.querySelectorAll('svg').length,
[...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().height < 50).length].join(' ; ')
</script></body>"""


def browse(path, *options: str) -> str:
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", *options, path.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


@pytest.mark.parametrize("public", [False, True], ids=["internal", "public"])
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide", "phone"])
def test_it_opens_and_fits(tmp_path, public, width, dark):
    path = tmp_path / "report.html"
    path.write_text(page(facts(public)).replace("</body>", MEASURE), encoding="utf-8")
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    shown = browse(path, f"--window-size={width},900", "--dump-dom", *scheme)
    content, inner, paper, drawn, flat = re.search("<title>(.*?)</title>", shown)[1].split(" ; ")
    assert int(content) <= int(inner) <= max(width, 500), "some systems refuse windows this narrow"
    assert paper == ("rgb(20, 24, 28)" if dark else "rgb(255, 255, 255)")
    assert int(drawn) > 3
    assert flat == "0", "every picture has a height"


@pytest.mark.parametrize("public", [False, True], ids=["internal", "public"])
def test_axe_finds_nothing_to_mend(tmp_path, public):
    """Both widths, light and dark, with everything that is folded away opened."""
    playwright = pytest.importorskip("playwright.sync_api", reason="axe runs in playwright")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not here").Axe()
    path = tmp_path / "report.html"
    path.write_text(page(facts(public)).replace("<details", "<details open"), encoding="utf-8")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")):
            shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            shown.goto(path.as_uri())
            found = axe.run(shown).response["violations"]
            assert [violation["id"] for violation in found] == []
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
        browser.close()


def test_a_picture_of_it_can_be_taken(tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page(facts()), encoding="utf-8")
    browse(path, "--window-size=390,2000", f"--screenshot={tmp_path / 'shot.png'}")
    assert (tmp_path / "shot.png").stat().st_size > 20_000
