"""One case: an odd table, a masker with a promise, a file format; tried, and counted by a stranger."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import stranger
from hypothesis import strategies as st
from odd_tables import POOLS, Odd, odd_tables
from steps import TEXTS, Drawn, drawn, with_parts

from shoal import PromiseBroken, ShoalError, Table, read_table, write_table
from shoal.masking import MASKERS
from shoal.models.promise import Promise
from shoal.search import recode_to_k
from shoal.workflow.registry import bind_method
from shoal.workflow.release import Target, release

TOKEN = "confidential-token-71"
CHEAP = [".csv", ".csv", ".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".feather", ";", ".csv.gz"]
CHEAP += [".csv.zst", ".ndjson.gz", ".asc"]
DEAR = [".sav", ".zsav", ".dta", ".xpt", ".xlsx", ".ods"]
SOURCES = ["frame"] * 7 + [".csv", ".csv", ".parquet"]  # what is masked is in memory, or read from a file
METHODS = tuple(dict.fromkeys([*MASKERS, recode_to_k]))
DRAWING = ("microaggregate", "protect_clusters")


@dataclass(frozen=True)
class Case:
    """What is tried."""

    odd: Odd
    drawn: Drawn
    ending: str
    way: str  # "write" or "release"
    source: str  # "frame", or the ending of a file that the table is read from

    @property
    def k(self) -> int:
        step = self.drawn.step
        return int(step.get("k") or step["masker"]["k"])

    @property
    def roles(self) -> dict[str, list[str]]:
        """Columns by role."""
        one = self.drawn
        given = {"confidential": one.hidden, "household": one.household, "weight": one.weight}
        roles = {"quasi": list(one.quasi), "stratum": list(one.strata)}
        return roles | {role: [name] for role, name in given.items() if name}

    @property
    def keys(self) -> list[list[str]]:
        """The columns that are k-anonymous together: all, or each of several groups by itself."""
        step = self.drawn.step.get("masker", self.drawn.step)
        strata = list(self.drawn.strata) if step.get("strata") else []
        if step.get("known_keys"):
            return [list(few) for few in combinations(self.drawn.quasi, step["known_keys"])]
        if step["method"] == "individual_ranking":
            return [[name] for name in self.drawn.quasi]
        return [[*group, *strata] for group in step.get("groups") or [list(self.drawn.quasi)]]

    @property
    def promise(self) -> Promise:
        """What a release of it is held to."""
        one, known = self.drawn, self.drawn.step.get("known_keys")
        if not one.hidden:
            return Promise(k=self.k, known_keys=known)
        least, most = ({one.hidden: what} if what else {} for what in (one.l, one.t))
        return Promise(k=self.k, known_keys=known, l=least, t=most)

    def table(self, folder: Path) -> Table:
        """The table, read from a file where the case says so."""
        table = self.odd.table(self.roles)
        if self.source == "frame":
            return table
        path = folder / f"source{self.source}"
        write_table(table, path, overwrite=True, shuffle=False, identifiers=True)
        return read_table(path, roles=self.roles)

    @property
    def certain(self) -> bool:
        """Whether the masker itself must keep the promise, so that a release cannot be refused."""
        counted_apart = self.drawn.strata and not self.drawn.step.get("strata")
        whole = len(self.keys) == 1 or self.drawn.step.get("known_keys")
        return bool(not self.drawn.household and whole and not counted_apart)


class BrokenPromise(AssertionError):
    """The written file does not keep what was promised."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A table with roles, a masker that takes k with some options, and where the file goes."""
    odd, household, weight = draw(with_parts(draw(odd_tables())))
    one = draw(drawn(odd, household, weight))
    ending = draw(st.sampled_from(DEAR if draw(st.integers(0, 19)) == 0 else CHEAP))
    released = household or draw(st.integers(0, 29)) == 0  # it is the gate that counts households
    if released and ending == ";":  # a release writes as the format is by default
        ending = ".csv"
    way = "release" if released else "write"
    return Case(odd, one, ending, way, draw(st.sampled_from(SOURCES)))


def try_case(case: Case, folder: Path) -> str:
    """ "written", "refused" by the gate or "said" in a sentence; raises what must not happen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            table = case.table(folder)
            before = [table.cells(name).tolist() for name in table.names()]
            options = {"rng": 1} if case.drawn.step["method"] in DRAWING else {}
            masked = bind_method(case.drawn.step, METHODS)(table, **options)
            same = zip(before, [table.cells(name).tolist() for name in table.names()], strict=True)
            assert all(repr(a) == repr(b) for a, b in same), "the input was changed"
            assert len(masked) == len(table)
            assert masked.names() == table.names()
            return _count(case, table, masked, folder)
        except PromiseBroken as broken:
            assert not list(folder.glob("safe*")), "a broken promise is in place"
            if case.certain:
                raise BrokenPromise(f"release counted {broken.released.verdict.figures}") from broken
            return "refused"
        except ShoalError as error:
            if TOKEN in str(error):
                raise AssertionError("an error shows a value") from error
            return "said"


def _count(case: Case, table: Any, masked: Any, folder: Path) -> str:
    path = folder / f"safe{'.csv' if case.ending == ';' else case.ending}"
    for old in folder.glob("safe*"):
        old.unlink()
    separator = {".tsv": "\t", ";": ";"}.get(case.ending, ",")
    if case.way == "release" and (len(case.keys) == 1 or case.drawn.step.get("known_keys")):
        release(table, masked, case.promise, Target(path), rng=1)
    else:
        options = {"separator": ";", "decimal": ","} if case.ending == ";" else {}
        write_table(masked, path, rng=1, **options)
    rows = stranger.rows_of(path, separator)
    if case.ending in (".xlsx", ".ods"):  # readers leave out the empty lines at the end of a sheet
        rows += [dict.fromkeys(table.names(), "")] * (len(table) - len(rows))
    if len(rows) != len(table):
        raise BrokenPromise(f"{len(rows)} records written of {len(table)}")
    for key in case.keys:
        household = case.drawn.household if case.way == "release" else None
        found = stranger.smallest_class(rows, key, household)
        if found < case.k:
            raise BrokenPromise(f"{found} < k = {case.k} over {key}")
    _count_hidden(case, rows)
    return "written"


def _count_hidden(case: Case, rows: list[dict[str, str]]) -> None:
    """The l and the t of every class; t only where the kind of the column is beyond doubt."""
    one = case.drawn
    if not one.hidden or len(case.keys) > 1 or case.keys[0] == [] or "masker" in one.step:
        return
    if one.l and stranger.fewest_values(rows, case.keys[0], one.hidden) < one.l:
        raise BrokenPromise("a class has fewer than l = 2 confidential values")
    if one.t and case.source == "frame" and case.odd.kinds[case.odd.names.index(one.hidden)] in TEXTS:
        found = stranger.largest_distance(rows, case.keys[0], one.hidden)
        if found > one.t + 1e-9:
            raise BrokenPromise(f"a class is {found:.3f} from the file, t = {one.t}")


def folder_for_cases() -> tempfile.TemporaryDirectory[str]:
    """Where files are written: in memory where the machine has such a place."""
    shm = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)


def kinds_tried() -> int:
    """Number of kinds of columns."""
    return len(POOLS)
