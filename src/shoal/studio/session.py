"""The session: the one open project, its revisions, the worker and the latest figures with their marks."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput, ShoalError
from shoal.studio.answers.desk import mark_of
from shoal.studio.explorer import Explorer
from shoal.studio.paths_below import below, folder_of
from shoal.studio.plan import EMPTY, Plan, counted_part, hierarchies_in, masked_part, steps_in, with_steps
from shoal.studio.project_folder import (
    check_hierarchies,
    kept_plan,
    note_in_audit,
    open_project,
    own_source,
    save_project,
    tables_of,
    told_by,
)
from shoal.studio.revisions import Revisions
from shoal.studio.worker import Job, Worker

LIVE = 30_000  # records up to which steps run by themselves after every change


@dataclass
class Figures:
    """The latest answer of one kind: what it is about, and the answer or the reason why there is none."""

    mark: str = ""
    facts: Any = None
    problem: str = ""
    warnings: list[str] = field(default_factory=list)

    def about(self, mark: str) -> bool:
        """Whether this is the answer, or the refusal, for that mark."""
        return self.mark == mark


class Session:
    """What the pages show and change. Every method is short; long work is asked of the worker."""

    def __init__(self, root: Path, *, worker: Worker | None = None) -> None:
        self.root = root.resolve()
        self.worker = worker or Worker()
        self.explorer = Explorer()
        self.lock = threading.RLock()
        self.history = Revisions(EMPTY)
        self.seed = secrets.randbits(64)  # of this run only; never written down
        self.notes: list[str] = []
        self.linked: tuple[Path | None, dict[str, Path]] = (None, {})  # a project of tables, and their files
        self.together = Figures()  # linked tables that were released
        self.close: Callable[[], None] = lambda: None
        self.answers = 0  # that came from the worker
        self._forget()

    def _forget(self) -> None:
        self.explorer.forget()
        self.source = Figures()  # records, names, kinds, form
        self.columns = Figures()  # what every column is, with suggestions
        self.risk = Figures()  # of the file as it is
        self.telling = Figures()  # what every column gives away
        self.riskiest = Figures()  # places of the records that stand out most, on request
        self.masked = Figures()  # of the protected file, step by step
        self.guessed = Figures()  # the loss of a large file, from a sample
        self.compared = Figures()  # both files side by side
        self.pins: list[dict[str, Any]] = []  # protections of the map to be seen side by side, two at most
        self.paired = Figures()  # both of them
        self.tried = Figures()  # what "reach it for me" found
        self.grown = Figures()  # the levels of a hierarchy
        self.drafts: dict[str, dict[str, Any]] = {}  # hierarchies that are not kept yet, by column
        self.drafted = ""  # the column whose hierarchy is looked at
        self.ordering: tuple[str, list[str]] = ("", [])  # the column put in order by hand, its categories
        self.closer = Figures()  # what one step does
        self.step_seen = 0  # the card that is looked at
        self.released: Any = None
        self.halted: set[str] = set()  # what was stopped and is not asked again before somebody wants it

    @property
    def plan(self) -> Plan:
        """The plan as it is now."""
        return self.history.plan

    def open(self, name: str) -> None:
        """Open a file below the start folder, and its project if there is one."""
        path = below(self.root, name)
        if not path.is_file():
            raise InvalidInput("There is no such file; choose one of the list.")
        if path.suffix == ".toml":
            tables = tables_of(path)
            if len(tables) > 1:  # one at a time: the page says which there are
                check_hierarchies(path, self.root)
                self.linked, self.together = (path, tables), Figures()
                return
            path = below(self.root, str(own_source(path, tables)))
        project, tables = self.linked
        if path not in tables.values():
            self.linked = None, {}
        with self.lock:
            self.worker.stop()
            self.history, problem = open_project(path)
            self.notes = [problem] if problem else []
            name = next((name for name, its in tables.items() if its == path), "")
            if project and name and not self.history.number:
                self.history.change("as the project says", **told_by(project, name))
            self._forget()
            self.refresh()

    def linked_outside(self) -> list[str]:
        """Linked tables that are not there, or not below the start folder."""
        tables = self.linked[1].items()
        return [name for name, its in tables if not (its.is_relative_to(self.root) and its.is_file())]

    def linked_plans(self) -> dict[str, Plan]:
        """The plans of linked tables that have steps of their own here."""
        tables = {name: its for name, its in self.linked[1].items() if name not in self.linked_outside()}
        now = self.plan
        plans = {n: now if now["source"] == str(its) else kept_plan(its) for n, its in tables.items()}
        return {name: plan for name, plan in plans.items() if steps_in(plan)}

    def release_linked(self, folder: Path) -> None:
        """Mask all linked tables in step and write them into a new folder."""
        with self.lock:
            project, plans = str(self.linked[0]), {n: dict(p) for n, p in self.linked_plans().items()}
            given = {"project": project, "folder": str(folder), "plans": plans, "seed": self.seed}
            self.together = Figures()
            self._ask("release_linked", "together", project, **given)

    def change(self, said: str, **entries: Any) -> None:
        """A new revision of the plan; figures follow."""
        with self.lock:
            self.history.change(said, **entries)
            self._changed()

    def undo(self) -> str:
        """Take the last change back."""
        with self.lock:
            said = self.history.undo()
            self._changed()
            return said

    def redo(self) -> str:
        """Do again what was taken back."""
        with self.lock:
            said = self.history.redo()
            self._changed()
            return said

    def stop(self) -> None:
        """Stop all that is being worked on; figures stay as they are."""
        with self.lock:
            self.halted = {job.slot for job in self.pending}
            self.worker.stop()

    def _changed(self) -> None:
        self.released = None
        self.halted = set()
        save_project(self.history)
        self.refresh()

    def refresh(self, *, whole: bool = False) -> None:
        """Ask for what is older than the plan; with `whole` also for the steps of a large file."""
        with self.lock:
            plan = self.plan
            if not plan["source"]:
                return
            reading = {"source": plan["source"], "read": plan["read"]}
            if not self.source.about(mark_of(reading)):
                self._ask("open_source", "source", mark_of(reading), **reading)
                self._ask("look_at_columns", "columns", mark_of(reading), **reading)
                return
            if self.source.facts is None:
                return
            if not self.columns.about(mark_of(reading)):
                self._ask("look_at_columns", "columns", mark_of(reading), **reading)
            if not self.risk.about(self.risk_mark):
                self._ask("count_risk", "risk", self.risk_mark, plan=dict(plan))
            if not steps_in(plan) or self.masked.about(self.masked_mark):
                return
            if whole or self.live:
                self._ask("run_steps", "masked", self.masked_mark, plan=dict(plan), seed=self.seed)
            elif not self.guessed.about(self.masked_mark):
                self._ask("estimate_loss", "guessed", self.masked_mark, plan=dict(plan), seed=self.seed)

    def look_at_telling(self, *, whole: bool = False) -> None:
        """Ask what every column gives away, where a page shows it; of a large file if it is wanted."""
        with self.lock:
            known = self.risk.facts is not None and self.risk.about(self.risk_mark) and (whole or self.live)
            if known and not self.telling.about(self.telling_mark):
                self._ask("count_columns", "telling", self.telling_mark, plan=dict(self.plan))

    def look_for_riskiest(self, most: int) -> None:
        """Ask where the records lie that stand out most; that somebody asked is noted first."""
        with self.lock:
            note_in_audit(self.history, f"the places of the {most} riskiest records were shown")
            self._ask("riskiest_records", "riskiest", self.risk_mark, plan=dict(self.plan), most=most)

    def look_at_both(self) -> None:
        """Ask how the protected file differs, where a page shows it."""
        with self.lock:
            ready = self.masked.facts is not None and self.masked.about(self.masked_mark)
            if ready and not self.compared.about(self.masked_mark):
                self._ask("compare_files", "compared", self.masked_mark, plan=dict(self.plan))

    @property
    def pair_mark(self) -> str:
        """What two protections side by side must be about."""
        return mark_of({**masked_part(self.plan), "steps": [one["steps"] for one in self.pins]})

    def look_at_pair(self) -> None:
        """Ask how the two pinned protections differ, where a page shows it."""
        with self.lock:
            if self.source.facts is not None and not self.paired.about(self.pair_mark):
                given = {"plan": {**self.plan, "steps": []}, "seed": self.seed, "pinned": self.pins}
                self._ask("compare_two", "paired", self.pair_mark, **given)

    def grown_mark(self, column: str) -> str:
        """What the levels of a column must be about."""
        given = self.drafts.get(column) or self._kept_hierarchy(column)
        return mark_of({**counted_part(self.plan), "hierarchies": {}, "column": column, "given": given})

    def _kept_hierarchy(self, column: str) -> dict[str, Any] | None:
        """The hierarchy of a column as the worker is asked for it."""
        kept = hierarchies_in(self.plan).get(column)
        return {"file": kept} if isinstance(kept, str) else kept

    def look_at_hierarchy(self, column: str) -> None:
        """Ask what the levels of a draft, or of what is kept, do to the file."""
        with self.lock:
            given = self.drafts.get(column) or self._kept_hierarchy(column)
            mark = self.grown_mark(column)
            self._ask("look_at_hierarchy", "grown", mark, plan=dict(self.plan), column=column, given=given)

    def keep_hierarchy(self, column: str) -> None:
        """Write the draft into the project; it becomes part of the plan when it is there."""
        with self.lock:
            given, folder = self.drafts[column], str(folder_of(Path(self.plan["source"])))
            self._ask(
                "keep_hierarchy", "kept", "", plan=dict(self.plan), column=column, given=given, folder=folder
            )

    def closer_mark(self, card: int) -> str:
        """What the closer look at a card must be about."""
        done = self.masked.facts is not None and self.masked.about(self.masked_mark)
        return mark_of({**masked_part(self.plan), "card": card, "done": done})

    def look_at_step(self, card: int) -> None:
        """Ask what one step does, where a page shows it."""
        with self.lock:
            mark = self.closer_mark(card)
            if self.source.facts is not None and not self.closer.about(mark):
                self._ask("look_at_step", "closer", mark, plan=dict(self.plan), id=card)

    def reach(self) -> None:
        """Try a few protections; the best becomes the steps when it is found."""
        with self.lock:
            self.tried = Figures()
            self._ask("reach_goal", "tried", self.tried_mark, plan=dict(self.plan), seed=self.seed)

    def adopt(self, tried: dict[str, Any]) -> None:
        """The steps of one that was tried take the place of the cards."""
        self.change(f"taken: {tried['name']}", steps=with_steps(self.plan, tried["steps"])["steps"])

    def write(self, **given: Any) -> None:
        """Write the table whose figures are shown."""
        with self.lock:
            self.released = None
            self._ask("write_release", "released", self.masked_mark, plan=dict(self.plan), **given)

    def again(self) -> None:
        """Forget refusals and stops, and ask once more."""
        with self.lock:
            self.halted = set()
            for name in ("source", "columns", "risk", "masked", "tried"):
                if getattr(self, name).problem:
                    setattr(self, name, Figures())
            self.refresh(whole=True)

    @property
    def live(self) -> bool:
        """Whether the file is small enough for figures after every change."""
        return self.source.facts is not None and self.source.facts["records"] <= LIVE

    @property
    def risk_mark(self) -> str:
        """What the figures of the file as it is must be about."""
        return mark_of(counted_part(self.plan))

    @property
    def telling_mark(self) -> str:
        """What the figures of the columns must be about."""
        return mark_of({**counted_part(self.plan), "promise": self.plan["promise"]})

    @property
    def tried_mark(self) -> str:
        """What the protections that were tried must be about."""
        return self.telling_mark

    @property
    def masked_mark(self) -> str:
        """What the figures of the protected file must be about."""
        return mark_of(masked_part(self.plan))

    @property
    def pending(self) -> list[Job]:
        """What is being worked on, for the meter."""
        return self.worker.jobs()

    @property
    def moment(self) -> tuple[int, list[int]]:
        """Answers that came and questions that are open: a page drawn while this changes is drawn again."""
        return self.answers, [job.number for job in self.pending]

    def _ask(self, what: str, slot: str, mark: str, **given: Any) -> None:
        if slot in self.halted or any(
            job.open and job.slot == slot and job.given == given and job.deadline is None
            for job in self.pending
        ):
            return

        def then(job: Job) -> None:
            with self.lock:
                try:
                    self._take(job, slot, mark)
                except ShoalError as error:  # what follows could not be kept: the disk is full, say
                    self.notes = [str(error)]
                self.answers += 1  # last: a page that was drawn of one half of it is drawn again

        self.worker.ask(what, slot=slot, then=then, **given)

    def _take(self, job: Job, slot: str, mark: str) -> None:
        """Put an answer where the pages look for it."""
        if job.state == "stopped":
            return
        good = job.state == "done"
        if slot in ("released", "kept"):
            (self._written if slot == "released" else self._hierarchy_kept)(job)
            return
        found = Figures(mark, job.answer if good else None, "" if good else job.answer, job.warnings)
        setattr(self, slot, found)
        self._arrived(slot, found)

    def _arrived(self, slot: str, found: Figures) -> None:
        """What follows from an answer: suggestions become the first revision, counts are asked for."""
        if slot == "source" and found.facts is not None:
            self.refresh()
        if slot == "tried" and found.facts and found.about(self.tried_mark):
            self.adopt(found.facts[0])
        if slot == "columns" and found.facts and not self.plan["roles"]:
            suggested = {one["name"]: one["role"] for one in found.facts}
            self.history.change("roles as suggested", roles=once(suggested))
            self._changed()

    def _hierarchy_kept(self, job: Job) -> None:
        """A hierarchy lies in the project: it is part of the plan now."""
        if job.state == "failed":
            self.notes = [job.answer]
            return
        column = job.answer["column"]
        self.drafts.pop(column, None)
        self.change(f"hierarchy of {column}", hierarchies={column: job.answer["given"]})

    def _written(self, job: Job) -> None:
        """What became of a release; a table that the worker lost is counted again first."""
        self.released = job.answer if job.state == "done" else {"written": "", "why_not": job.answer}
        if job.state == "failed":
            self.masked = Figures()
            self.refresh(whole=True)


def once(roles: dict[str, str]) -> dict[str, str]:
    """The roles, of weight and household only the first column.

    >>> once({"w": "weight", "weight": "weight"})
    {'w': 'weight', 'weight': 'other'}
    """
    seen: set[str] = set()
    found = {}
    for name, role in roles.items():
        found[name] = "other" if role in ("weight", "household") and role in seen else role
        seen.add(role)
    return found
