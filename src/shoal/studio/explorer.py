"""The explorer: a second worker that tries protections while the first goes on answering."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from shoal.studio.answers.desk import mark_of
from shoal.studio.plan import Plan, counted_part
from shoal.studio.worker import Job, Worker


class Explorer:
    """What is being tried and what was found; its process is started when it is first asked.

    >>> explorer = Explorer(lambda: None)
    >>> explorer.running, explorer.points
    (False, [])
    """

    def __init__(self, make: Callable[[], Any] = Worker) -> None:
        self._make = make
        self._worker: Any = None
        self.job: Job | None = None
        self.mark = ""

    def start(self, plan: Plan, seed: int, **given: Any) -> None:
        """Try a grid for this plan; what was tried before is forgotten."""
        if self._worker is None:
            self._worker = self._make()
        self.mark = mark_of(explored_part(plan))
        self.job = self._worker.ask("explore_grid", slot="explored", plan=dict(plan), seed=seed, **given)

    def stop(self) -> None:
        """Stop; what is finished stays."""
        if self._worker is not None:
            self._worker.stop()

    def forget(self) -> None:
        """Another file: nothing of the old one stays."""
        self.stop()
        self.job, self.mark = None, ""

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()

    def about(self, plan: Plan) -> bool:
        """Whether what was found is about this plan."""
        return self.mark == mark_of(explored_part(plan))

    @property
    def running(self) -> bool:
        """Whether something is still being tried."""
        return self.job is not None and self.job.open

    @property
    def found(self) -> dict[str, Any]:
        """All that is finished: {"planned": ..., "points": [...]}."""
        job = self.job
        done = (
            job.answer if job is not None and job.state == "done" else job.best if job is not None else None
        )
        return done if isinstance(done, dict) else {"planned": 0, "points": []}

    @property
    def points(self) -> list[dict[str, Any]]:
        """The protections that are finished."""
        return list(self.found["points"])

    @property
    def problem(self) -> str:
        """Why nothing was found, if so."""
        return str(self.job.answer) if self.job is not None and self.job.state == "failed" else ""

    @property
    def left(self) -> float | None:
        """Seconds that are left, guessed from what is done; None while nothing can be said."""
        job = self.job
        if job is None or not job.open or not 0.05 < job.fraction < 1:
            return None
        return (time.monotonic() - job.began) * (1 - job.fraction) / job.fraction


def explored_part(plan: Plan) -> dict[str, Any]:
    """What an exploration depends on: the file, its roles and the promise, not the cards.

    >>> from shoal.studio.plan import EMPTY
    >>> sorted(explored_part(EMPTY))
    ['hierarchies', 'kinds', 'promise', 'read', 'roles', 'source']
    """
    return {**counted_part(plan), "promise": plan["promise"]}
