"""Draw how MDAV's time grows with the number of records. Run: python docs/make_speed_picture.py"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import polars as pl

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

ROOT = Path(__file__).parent.parent
METHODS = {  # colours of Okabe and Ito
    "mdav": ("shoal: mdav", "#0072B2", "o"),
    "blockwise": ("shoal: blockwise, two threads", "#009E73", "s"),
    "column_scan": ("plain compiled scan", "#D55E00", "^"),
    "numpy": ("plain numpy", "#CC79A7", "v"),
}
COLUMNS = (2, 4, 10, 13)
FIRST = 3_000  # growth is judged from here on


def exponent(records: pl.Series, seconds: pl.Series) -> float | None:
    """The slope of the line through the points, both axes logarithmic."""
    kept = records >= FIRST
    if kept.sum() < 2:
        return None
    return float(np.polyfit(np.log(records.filter(kept)), np.log(seconds.filter(kept)), 1)[0])


def draw(axis: Axes, table: pl.DataFrame) -> None:
    """Seconds of every method against the number of records."""
    for method, (name, colour, mark) in METHODS.items():
        rows = table.filter(pl.col("method") == method).sort("records")
        slope = exponent(rows["records"], rows["seconds"])
        label = name if slope is None else f"{name}: n^{slope:.1f}"
        axis.loglog(rows["records"], rows["seconds"], color=colour, marker=mark, markersize=4, label=label)
    axis.set_ylim(5e-6, 500)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=7, loc="lower right")


def main() -> None:
    table = pl.read_csv(ROOT / "benchmarks" / "speed" / "mdav.csv")
    figure, axes = plt.subplots(2, 4, figsize=(13, 6.4), sharex=True, sharey=True, layout="constrained")
    for line, sort in zip(axes, ("normal", "clustered"), strict=True):
        for axis, d in zip(line, COLUMNS, strict=True):
            draw(axis, table.filter(pl.col("file") == f"{sort}_{d}"))
            axis.set_title(f"{sort}, {d} columns", fontsize=10)
        line[0].set_ylabel("seconds")
    for axis in axes[1]:
        axis.set_xlabel("records")
    figure.savefig(ROOT / "docs" / "pictures" / "mdav_speed.png", dpi=90)


if __name__ == "__main__":
    main()
