"""Draw every partitioner on scattered and on clustered points. Run: python docs/make_method_pictures.py"""

from __future__ import annotations

import inspect
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from shoal import NotApplicable, Table
from shoal.datasets import make_clustered, make_scattered
from shoal.encode import encode
from shoal.partition import PARTITIONERS, means, members, sizes, sse
from shoal.types import Labels, Matrix, Partitioner

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe and Ito
K, RECORDS = 3, 150
FEWER = {"exhaustive": 14, "genetic": 35}  # the files these methods are for


def draw(partition: Partitioner, path: Path) -> bool:
    """Both pictures side by side; False if the method has nothing to say about two columns."""
    n = FEWER.get(partition.__name__, RECORDS)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained")
    for axis, (name, table) in zip(axes, _files(n).items(), strict=True):
        X = encode(table)
        try:
            labels = _run(partition, X)
        except NotApplicable:
            plt.close(figure)
            return False
        _draw_groups(axis, X, labels)
        loss = 100 * sse(X, labels) / sse(X, np.zeros(len(X), dtype=np.intp))
        axis.set_title(f"{name}: {len(sizes(labels))} groups, {loss:.2f} % lost", fontsize=10)
    figure.suptitle(f"{partition.__name__}, k = {K}")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80)
    plt.close(figure)
    return True


def _files(n: int) -> dict[str, Table]:
    return {"scattered": make_scattered(n, rng=1), "clustered": make_clustered(n, rng=1)}


def _run(partition: Partitioner, X: Matrix) -> Labels:
    known = inspect.signature(partition).parameters
    options = {"rng": 1, "seconds": 2, "block_size": 30}
    return partition(X, K, **{name: options[name] for name in options if name in known})


def _draw_groups(axis: Axes, X: Matrix, labels: Labels) -> None:
    """Every group a colour, its records joined to its mean."""
    centres = means(X, labels)
    for group, rows in enumerate(members(labels)):
        colour = COLOURS[group % len(COLOURS)]
        for row in rows:
            axis.plot(*zip(X[row], centres[group], strict=True), color=colour, linewidth=1)
        axis.scatter(*X[rows].T, s=12, color=colour)
    axis.set_aspect("equal")
    axis.set_xticks([])
    axis.set_yticks([])


if __name__ == "__main__":
    for method in PARTITIONERS:
        draw(method, Path(__file__).parent / "pictures" / f"{method.__name__}.png")
