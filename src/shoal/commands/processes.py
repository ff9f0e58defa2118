"""Other processes that help a command."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


@contextmanager
def new_processes(count: int, ctrl_c: signal.Handlers) -> Iterator[ProcessPoolExecutor]:
    """So many new ones (a fork would copy threads that no longer run); what they do when Ctrl-C is pressed.

    At the end what nobody has begun is left undone.
    """
    here = get_context("spawn")
    with ProcessPoolExecutor(
        count, mp_context=here, initializer=signal.signal, initargs=(signal.SIGINT, ctrl_c)
    ) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
