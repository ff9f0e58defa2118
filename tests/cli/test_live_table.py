"""The table that grows while explore works."""

from __future__ import annotations

import os
import signal
import time

import pytest

from cli.files import start


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of Unix")
def test_a_terminal_shows_a_live_table(tmp_path):
    terminal, end = os.openpty()
    wide = os.environ | {"TERM": "xterm-256color", "COLUMNS": "120"}
    process = start(tmp_path, stderr=end, env=wide)
    os.close(end)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    process.communicate(timeout=60)
    os.close(terminal)
    text = shown.decode(errors="replace")
    assert "mdav, k = 3" in text
    assert "genetic, k = 3" in text, "what runs now is named beside the bar"
    assert "score" in text
    assert "%" in text
