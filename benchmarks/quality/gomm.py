"""GOMM and D-GOMM against hand-made groupings, as in chapter 5 of the thesis.

Run `python benchmarks/quality/gomm.py` (all files and k, half an hour), or name files and k to redo only
those: `python benchmarks/quality/gomm.py water 25 100`. Results go to gomm.csv beside this script, one row
per file, k and method; `--picture` draws docs/pictures/gomm.png instead. Seconds are processor seconds on
one core.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import polars as pl

from shoal import Table, as_table
from shoal.datasets import read_reference
from shoal.search import (
    all_together,
    correlated_apart,
    correlated_together,
    d_gomm,
    each_alone,
    gomm,
    grouping_cost,
)
from shoal.search.column_groups.grouping_costs import Costs

HERE = Path(__file__).parent
RESULTS = HERE / "gomm.csv"
PICTURE = HERE.parents[1] / "docs" / "pictures" / "gomm.png"
KS = (5, 10, 25, 50, 100)
SEED = 1
EFFORT = ("groupings_asked", "groupings_measured", "groups_asked", "groups_microaggregated")

# Appendix A of the thesis, by position of the column from 1. Which of the 13 columns of Census it left out is
# not said; its groups of correlated columns are so in the order of the file, less one of the last columns,
# which are much alike. We leave out the last, ERNVAL.
APPENDIX = {
    "census12": {
        "thesis c4": "2 4 6 7|5 10 11 12|1 3 8 9",
        "thesis nc4": "1 2 4 5|3 6 10 11|7 8 9 12",
        "thesis c3": "2 4 7|3 11 12|5 6 10|1 8 9",
        "thesis nc3": "2 3 5|8 10 11|7 9 12|1 4 6",
    },
    "water": {
        "thesis c10": "1 4 5 6 7 11 13 17 20 36|3 9 10 15 16 18 21 22 23 29|2 8 12 14 19 26 28 31 33 37"
        "|24 25 27 30 32 34 35 38",
        "thesis nc10": "1 2 3 24 4 9 8 25 5 10|12 27 6 15 14 30 7 16 19 32|11 18 26 34 13 21 28 35 17 22"
        "|20 36 29 23 31 33 37 38",
        "thesis c5": "1 4 5 6 7|11 13 17 20 36|3 9 10 15 16|18 21 22 23 29|2 8 12 14 19|26 28 31 33 37"
        "|24 25 27 30|32 34 35 38",
        "thesis nc5": "1 2 3 24 4|9 8 25 5 10|12 27 6 15 14 30|7 16 19 32|11 18 26 34 13 21|28 35 17 22"
        "|20 36 29 23|31 33 37 38",
        "thesis c3": "1 4 5|6 7 11|13 17 20|3 9 10|15 16 18|21 22 23|2 8 12|14 19 26|28 31 33|29 36 37"
        "|24 25 27|30 32 34|35 38",
        "thesis nc3": "1 2 3|24 4 9|8 25 5|12 27 6|15 14 30|7 16 19|11 18 26|34 13 21|28 35 17|10 32 22"
        "|20 36 29|23 31 33|37 38",
    },
}
SIZES = {"census12": (4, 3), "census13": (4, 3), "water": (10, 5, 3)}


def read(name: str) -> Table:
    """Census with its first 12 or all 13 columns, or the complete records of Water treatment."""
    if name == "water":
        table = read_reference("water_treatment")
        whole = np.all([~np.isnan(table.column(column)) for column in table.names(role="quasi")], axis=0)
        return table.take(np.flatnonzero(whole))
    table = read_reference("census")
    names = table.names()
    return as_table(table, roles={"quasi": names[:12], "other": names[12:]}) if name == "census12" else table


def hand_made(name: str, table: Table) -> dict[str, list[list[str]]]:
    """Every hand-made grouping of the file, by its name."""
    columns = table.names(role="quasi")
    groupings = {"all together": all_together(table), "each alone": each_alone(table)}
    for size in SIZES[name]:
        groupings[f"together {size}"] = correlated_together(table, size=size)
        groupings[f"apart {size}"] = correlated_apart(table, size=size)
    for title, text in APPENDIX.get(name, {}).items():
        groupings[title] = [[columns[int(p) - 1] for p in group.split()] for group in text.split("|")]
    return groupings


class Forgetful(Costs):
    """Every grouping from scratch, as the thesis did it."""

    def __call__(self, groupings):
        found = []
        for genes in groupings:
            fresh = Costs(self._problem)
            found += fresh([genes])
            self._asked += 1
            self._groups_asked += fresh.effort.groups_asked
            self._made += fresh.effort.groups_microaggregated
        return found

    @property
    def effort(self):
        """Every grouping asked for was measured."""
        return super().effort._replace(groupings_measured=self._asked)


def rows(name: str, k: int) -> Iterator[dict[str, object]]:
    """One row per method."""
    table = read(name)
    groupings = hand_made(name, table)
    grouping_cost(table, groupings["all together"], k=k)  # the first call compiles
    for title, groups in groupings.items():
        yield row(name, k, title, lambda groups=groups: groups, table)
    yield row(name, k, "gomm", lambda: gomm(table, k=k, rng=SEED), table)
    yield row(name, k, "d_gomm", lambda: d_gomm(table, k=k, rng=SEED), table)
    yield row(
        name, k, "gomm from hand-made", lambda: gomm(table, k=k, initial=groupings.values(), rng=SEED), table
    )
    if (name, k) == ("water", 25):
        with patch.object(sys.modules["shoal.search.gomm"], "Costs", Forgetful):
            yield row(name, k, "gomm without memory", lambda: gomm(table, k=k, rng=SEED), table)


def row(name: str, k: int, method: str, find: Callable[[], object], table: Table) -> dict[str, object]:
    start = time.process_time()
    groups = find()
    seconds = time.process_time() - start
    cost = grouping_cost(table, groups, k=k)
    effort = groups.effort._asdict() if hasattr(groups, "effort") else {}
    print(
        f"{name:9} k={k:<3} {method:20} {len(groups):2} groups, score {cost.score:.2f}, {seconds:.1f} s",
        flush=True,
    )
    return {
        "file": name,
        "k": k,
        "method": method,
        "groups": len(groups),
        **{figure: round(value, 3) for figure, value in cost._asdict().items()},
        "score": round(cost.score, 3),
        "seconds": round(seconds, 1) if effort else None,
        **{what: effort.get(what) for what in EFFORT},
    }


def save(new: list[dict[str, object]]) -> None:
    """Replace the rows of the same file and k."""
    frame = pl.DataFrame(new, infer_schema_length=None)
    if RESULTS.exists():
        old = pl.read_csv(RESULTS, infer_schema_length=None)
        frame = pl.concat([old.join(frame, on=["file", "k"], how="anti"), frame], how="vertical_relaxed")
    frame.sort("file", "k", maintain_order=True).write_csv(RESULTS)


def draw() -> None:
    """The operators on Water treatment with k = 25, as in figures 4.2 to 4.11."""
    from shoal.report import plot_operators

    plot_operators(gomm(read("water"), k=25, rng=SEED).history).savefig(PICTURE, dpi=70)


if __name__ == "__main__":
    asked = sys.argv[1:]
    if "--picture" in asked:
        draw()
    else:
        names = [name for name in asked if name in SIZES] or list(SIZES)
        for file in names:
            for number in [int(text) for text in asked if text.isdigit()] or KS:
                save(list(rows(file, number)))
