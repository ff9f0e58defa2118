"""The worker: one process that holds the table, asked from the pages; it can be stopped within a second."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from shoal.studio.work import work

THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
_STARTING = threading.Lock()
PATIENCE = 0.6  # seconds between a polite stop and the end of the process: Stop takes less than a second
LOST = (
    "The work stopped: its process ended (most likely not enough memory). The project is safe; try again, "
    "or keep fewer columns or records."
)
STOPPED = "Stopped. Figures stay as they were."


@dataclass(eq=False)
class Job:
    """One question to the worker and how far it is: waiting, running, done, failed or stopped."""

    number: int
    what: str
    given: dict[str, Any]
    slot: str = ""
    then: Callable[[Job], None] | None = None
    state: str = "waiting"
    fraction: float = 0.0
    message: str = ""
    best: Any = None
    answer: Any = None
    warnings: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    deadline: float | None = None  # when the process is ended if it has not stopped by itself
    told: bool = False
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def open(self) -> bool:
        """Whether there is no answer yet."""
        return not self.over.is_set()


class Worker:
    """A process and the thread that speaks with it; the process is started with the first question."""

    def __init__(self, room: str = "shoal.studio.answers") -> None:
        self.room = room
        self.process: Any = None
        self._pipe: Connection | None = None
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._numbers = itertools.count(1)
        self._lock = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._manage, daemon=True, name="studio worker")
        self._thread.start()

    def ask(
        self, what: str, *, slot: str = "", then: Callable[[Job], None] | None = None, **given: Any
    ) -> Job:
        """A question; what waits or runs in the same slot is no longer wanted."""
        job = Job(next(self._numbers), what, given, slot, then)
        with self._lock:
            if slot:
                self._withdraw(slot)
            self._waiting.append(job)
            self._lock.notify()
        return job

    def stop(self, slot: str = "") -> None:
        """Stop what waits or runs, of one slot or all; after a second by force."""
        with self._lock:
            for job in [job for job in self._waiting if slot in ("", job.slot)]:
                self._waiting.remove(job)
                _end(job, "stopped", STOPPED)
            if self._running is not None and slot in ("", self._running.slot):
                self._running.deadline = time.monotonic() + PATIENCE
                self._lock.notify()

    def jobs(self) -> list[Job]:
        """What runs and what waits, in order."""
        with self._lock:
            return [*([self._running] if self._running else []), *self._waiting]

    def close(self) -> None:
        """End the process; nothing is left behind."""
        with self._lock:
            self._closed = True
            self._lock.notify()
        self._thread.join(timeout=5)
        self._end_process()

    def _withdraw(self, slot: str) -> None:
        for job in [job for job in self._waiting if job.slot == slot]:
            self._waiting.remove(job)
            _end(job, "stopped", STOPPED)
        if self._running is not None and self._running.slot == slot and self._running.deadline is None:
            self._running.deadline = float("inf")  # politely: the process keeps its table

    def _manage(self) -> None:
        while not self._closed:
            with self._lock:
                self._lock.wait_for(lambda: self._closed or self._waiting, timeout=1.0)
                if self._closed or not self._waiting:
                    continue
                job = self._running = self._waiting.popleft()
            job.state = "running"
            try:
                self._run(job)
            except (OSError, EOFError):
                self._end_process()
                _end(job, "failed", LOST)
            if job.then is not None:
                job.then(job)  # what follows is asked before this one is off the list
            with self._lock:
                self._running = None

    def _run(self, job: Job) -> None:
        pipe = self._connected()
        pipe.send(("ask", job.number, job.what, job.given))
        while True:
            if self._closed:
                return _end(job, "stopped", STOPPED)
            if job.deadline is not None and not job.told:
                job.told = True
                pipe.send(("stop", job.number))
            if job.deadline is not None and time.monotonic() > job.deadline:
                self._end_process()
                return _end(job, "stopped", STOPPED)
            if not pipe.poll(0.02):
                continue
            kind, number, *rest = pipe.recv()
            if number != job.number:
                continue
            if kind == "progress":
                job.fraction, job.message, job.best = rest
            elif job.deadline is not None:
                return _end(job, "stopped", STOPPED)
            elif kind == "done":
                job.warnings = rest[1]
                return _end(job, "done", rest[0])
            else:
                return _end(job, "failed", rest[0])

    def _connected(self) -> Connection:
        """The pipe to a process that lives."""
        if self.process is None or not self.process.is_alive() or self._pipe is None:
            self._end_process()
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self.process = context.Process(target=work, args=(other, self.room), daemon=True, name="shoal")
            with _one_thread_each():
                self.process.start()
            other.close()
        return self._pipe

    def _end_process(self) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
            self._pipe = None
        if self.process is not None:
            self.process.kill()
            self.process.join(timeout=5)
            self.process = None


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """A process that begins here calls linear algebra in one thread, unless somebody chose another number.

    Two workers and a browser share the processors: threads that wait for each other would spin, and a fit of
    two seconds then takes minutes.
    """
    with _STARTING:
        given = {name: "1" for name in THREADS if name not in os.environ}
        os.environ.update(given)
        try:
            yield
        finally:
            for name in given:
                os.environ.pop(name, None)


def _end(job: Job, state: str, answer: Any) -> None:
    job.state, job.answer, job.fraction = state, answer, 1.0
    job.over.set()
