"""One case: an odd table, a masker with a promise, a file format; tried, and counted by a stranger."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import stranger
from hypothesis import strategies as st
from odd_tables import POOLS, Odd, odd_tables

from shoal import ShoalError, write_table
from shoal.masking import MASKERS
from shoal.models.promise import Promise
from shoal.workflow.registry import bind_method
from shoal.workflow.release import Target, release

TOKEN = "confidential-token-71"
CHEAP = [".csv", ".csv", ".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ";"]
DEAR = [".sav", ".dta", ".xpt", ".xlsx"]
PARTITIONS = ["mdav", "md", "v_mdav", "mst", "hac", "projection", "path", "local_search", "two_step", "tfrp"]


@dataclass(frozen=True)
class Case:
    """What is tried."""

    odd: Odd
    quasi: tuple[str, ...]
    strata: tuple[str, ...]
    hidden: str | None
    step: dict[str, Any]
    ending: str
    way: str  # "write" or "release"

    @property
    def k(self) -> int:
        return int(self.step.get("k") or self.step["masker"]["k"])


class BrokenPromise(AssertionError):
    """The written file does not keep what was promised."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A table with roles, a masker that takes k with some options, and where the file goes."""
    odd = draw(odd_tables())
    names = list(odd.names)
    quasi = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    left = [name for name in names if name not in quasi]
    strata = left[:1] if left and draw(st.integers(0, 3)) == 0 else []
    left = [name for name in left if name not in strata]
    hidden = left[0] if left and draw(st.booleans()) else None
    k = draw(st.integers(2, min(4, len(odd.cells[0]))))
    step = draw(_steps(k, bool(strata), strata, hidden))
    ending = draw(st.sampled_from(DEAR if draw(st.integers(0, 19)) == 0 else CHEAP))
    way = "release" if draw(st.integers(0, 39)) == 0 else "write"
    return Case(odd, tuple(quasi), tuple(strata), hidden, step, ending, way)


@st.composite
def _steps(
    draw: st.DrawFn, k: int, stratified: bool, strata: list[str], hidden: str | None
) -> dict[str, Any]:
    known = {masker.__name__ for masker in MASKERS}
    promising = ["microaggregate", "mondrian", "global_median", "suppress_to_k", "individual_ranking"]
    promising += sorted({"recode_to_k"} & known)
    method = draw(st.sampled_from([*promising, "protect_clusters", "microaggregate"]))
    if method == "protect_clusters":
        inner = draw(_steps(k, False, [], hidden).filter(lambda s: "masker" not in s))
        return {"method": method, "clusters": draw(st.integers(1, 3)), "masker": inner}
    step: dict[str, Any] = {"method": method, "k": k}
    if strata and method != "individual_ranking":
        step["strata"] = strata
    if method in ("suppress_to_k", "recode_to_k"):
        return step
    step["missing"] = draw(st.sampled_from(["together", "together", "suppress", "fill"]))
    if method == "microaggregate":
        step["partition"] = draw(st.sampled_from(PARTITIONS))
        step["scale"] = draw(st.sampled_from(["zscore", "range"]))
    if method in ("microaggregate", "individual_ranking", "mondrian") and draw(st.booleans()):
        step["round"] = True
    if method == "mondrian":
        step["release"] = draw(st.sampled_from(["regions", "centres"]))
    if method in ("mondrian", "global_median"):
        step["cut"] = draw(st.sampled_from(["gain", "widest"]))
        step["strict"] = draw(st.booleans())
    if hidden and method in ("microaggregate", "mondrian", "global_median") and draw(st.booleans()):
        step["confidential"] = hidden
        step["l_diversity" if draw(st.booleans()) else "t_closeness"] = draw(st.sampled_from([2, 0.4]))
        if "l_diversity" in step:
            step["l_diversity"] = 2
        else:
            step["t_closeness"] = 0.4
    return step


def try_case(case: Case, folder: Path) -> str:
    """ "written", "said" (an error in one sentence) or "not released"; raises what must not happen."""
    roles = {"quasi": list(case.quasi), "stratum": list(case.strata)}
    if case.hidden:
        roles["confidential"] = [case.hidden]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            table = case.odd.table(roles)
            before = [table.cells(name).tolist() for name in table.names()]
            options = {"rng": 1} if case.step["method"] in ("microaggregate", "protect_clusters") else {}
            masked = bind_method(case.step, MASKERS)(table, **options)
            same = zip(before, [table.cells(name).tolist() for name in table.names()], strict=True)
            assert all(repr(a) == repr(b) for a, b in same), "the input was changed"
            assert len(masked) == len(table)
            assert masked.names() == table.names()
            return _count(case, table, masked, folder)
        except ShoalError as error:
            if TOKEN in str(error):
                raise AssertionError("an error shows a value") from error
            return "said"


def _count(case: Case, table: Any, masked: Any, folder: Path) -> str:
    path = folder / f"safe{'.csv' if case.ending == ';' else case.ending}"
    path.unlink(missing_ok=True)
    separator = {".tsv": "\t", ";": ";"}.get(case.ending, ",")
    apart = case.step["method"] == "individual_ranking" or (
        "masker" in case.step and case.step["masker"]["method"] == "individual_ranking"
    )
    if case.way == "release" and not apart and case.ending != ";":
        released = release(table, masked, Promise(k=case.k), Target(path), rng=1)
        if not released.kept:
            assert not path.exists(), "a broken promise is in place"
            raise BrokenPromise(f"release counted {released.reached}, k = {case.k}")
    else:
        options = {"separator": ";", "decimal": ","} if case.ending == ";" else {}
        write_table(masked, path, rng=1, **options)
    rows = stranger.rows_of(path, separator)
    if case.ending == ".xlsx":  # readers leave out the empty lines at the end of a sheet
        rows += [dict.fromkeys(table.names(), "")] * (len(table) - len(rows))
    if len(rows) != len(table):
        raise BrokenPromise(f"{len(rows)} records written of {len(table)}")
    keys = [[name] for name in case.quasi] if apart else [[*case.quasi, *case.strata]]
    strata = list(case.strata) if case.step.get("strata") else []
    keys = keys if apart else [[*case.quasi, *strata]]
    for key in keys:
        if stranger.smallest_class(rows, key) < case.k:
            raise BrokenPromise(f"{stranger.smallest_class(rows, key)} < k = {case.k} over {key}")
    step = case.step.get("masker", case.step)
    if "l_diversity" in step and case.hidden and stranger.fewest_values(rows, keys[0], case.hidden) < 2:
        raise BrokenPromise("a class has fewer than l = 2 confidential values")
    return "written"


def folder_for_cases() -> tempfile.TemporaryDirectory[str]:
    """Where files are written: in memory where the machine has such a place."""
    shm = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)


def kinds_tried() -> int:
    """Number of kinds of columns."""
    return len(POOLS)
