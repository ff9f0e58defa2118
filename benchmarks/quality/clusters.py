"""Pre-clustering against plain microaggregation and Mondrian, as in chapter 5 of the thesis.

Run `python benchmarks/quality/clusters.py` (some minutes). Results go to clusters.csv beside this script (the
best of every method to clusters_best.csv), one row per file, method, number of clusters c (1: none) and k;
`--picture` draws docs/pictures/clusters.png.
The housing file of the thesis is not public; California housing in ten classes a column stands for it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import Table, as_table, evaluate
from shoal.datasets import read_reference
from shoal.masking import c_median, global_median, microaggregate, mondrian, protect_clusters
from shoal.measures import (
    adjusted_rand_index,
    clustering_loss,
    ctbil,
    dbil,
    distance_linkage_risk,
    ebil,
    probabilistic_linkage_risk,
)

HERE = Path(__file__).parent
RESULTS, BEST = HERE / "clusters.csv", HERE / "clusters_best.csv"
PICTURE = HERE.parents[1] / "docs" / "pictures" / "clusters.png"
KS, CS = (2, 3, 5, 10, 20), (1, 2, 5, 10, 20)
CLASSES, SEEDS = 10, (1, 2, 3)
CLUSTER = partial(c_median, c=3, starts=20)
MASKERS = {"microaggregation": microaggregate, "global median": global_median, "Mondrian": mondrian}


def in_classes(table: Table, names: list[str]) -> Table:
    """Numbers as ten classes of equally many records, all columns quasi-identifiers."""
    frame = table.frame.select(names)
    for name in table.select(names).names(kind="numeric"):
        rank = frame[name].rank("min") - 1
        frame = frame.with_columns((rank * CLASSES // frame.height).cast(pl.Int64).alias(name))
    return as_table(
        frame,
        kinds={name: "nominal" if frame[name].dtype == pl.String else "ordinal" for name in names},
        roles={"quasi": names},
    )


def files() -> Iterator[tuple[str, Table]]:
    german = read_reference("german_credit")
    yield "German credit", in_classes(german, german.names("quasi"))
    housing = read_reference("california_housing")
    rows = np.random.default_rng(1).choice(len(housing), 1000, replace=False)
    names = [name for name in housing.names() if name not in ("longitude", "latitude")]
    yield "housing", in_classes(housing.take(np.sort(rows)), names)


def results() -> Iterator[dict[str, Any]]:
    for file, table in files():
        yield {"file": file, "method": "the file itself", "c": 1, "k": 1, **unmasked(table)}
        for method, masker in MASKERS.items():
            for c in CS if method != "Mondrian" else (1,):
                for k in KS:
                    masked = protect_clusters(table, clusters=c, masker=partial(masker, k=k), rng=1)
                    yield {"file": file, "method": method, "c": c, "k": k, **figures(table, masked)}


def unmasked(table: Table) -> dict[str, float]:
    """The file as it is; its clustering loss is that of starting the clustering elsewhere."""
    found = [CLUSTER(table, rng=seed) for seed in range(10)]
    pairs = [100 * (1 - adjusted_rand_index(a, b)) for a, b in pairwise(found)]
    return figures(table, table) | {"clustering loss": round(float(np.mean(pairs)), 2)}


def figures(table: Table, masked: Table) -> dict[str, float]:
    found = evaluate(
        table,
        masked,
        loss=(ctbil, dbil, ebil),
        risk=(distance_linkage_risk, probabilistic_linkage_risk),
    )
    lost = [clustering_loss(table, masked, cluster=CLUSTER, rng=seed) for seed in SEEDS]
    return {
        "loss": round(found.information_loss or 0.0, 2),
        "risk": round(found.disclosure_risk or 0.0, 2),
        "score": round(found.score or 0.0, 2),
        "clustering loss": round(float(np.mean(lost)), 2),
    }


def best_of(table: pl.DataFrame) -> pl.DataFrame:
    """For every file and method, without and with clusters, the setting with the least score."""
    way = pl.when(pl.col("c") > 1).then(pl.col("method") + " in clusters").otherwise("method")
    best = table.with_columns(method=way).sort("score", maintain_order=True)
    best = best.group_by("file", "method", maintain_order=True).first()
    return best.sort("file", maintain_order=True)


def picture() -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    table = pl.read_csv(RESULTS)
    colours = {"microaggregation": "#0072B2", "global median": "#D55E00", "Mondrian": "#009E73"}
    names = table["file"].unique(maintain_order=True).to_list()
    figure, axes = plt.subplots(2, len(names), figsize=(9, 7.4), layout="constrained")
    for column, file in enumerate(names):
        for row, loss in enumerate(("loss", "clustering loss")):
            axis = axes[row][column]
            for method, colour in colours.items():
                for plain in (True, False):
                    some = table.filter(
                        (pl.col("file") == file)
                        & (pl.col("method") == method)
                        & ((pl.col("c") == 1) == plain)
                    )
                    label = method if plain else f"{method} in clusters"
                    style = {"marker": "s" if plain else "o", "facecolors": colour if plain else "none"}
                    axis.scatter(some[loss], some["risk"], edgecolors=colour, label=label, s=30, **style)
            axis.set_title(file, fontsize=10)
            axis.set_xlabel(f"{loss} (%)")
            axis.set_ylabel("linkage risk (%)")
    handles = {
        text: h
        for h, text in zip(*axes[0][0].get_legend_handles_labels(), strict=True)
        if len(h.get_offsets())
    }
    axes[0][0].legend(handles.values(), handles.keys(), fontsize=8, frameon=False)
    figure.savefig(PICTURE, dpi=90)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if "--picture" in sys.argv:
        picture()
    else:
        rows = []
        for row in results():
            rows.append(row)
            print(*row.values(), sep="  ", flush=True)
        pl.DataFrame(rows).write_csv(RESULTS)
        best_of(pl.DataFrame(rows)).write_csv(BEST)
