"""Draw the README's picture: a file before and after. Run: python docs/make_picture.py"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from shoal import Table, as_table, evaluate, microaggregate
from shoal.datasets import make_census
from shoal.measures import sse_loss
from shoal.report import plot_records

LABELS = {"age": "age (years)", "income": "income (thousands a year)"}


def draw(path: Path, n: int = 80, k: int = 4) -> None:
    """Original records joined to the one point their group is released as."""
    people = make_census(6 * n, rng=3)
    earning = np.flatnonzero(people.column("income") > 0)[:n]
    table = as_table(people.take(earning).select(list(LABELS)), roles={"quasi": list(LABELS)})
    table = table.assign(income=table.column("income") / 1000)
    table = Table(table.frame, tuple(replace(a, label=LABELS[a.name]) for a in table.attributes))
    masked = microaggregate(table, k=k)
    lost = evaluate(table, masked, loss=[sse_loss], risk=[]).loss["sse_loss"]
    figure = plot_records(table, masked, list(LABELS))
    before, after = figure.axes
    before.set_title(f"before: {n} records, all different", loc="left")
    after.set_title(f"after: shoals of at least {k}, {lost:.1f} % of the spread lost", loc="left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    draw(Path(__file__).parent / "pictures" / "before-after.png")
