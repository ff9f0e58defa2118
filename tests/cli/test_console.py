"""What the command line shows, and how it is stopped."""

from __future__ import annotations

import signal

import pytest

from shoal.cli import console


def test_the_progress_bar_waits_and_follows(monkeypatch):
    from shoal import Progress

    monkeypatch.setattr(console, "PATIENCE", 0.0)
    with console.progress_bar("working") as callback:
        assert not callback(Progress(0.5))


@pytest.fixture
def interruptible():
    """Ctrl-C as in a terminal: a job in the background is started with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_once_asks_to_stop_and_twice_interrupts():
    from shoal import Progress

    with console.progress_bar("working", stoppable=True) as callback:
        signal.raise_signal(signal.SIGINT)
        assert callback(Progress(0.5, "half")) is True
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
