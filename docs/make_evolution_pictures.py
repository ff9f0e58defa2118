"""Draw what evolution does to files and PRAM matrices, from the committed results.

Run: python docs/make_evolution_pictures.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import polars as pl

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

ROOT = Path(__file__).parent.parent
RESULTS, PICTURES = ROOT / "benchmarks" / "quality", ROOT / "docs" / "pictures"
TITLES = {
    "german": "German credit",
    "flare": "Solar flare",
    "adult": "Adult (1,000)",
    "housing": "Housing (1,000)",
}
FIRST, LAST, RISK = "#56B4E9", "#D55E00", "#009E73"
METHODS = {
    "frequency_matrix": "constant\ndiagonal",
    "inverse_frequency_matrix": "inverse\nfrequency",
    "invariant_matrix": "invariant",
    "evolve_pram": "evolved",
}
TINTS = ("#56B4E9", "#0072B2", "#7F7F7F", "#D55E00")


def read(suffix: str) -> pl.DataFrame:
    """One of the tables of benchmarks/quality/evolution.py."""
    return pl.read_csv(RESULTS / f"evolution{suffix}.csv", infer_schema_length=None)


def draw_populations(path: Path, without: int | None = None) -> None:
    """Loss against risk of the first and last files: both fitnesses, or the max without the best files."""
    table = read("_populations")
    rows = [("mean", 0), ("max", 0)] if without is None else [("mean", without), ("max", without)]
    figure, axes = plt.subplots(2, 4, figsize=(11, 5.6), sharex=True, sharey=True, layout="constrained")
    for line, (fitness, left) in zip(axes, rows, strict=True):
        for axis, (name, title) in zip(line, TITLES.items(), strict=True):
            part = table.filter(file=name, fitness=fitness, without=left)
            for when, colour, label in (("first", FIRST, "first files"), ("last", LAST, "evolved")):
                points = part.filter(when=when)
                axis.scatter(points["loss"], points["risk"], s=14, color=colour, label=label, alpha=0.8, lw=0)
            axis.set_title(f"{title}, {fitness}", fontsize=10)
            axis.grid(alpha=0.25)
    axes[0, 0].legend(fontsize=8, frameon=False)
    figure.supxlabel("information loss", fontsize=10)
    figure.supylabel("disclosure risk", fontsize=10)
    _save(figure, path)


def draw_curves(path: Path) -> None:
    """Loss, risk and score of the best file while it evolves; dashed from poorer first files."""
    table = read("_curves")
    figure, axes = plt.subplots(2, 4, figsize=(11, 5.6), sharex=True, layout="constrained")
    for line, fitness in zip(axes, ("mean", "max"), strict=True):
        for axis, (name, title) in zip(line, TITLES.items(), strict=True):
            _draw_curve(axis, table.filter(file=name, fitness=fitness), fitness)
            axis.set_title(f"{title}, {fitness}", fontsize=10)
    for axis in axes[1]:
        axis.set_xlabel("generation", fontsize=9)
    lines = dict(zip(*reversed(axes[0, 0].get_legend_handles_labels()), strict=True))
    figure.legend(lines.values(), lines, loc="outside lower center", ncols=5, fontsize=9, frameon=False)
    _save(figure, path)


def _draw_curve(axis: Axes, part: pl.DataFrame, fitness: str) -> None:
    both = [pl.col("loss"), pl.col("risk")]
    score = pl.max_horizontal(both) if fitness == "max" else pl.mean_horizontal(both)
    for left, style in ((0, "-"), (5, "--"), (10, ":")):
        rows = part.filter(without=left)
        note = "score" if left == 0 else f"score, without the best {left} %"
        axis.plot(
            rows["generation"], rows.select(score).to_series(), style, color="black", lw=1.3, label=note
        )
        if left == 0:
            axis.plot(rows["generation"], rows["loss"], color=LAST, lw=3, zorder=1, label="information loss")
            axis.plot(rows["generation"], rows["risk"], color=RISK, lw=3, zorder=1, label="disclosure risk")
    axis.grid(alpha=0.25)


def draw_pram(path: Path) -> None:
    """The score of PRAM with the builders' best setting and with evolved matrices."""
    table = read("_pram").filter(fitness="max", diagonal=0.5)
    figure, axes = plt.subplots(1, 4, figsize=(11, 3.2), sharey=True, layout="constrained")
    for axis, (name, title) in zip(axes, TITLES.items(), strict=True):
        rows = {row["method"]: row["score"] for row in table.filter(file=name).iter_rows(named=True)}
        heights = [rows[method] for method in METHODS]
        bars = axis.bar(list(METHODS.values()), heights, color=TINTS, width=0.7)
        axis.bar_label(bars, fmt="%.1f", fontsize=8)
        axis.set_title(title, fontsize=10)
        axis.tick_params(labelsize=7)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("max of loss and risk", fontsize=9)
    _save(figure, path)


def _save(figure: plt.Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    draw_populations(PICTURES / "evolution_populations.png")
    draw_populations(PICTURES / "evolution_without_10.png", without=10)
    draw_curves(PICTURES / "evolution_curves.png")
    draw_pram(PICTURES / "evolution_pram.png")
