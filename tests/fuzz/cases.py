"""One case: an odd table, a masker with a promise, a file format; tried, and counted by a stranger."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import stranger
from hypothesis import strategies as st
from odd_tables import POOLS, Odd, odd_tables
from steps import TEXTS, Drawn, drawn, with_parts

from shoal import PromiseBroken, ShoalError, Table, read_table, write_table
from shoal.io import source_of
from shoal.masking import MASKERS
from shoal.models.promise import Promise
from shoal.search import recode_to_k
from shoal.workflow.registry import bind_method
from shoal.workflow.release import Target, release

TOKEN = "confidential-token-71"
CHEAP = [".csv", ".csv", ".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".feather", ";", ".csv.gz"]
CHEAP += [".csv.zst", ".ndjson.gz", ".asc", ".ipc"]
DEAR = [".sav", ".zsav", ".dta", ".xpt", ".xlsx", ".ods", ".sqlite", ".duckdb"]
DATABASES = (".sqlite", ".duckdb")
SOURCES = ["frame"] * 7 + [".csv", ".csv", ".parquet"]  # what is masked is in memory, or read from a file
# a release costs more than a file
WAYS = ["write"] * 32 + ["release"] * 2 + ["plain", "too much", "nothing masked"]
METHODS = tuple(dict.fromkeys([*MASKERS, recode_to_k]))
# every stratum reaches k by itself
APART = ("microaggregate", "mondrian", "global_median", "suppress_to_k", "recode_to_k")
DRAWING = ("microaggregate", "protect_clusters")


@dataclass(frozen=True)
class Case:
    """What is tried."""

    odd: Odd
    drawn: Drawn
    ending: str
    # "write", "release", the release of a "plain" frame without roles, or one that the gate may refuse:
    # "too much", "nothing masked"
    way: str
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
        strata = list(self.drawn.strata) if step["method"] in APART else []
        if step.get("known_keys"):
            return [list(few) for few in combinations(self.drawn.quasi, step["known_keys"])]
        if step["method"] == "individual_ranking":
            return [[name] for name in self.drawn.quasi]
        return [[*group, *strata] for group in step.get("groups") or [list(self.drawn.quasi)]]

    @property
    def size(self) -> int:
        """How many have to look alike in the file; one more than was masked for where that is tried."""
        return self.k + (self.way == "too much")

    @property
    def promise(self) -> Promise:
        """What a release of it is held to."""
        one, known = self.drawn, self.drawn.step.get("known_keys")
        if not one.hidden:
            return Promise(k=self.size, known_keys=known)
        least, most = ({one.hidden: what} if what else {} for what in (one.l, one.t))
        return Promise(k=self.size, known_keys=known, l=least, t=most)

    def table(self, folder: Path) -> Table:
        """The table, read from a file where the case says so."""
        table = self.odd.table(self.roles)
        if self.source == "frame":
            return table
        path = folder / f"source{self.source}"
        write_table(table, path, overwrite=True, shuffle=False, identifiers=True)
        return read_table(path, roles=self.roles)

    @property
    def by_gate(self) -> bool:
        """Whether the file goes through the gate, which counts one key, or any few of its columns."""
        return self.way != "write" and (len(self.keys) == 1 or "known_keys" in self.drawn.step)

    @property
    def certain(self) -> bool:
        """Whether the masker itself must keep the promise, so that a release cannot be refused."""
        counted_apart = self.drawn.strata and self.drawn.step["method"] not in APART
        whole = not self.drawn.household and "where" not in self.drawn.step and not counted_apart
        return bool(self.way in ("write", "release", "plain") and whole)


class BrokenPromise(AssertionError):
    """The written file does not keep what was promised."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A table with roles, a masker that takes k with some options, and where the file goes."""
    odd, household, weight = draw(with_parts(draw(odd_tables())))
    one = draw(drawn(odd, household, weight))
    ending = draw(st.sampled_from(DEAR if draw(st.integers(0, 19)) == 0 else CHEAP))
    way = draw(st.sampled_from(WAYS))
    if way == "write" and (household or "where" in one.step):  # it is the gate that counts these
        way = "release"
    if way != "write" and ending == ";":  # a release writes as the format is by default
        ending = ".csv"
    return Case(odd, one, ending, way, draw(st.sampled_from(SOURCES)))


def try_case(case: Case, folder: Path) -> str:
    """ "written", "refused" by the gate or "said" in a sentence; raises what must not happen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            table = case.table(folder)
            masked = table if case.way == "nothing masked" else _masked(case, table)
            return _count(case, table, masked, folder)
        except ShoalError as error:
            if TOKEN in str(error):
                raise AssertionError("an error shows a value") from error
            return "said"


def _masked(case: Case, table: Table) -> Table:
    before = [table.cells(name).tolist() for name in table.names()]
    options = {"rng": 1} if case.drawn.step["method"] in DRAWING else {}
    masked: Table = bind_method(case.drawn.step, METHODS)(table, **options)
    same = zip(before, [table.cells(name).tolist() for name in table.names()], strict=True)
    assert all(repr(a) == repr(b) for a, b in same), "the input was changed"
    assert len(masked) == len(table)
    assert masked.names() == table.names()
    return masked


def _count(case: Case, table: Table, masked: Table, folder: Path) -> str:
    for old in folder.glob("safe*"):
        old.unlink()
    path = folder / f"safe{'.csv' if case.ending == ';' else case.ending}"
    refused = None
    made = masked.frame if case.way == "plain" else masked
    if case.by_gate:
        target = Target(source_of(path, "safe") if case.ending in DATABASES else path)
        try:
            release(table, made, case.promise, target, rng=1)
        except PromiseBroken as broken:
            refused = broken
            assert not list(folder.glob("safe*")), "a broken promise is in place"
            release(table, made, case.promise, replace(target, anyway=True), rng=1)
    else:
        options: dict[str, Any] = {"separator": ";", "decimal": ","} if case.ending == ";" else {}
        write_table(masked, path, rng=1, into="safe" if case.ending in DATABASES else None, **options)
    found = _broken(case, _rows(case, path, table))
    if refused is None and found and (case.by_gate or case.certain):
        raise BrokenPromise(found)
    if refused is not None and (case.certain or found == ""):
        raise BrokenPromise(f"the gate counted {refused.released.verdict.figures}, a stranger {found!r}")
    return "written" if refused is None else "refused"


def _rows(case: Case, path: Path, table: Table) -> list[dict[str, str]]:
    rows = stranger.rows_of(path, {".tsv": "\t", ";": ";"}.get(case.ending, ","))
    if case.ending in (".xlsx", ".ods"):  # readers leave out the empty lines at the end of a sheet
        rows += [dict.fromkeys(table.names(), "")] * (len(table) - len(rows))
    if len(rows) != len(table):
        raise BrokenPromise(f"{len(rows)} records written of {len(table)}")
    return rows


def _broken(case: Case, rows: list[dict[str, str]]) -> str | None:
    """What a stranger finds broken, "" for nothing; None where the kind of a column is in doubt."""
    household = case.drawn.household if case.by_gate else None
    strata = [] if not case.by_gate or case.drawn.step.get("known_keys") else list(case.drawn.strata)
    for key in case.keys:
        whole = list(dict.fromkeys([*key, *strata]))
        found = stranger.smallest_class(rows, whole, household)
        if found < case.size:
            return f"{found} < k = {case.size} over {whole}"
    one = case.drawn
    if not one.hidden or len(case.keys) > 1 or (not case.by_gate and "masker" in one.step):
        return ""
    whole = list(dict.fromkeys([*case.keys[0], *strata]))
    if one.l and stranger.fewest_values(rows, whole, one.hidden) < one.l:
        return "a class has fewer than l = 2 confidential values"
    if not one.t:
        return ""
    if case.source != "frame" or case.odd.kinds[case.odd.names.index(one.hidden)] not in TEXTS:
        return None
    found = stranger.largest_distance(rows, whole, one.hidden)
    return f"a class is {found:.3f} from the file, t = {one.t}" if found > one.t + 1e-9 else ""


def folder_for_cases() -> tempfile.TemporaryDirectory[str]:
    """Where files are written: in memory where the machine has such a place."""
    shm = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)


def kinds_tried() -> int:
    """Number of kinds of columns."""
    return len(POOLS)
