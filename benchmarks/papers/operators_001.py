"""GOMM, chapter 4 and appendix B: every operator alone and all combined, kept as csv, drawn."""

from __future__ import annotations

import csv
import runpy
from functools import cache, partial
from pathlib import Path

import numpy as np
import polars as pl
from paper import FOLDER

from shoal import Table, as_table
from shoal.datasets import read_reference
from shoal.report.operators import _efficacy, _efficiency, _lifetime, _utilisation
from shoal.search import gomm
from shoal.search.column_groups.grouping_operators import OPERATORS

HAND = runpy.run_path(str(FOLDER.parent / "quality" / "gomm.py"))  # the groupings of its Appendix A
SEED, MORE_SEEDS = 1, (2, 3)  # the curves are those of the first; more of them for k = 25
FILES = {"W": "water", "C": "census12"}
SCENES = (("W", 25), ("C", 25), ("W", 100), ("C", 100))
FULL = (("W", 25), ("C", 25), ("W", 100))  # of which every operator's panels are drawn
NAMES = [operator.__name__ for operator in OPERATORS]
HISTORY, BEST = FOLDER / "here" / "001-operators.csv", FOLDER / "here" / "001-best.csv"
LAST = FOLDER / "here" / "001-seeds.csv"  # the best score at the end, seed by seed


@cache
def table(name: str) -> Table:
    """Water treatment's complete records, or Census less one column."""
    return without_intval() if name == "intval" else HAND["read"](name)


@cache
def without_intval() -> Table:
    """Census less INTVAL instead of its last column."""
    census = read_reference("census")
    names = [name for name in census.names() if name != "INTVAL"]
    return as_table(census, roles={"quasi": names, "other": ["INTVAL"]})


def operators() -> None:
    """Every operator alone (100 children a generation) and all combined; histories go to three csv files."""
    rows, best, last = [], {}, []
    for letter, k in SCENES:  # seven minutes
        for name in ("combined", *NAMES):
            plan = {}
            if name == "crossover":
                plan = {"crossovers": 50, "mutations": 0}
            elif name != "combined":
                plan = {"crossovers": 0, "mutations": {name: 100}}
            search = partial(gomm, table(FILES[letter]), k=k, intervals="z-scores", **plan)
            history = search(rng=SEED).history
            last.append((f"{letter}{k} {name}", SEED, history["best"][-1]))
            for seed in MORE_SEEDS if k == 25 else ():
                last.append((f"{letter}{k} {name}", seed, search(rng=seed).history["best"][-1]))
            print(f"{letter}{k} {name}: {history['best'][-1]:.2f}", flush=True)
            curve = history.unique("generation", keep="first", maintain_order=True)
            best[f"{letter}{k} {name}"] = curve["best"].to_list()
            if name == "combined":
                best[f"{letter}{k} groups"] = curve["mean_groups"].to_list()
            if (letter, k) in FULL and (name == "combined" or (letter, k) == ("W", 25)):
                run = pl.lit(f"{letter}{k} {'combined' if name == 'combined' else 'alone'}").alias("run")
                rows.append(history.with_columns(run).filter(pl.col("generation") > 0))
    pl.concat(rows, how="vertical_relaxed").select(
        pl.exclude("discarded", "child_groups", "best_child")
    ).with_columns(pl.col(pl.Float64).round(3)).write_csv(HISTORY)
    pl.DataFrame(last, schema=["run", "seed", "best"], orient="row").with_columns(
        pl.col("best").round(4)
    ).write_csv(LAST)
    with BEST.open("w", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("generation", *best))
        writer.writerows((g, *(f"{best[run][g]:.4f}" for run in best)) for g in range(101))


@cache
def curves() -> pl.DataFrame:
    """Best costs and mean numbers of groups, generation by generation."""
    return pl.read_csv(BEST)


def last_scores(run: str) -> np.ndarray:
    """The best score at the end of a run, for every seed."""
    return pl.read_csv(LAST).filter(pl.col("run") == run).sort("seed")["best"].to_numpy()


def history(run: str) -> pl.DataFrame:
    """The rows of a run."""
    return pl.read_csv(HISTORY, infer_schema_length=None).filter(pl.col("run") == run)


def draw_best(letter: str, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.5, 3.6), layout="constrained")
    for place, k in enumerate((25, 100), 1):
        axis = figure.add_subplot(1, 2, place)
        whole = np.array(curves()[f"{letter}{k} combined"])
        for operator, colour in zip(
            NAMES, ("#0072B2", "#D55E00", "#009E73", "#999999", "#3a3a3a", "#CC79A7"), strict=True
        ):
            axis.plot(
                np.array(curves()[f"{letter}{k} {operator}"]) / whole,
                color=colour,
                label=operator.replace("_", " "),
            )
        axis.axhline(1, color="#3a3a3a", linewidth=0.6)
        axis.set_title(f"k = {k}", fontsize=9)
        axis.set_xlabel("generation")
        axis.set_ylabel("best cost / best cost combined")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=6, fontsize=8)
    figure.savefig(path, dpi=80)


def draw_panels(run: str, path: Path) -> None:
    """Utilisation, lifetime, efficacy and efficiency of every operator."""
    from matplotlib.figure import Figure

    rows = history(run)
    figure = Figure(figsize=(12.0, 10.0), layout="constrained")
    titles = ("never used as a parent", "mean lifetime", "better (up), worse (down)", "by how many percent")
    for row, operator in enumerate(NAMES):
        mine = rows.filter(pl.col("operator") == operator)
        for column, (draw, title) in enumerate(
            zip((_utilisation, _lifetime, _efficacy, _efficiency), titles, strict=True)
        ):
            axis = figure.add_subplot(6, 4, 4 * row + column + 1)
            draw(axis, mine)
            axis.set_xlim(0, 100)
            axis.tick_params(labelsize=7)
            if row == 0:
                axis.set_title(title, fontsize=9)
            if column == 0:
                axis.set_ylabel(operator.replace("_", " "), fontsize=9)
    figure.savefig(path, dpi=60)


def draw_groups(path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.0), layout="constrained")
    for place, (letter, k) in enumerate(SCENES[:2], 1):
        axis = figure.add_subplot(1, 2, place)
        axis.plot(curves()[f"{letter}{k} groups"], color="#0072B2")
        axis.set_title(f"{'Water treatment' if letter == 'W' else 'Census'}, k = 25", fontsize=9)
        axis.set_xlabel("generation")
        axis.set_ylabel("mean number of groups")
        axis.set_ylim(bottom=0)
    figure.savefig(path, dpi=80)
