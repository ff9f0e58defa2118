"""What the worker process does: it holds the table, answers one question after the other, and dies alone.

A second thread listens, so that Stop is heard while the first works, and ends the process when the parent is
gone. Kernels let other threads run, so it hears within moments.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from shoal.errors import ShoalError
from shoal.types import Callback, Progress

EVERY = 0.1  # seconds between two words about progress
NO_MEMORY = (
    "The work stopped: there is not enough memory. The project is safe; keep fewer columns or records."
)


def work(pipe: Connection, room: str) -> None:
    """Answer questions until the parent closes the pipe; `room` names the module with the menu ANSWERS."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which closes the pipe
    questions: SimpleQueue[tuple[int, str, dict[str, Any]]] = SimpleQueue()
    stopped: set[int] = set()
    threading.Thread(target=_listen, args=(pipe, questions, stopped), daemon=True).start()
    answers: dict[str, Callable[..., Any]] = {one.__name__: one for one in import_module(room).ANSWERS}
    desk = import_module(room).Desk()
    while True:
        number, what, given = questions.get()
        pipe.send(_answer(answers[what], desk, given, _teller(pipe, number, stopped), number))


def _listen(pipe: Connection, questions: SimpleQueue[Any], stopped: set[int]) -> None:
    while True:
        try:
            kind, *rest = pipe.recv()
        except (EOFError, OSError):  # the parent is gone, and with it whoever wanted an answer
            os._exit(0)
        if kind == "stop":
            stopped.add(rest[0])
        else:
            questions.put(tuple(rest))


def _teller(pipe: Connection, number: int, stopped: set[int]) -> Callback:
    last = 0.0

    def tell(progress: Progress) -> bool:
        nonlocal last
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            best = progress.best if isinstance(progress.best, dict | list) else None  # plain values only
            pipe.send(("progress", number, float(progress.fraction), progress.message, best))
        return number in stopped

    return tell


def _answer(
    answer: Callable[..., Any], desk: Any, given: dict[str, Any], tell: Callback, number: int
) -> tuple[Any, ...]:
    """What to send back: the facts, or one sentence without a value of the file."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", UserWarning)
        try:
            found = answer(desk, tell, **given)
        except ShoalError as error:
            return ("failed", number, str(error))
        except MemoryError:
            return ("failed", number, NO_MEMORY)
        except Exception as error:  # its message could show a value of the file
            if os.environ.get("SHOAL_STUDIO_DEBUG"):
                import traceback

                traceback.print_exc()
            return ("failed", number, f"The work stopped on an unexpected {type(error).__name__}.")
    said = [str(one.message) for one in heard if issubclass(one.category, UserWarning)]
    return ("done", number, found, list(dict.fromkeys(said)))
