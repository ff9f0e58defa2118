"""Standard output that goes on when its reader has gone."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


class PatientOutput:
    """Standard output that goes on when its reader has gone, as after `| head`: the work is still done."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or nothing if nobody reads any more."""
        return self._quietly(self._stream.write, text) or len(text)

    def flush(self) -> None:
        """Flush, or nothing if nobody reads any more."""
        self._quietly(self._stream.flush)

    def _quietly(self, action: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return action(*arguments)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            return None
