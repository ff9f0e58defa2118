"""The studio in chromium: a server of its own, a page that fails on any request elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ["--no-sandbox"]
GAVE_WAY = ("htmx:afterRequest", "htmx:sendAbort")  # said of a page of figures that gave way to a click
PATIENCE = 180_000  # milliseconds; the machine may have other work


@contextmanager
def served(start: Path):
    """The address of a studio that runs in a process of its own."""
    command = [
        sys.executable,
        "-c",
        "from shoal.cli import main; main()",
        "studio",
        str(start),
        "--no-browser",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        yield re.search(r"http\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
            process.stdout.close()


@contextmanager
def opened(playwright, address: str, **look):
    """A page with the cookie; `.strange` lists requests elsewhere, errors and words of the console."""
    browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
    base = address.split("/?")[0]
    try:
        page = browser.new_context(**look).new_page()
        page.set_default_timeout(PATIENCE)
        page.strange = []
        page.on("request", lambda ask: ask.url.startswith(base) or page.strange.append(ask.url))
        page.on("console", lambda said: said.text in GAVE_WAY or page.strange.append(said.text))
        page.on("pageerror", lambda error: page.strange.append(str(error)))
        page.goto(address)
        page.base = base
        yield page
        page.unroute_all(behavior="ignoreErrors")
    finally:
        browser.close()


def idle(page):
    """Until nothing is being counted."""
    page.wait_for_selector("#meter:not(:has(.job))")
    page.wait_for_selector("body:not(:has(.htmx-request))")
