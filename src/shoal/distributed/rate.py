"""How far a long job is: records a second, and the time left."""

from __future__ import annotations

import time

from shoal.errors import ShoalError
from shoal.types import Callback, Progress


class Stopped(ShoalError):
    """The callback said stop, and nothing was written."""


class Rate:
    """Counts records as shards are done, over all stages of a job, and tells the callback."""

    def __init__(self, records: int, callback: Callback | None) -> None:
        self.records, self.callback = records, callback
        self.stages, self.stage, self.done, self.word = 1, 0, 0, ""
        self.began = time.monotonic()

    def begin(self, stage: int, stages: int, word: str) -> None:
        """The next stage begins."""
        self.stage, self.stages, self.done, self.word = stage, stages, 0, word
        self.began = time.monotonic()
        self(0)

    def __call__(self, records: int) -> None:
        """So many records more are done."""
        self.done += records
        if self.callback is None:
            return
        share = self.done / max(self.records, 1)
        text = (
            f"step {self.stage + 1} of {self.stages}, {self.done:,} of {self.records:,} records {self.word}"
        )
        seconds = time.monotonic() - self.began
        if self.done and seconds > 0:
            speed = self.done / seconds
            left = in_clock((self.records - self.done) / speed)
            text += f", {speed:,.0f} a second, {left} left in this step"
        if self.callback(Progress(min((self.stage + share) / self.stages, 1.0), text)):
            raise Stopped("The job was stopped; nothing was written.")


def in_clock(seconds: float) -> str:
    """A time in words.

    >>> in_clock(75), in_clock(7300)
    ('1 min 15 s', '2 h 1 min')
    """
    whole = round(max(seconds, 0))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
