"""Pictures of a recoding: the lattice that was searched, or the levels a local recoding mixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.report.style import BLUE, GREY, INK, ORANGE, drawn, label, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = ("#0b3c5d", "#328cc1", "#7fb8d8", "#bcd9ea", "#e1eef6", "#f2f2f2")  # level 0 first


@drawn
def plot_recoding(found: Any) -> Figure:
    """Draw what a search for a recoding looked at, or how coarse a local recoding is.

    Parameters
    ----------
    found
        What `find_recoding` returns. For a global recoding every one that was counted is a point: how much is
        generalised (sum of levels) against the loss, blue where the promise is kept, grey where it is not
        (there the loss without suppression), the best in orange; no recoding is left of the bound. For a
        local one a bar per column: which share of its cells is released at which level.

    Returns
    -------
    matplotlib.figure.Figure
        `.savefig("lattice.png")` writes it.

    Notes
    -----
    Needs the extra `report` (matplotlib). Time O(recodings counted).

    Examples
    --------
    >>> from shoal import as_table
    >>> from shoal.search import find_recoding
    >>> table = as_table({"age": [21, 25, 34, 38]}, roles={"quasi": ["age"]})
    >>> found = find_recoding(table, k=2, hierarchies={"age": {"widths": [10, 20]}})
    >>> plot_recoding(found).axes[0].get_ylabel()
    'sum of levels'
    """
    if not hasattr(found, "looked"):
        raise InvalidInput("A picture of a recoding needs what `find_recoding` returns.")
    return _bars(found) if found.levels is None else _lattice(found)


def _lattice(found: Any) -> Figure:
    figure = new_figure(6.4, 3.8)
    axis = figure.add_subplot()
    heights = np.array([sum(levels) for levels, _, _ in found.looked], dtype=float)
    least = np.array([low for _, low, _ in found.looked])
    value = np.array([kept for _, _, kept in found.looked])
    heights += np.linspace(-0.3, 0.3, len(heights)) if len(heights) > 30 else 0.0  # points beside each other
    kept = np.isfinite(value)
    scale = 1.0 if found.loss == "class_size" else 100.0
    axis.scatter(scale * least[~kept], heights[~kept], s=9, color=GREY, label="promise broken", linewidths=0)
    axis.scatter(scale * value[kept], heights[kept], s=12, color=BLUE, label="promise kept", linewidths=0)
    best = scale * found.value, sum(found.levels.values())
    axis.scatter(*best, s=90, marker="*", color=ORANGE, label="the best", zorder=3)
    if not found.proven:
        axis.axvline(scale * found.bound, color=INK, linewidth=0.8, linestyle="--", label=label("bound"))
    axis.set_xlabel(label(found.loss if scale == 1.0 else f"{found.loss} (%)"))
    axis.set_ylabel("sum of levels")
    axis.locator_params(axis="y", integer=True)
    sure = "proven" if found.proven else f"at most {100 * found.gap:.0f} % of its loss avoidable"
    axis.set_title(f"{found.counted:,} of {found.nodes:,} recodings counted, {sure}")
    axis.legend(loc="best")
    return figure


def _bars(found: Any) -> Figure:
    names = list(found.shares)
    figure = new_figure(6.4, 0.9 + 0.4 * len(names))
    axis = figure.add_subplot()
    most = max(map(len, found.shares.values()))
    left = np.zeros(len(names))
    for level in range(most):
        part = np.array([100 * (s[level] if level < len(s) else 0.0) for s in found.shares.values()])
        shade = SHADES[min(level, len(SHADES) - 1)]
        said = "as it was" if level == 0 else f"level {level}"
        axis.barh([label(name) for name in names], part, left=left, color=shade, label=said)
        left += part
    axis.invert_yaxis()
    axis.set_xlim(0, 100)
    axis.set_xlabel("share of the cells (%)")
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
