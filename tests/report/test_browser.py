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


def test_a_picture_of_it_can_be_taken(tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page(facts()), encoding="utf-8")
    browse(path, "--window-size=390,2000", f"--screenshot={tmp_path / 'shot.png'}")
    assert (tmp_path / "shot.png").stat().st_size > 20_000
