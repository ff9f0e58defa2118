"""Draw the README's picture: a file before and after. Run: python docs/make_picture.py"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from shoal import as_table, evaluate, group_records, microaggregate
from shoal.datasets import make_census
from shoal.partition import members

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#999999"  # colour-blind safe (Okabe and Ito)


def draw(path: Path, n: int = 80, k: int = 4) -> None:
    """Original records joined to the one point their group is released as."""
    people = make_census(6 * n, rng=3)
    earning = np.flatnonzero(people.column("income") > 0)[:n]
    table = as_table(people.take(earning).select(["age", "income"]), roles={"quasi": ["age", "income"]})
    masked = microaggregate(table, k=k)
    result = evaluate(table, masked)
    before, after = (np.column_stack([t.column("age"), t.column("income") / 1000]) for t in (table, masked))
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), sharex=True, sharey=True, layout="constrained")
    axes[0].scatter(*before.T, s=28, color=BLUE)
    axes[0].set_title(f"before: {n} records, all different")
    for start, end in zip(before, after, strict=True):
        axes[1].plot(*zip(start, end, strict=True), color=GREY, linewidth=0.8, zorder=1)
    axes[1].scatter(*before.T, s=14, color=BLUE, alpha=0.35, zorder=2)
    groups = members(group_records(table, k=k))
    centres = np.array([after[rows[0]] for rows in groups])
    axes[1].scatter(*centres.T, s=[22 * len(rows) for rows in groups], color=ORANGE, zorder=3)
    lost = result.utility["sse_loss"]
    axes[1].set_title(f"after: {len(groups)} shoals of at least {result.k}, {lost:.1f} % of the spread lost")
    for axis in axes:
        axis.set_xlabel("age (years)")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("income (thousands a year)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).parent / "pictures" / "before-after.png")
