"""Revisions: every change of the plan, one line each, so that undo has no end and survives a restart."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput

BINARY = getattr(os, "O_BINARY", 0)  # Windows would write two characters at the end of a line

Plan = Mapping[str, Any]


@dataclass(frozen=True)
class Revision:
    """What the plan was after a change, and the change in words."""

    plan: Plan
    said: str


class Revisions:
    """All revisions of a plan; the file only ever grows.

    Parameters
    ----------
    start
        The plan before any change.
    path
        Where to keep them; in memory only if not given.

    Examples
    --------
    >>> history = Revisions({"roles": {"age": "other"}, "steps": []})
    >>> history.change("age: quasi", roles={"age": "quasi"})
    >>> history.change("one step", steps=[{"method": "shuffle"}])
    >>> history.undo(), history.plan["steps"], history.number
    ('one step', [], 3)
    """

    def __init__(self, start: Plan, path: Path | None = None) -> None:
        self.path = path
        self._states = [Revision(dict(start), "")]
        self._at = 0
        self._log: list[str] = [""]  # what every revision did, by its number
        if path is not None and path.exists():
            self._read(path)

    @property
    def plan(self) -> Plan:
        """The plan as it is now."""
        return self._states[self._at].plan

    @property
    def number(self) -> int:
        """The number of this revision; undo and redo make new ones."""
        return len(self._log) - 1

    @property
    def undoes(self) -> str:
        """What undo would take back; nothing if there is nothing."""
        return self._states[self._at].said if self._at else ""

    @property
    def redoes(self) -> str:
        """What redo would do again."""
        return self._states[self._at + 1].said if self._at + 1 < len(self._states) else ""

    def since(self, number: int) -> list[str]:
        """What was done after that revision, in words."""
        return self._log[max(number, 0) + 1 :]

    def change(self, said: str, **entries: Any) -> None:
        """A new revision: entries replace those of the plan, mappings are merged one level deep."""
        self._keep({"said": said, "set": entries})

    def undo(self) -> str:
        """Take the last change back; the change in words, or nothing if there was none."""
        said = self.undoes
        if said:
            self._keep({"undo": True})
        return said

    def redo(self) -> str:
        """Do again what was taken back last."""
        said = self.redoes
        if said:
            self._keep({"redo": True})
        return said

    def _keep(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(line, ensure_ascii=False)
        if self.path is not None:
            append_line(self.path, text)
        self._do(line)

    def _do(self, line: Mapping[str, Any]) -> None:
        if "undo" in line:
            self._log.append(f"taken back: {self.undoes}")
            self._at -= 1
        elif "redo" in line:
            self._log.append(f"done again: {self.redoes}")
            self._at += 1
        else:
            del self._states[self._at + 1 :]
            self._states.append(Revision(merged(self.plan, line["set"]), line["said"]))
            self._at += 1
            self._log.append(line["said"])

    def _read(self, path: Path) -> None:
        """Do every line again; what a crash cut off at the end is cut off for good."""
        whole = 0
        for raw in path.read_bytes().splitlines(keepends=True):
            if not raw.endswith(b"\n"):
                break
            try:
                line = json.loads(raw.decode("utf-8"))
                self._do(line)
            except (ValueError, KeyError, TypeError, IndexError):
                break
            whole += len(raw)
        if whole < path.stat().st_size:
            os.truncate(path, whole)


def merged(plan: Plan, entries: Mapping[str, Any]) -> Plan:
    """The plan with these entries; where both are mappings, theirs are put together and None removes one.

    >>> merged({"roles": {"age": "other", "sex": "quasi"}}, {"roles": {"age": "quasi", "sex": None}})
    {'roles': {'age': 'quasi'}}
    """
    result = dict(plan)
    for name, value in entries.items():
        before = plan.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = {key: kept for key, kept in {**before, **value}.items() if kept is not None}
        result[name] = value
    return result


def append_line(path: Path, text: str) -> None:
    """The line on the disk, or one sentence why not."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, 0o600)
        try:
            size = os.fstat(handle).st_size
            written = os.write(handle, f"{text}\n".encode())
            if written < len(text.encode()) + 1:
                os.ftruncate(handle, size)
                raise OSError("the disk is full")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(f"The change could not be kept: {reason}; nothing was changed.") from error
