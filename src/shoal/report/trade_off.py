"""The map of loss and risk: every candidate of an exploration a point, the front a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput, NotApplicable
from shoal.report.style import BLUE, GREY, ORANGE, drawn, label, legend_above, new_figure
from shoal.workflow.explore import Exploration

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NUMBERED = 16  # points of the front with a number
MARKS = "osD^vP*Xhp<>"
Facts = Mapping[str, Any]


@drawn
def plot_trade_off(
    exploration: Exploration | Facts, *, chosen: str | None = None, risk: float | None = None
) -> Figure:
    """Draw information loss against disclosure risk, with the front of candidates no other beats.

    Parameters
    ----------
    exploration
        What `shoal.explore` found, or its part of a summary.
    chosen
        The name of the candidate to mark.
    risk
        A limit to draw: the most risk one is ready to take.

    Returns
    -------
    matplotlib.figure.Figure
        One mark per method; points of the front are blue and joined, other ones grey, and hollow where the
        candidate breaks its promise.

    Notes
    -----
    Needs the extra `report` (matplotlib). Candidates that failed or cannot be compared are not drawn. Time
    O(candidates).

    References
    ----------
    Duncan, Keller-McNulty, Stokes: Disclosure risk vs. data utility: the R-U confidentiality map, Technical
    Report LA-UR-01-6428, Los Alamos National Laboratory (2001).

    Examples
    --------
    >>> from shoal import explore
    >>> from shoal.datasets import load_sme
    >>> found = explore(load_sme(), {"mdav": {"k": [3, 5]}})
    >>> plot_trade_off(found).axes[0].get_xlabel()
    'information loss (0 to 100)'
    """
    points = _points(exploration)
    front = sorted((p for p in points if p["front"]), key=lambda p: (p["loss"], p["risk"]))
    figure = new_figure(4.4, 3.5 + 0.09 * min(len(front) + 1, NUMBERED))
    axis = figure.add_subplot()
    axis.plot([p["loss"] for p in front], [p["risk"] for p in front], color=BLUE, linewidth=1.2, zorder=2)
    _draw_methods(axis, points)
    _draw_chosen(axis, points, chosen)
    if risk is not None:
        axis.axhline(risk, color=ORANGE, linewidth=1, linestyle="--", label=f"risk limit {risk:g}")
    _number_front(figure, axis, front)
    axis.set_xlabel("information loss (0 to 100)")
    axis.set_ylabel("disclosure risk (0 to 100)")
    axis.margins(0.08, 0.1)
    axis.grid()
    legend_above(axis)
    return figure


def _points(exploration: Exploration | Facts) -> list[Facts]:
    facts = exploration.to_dict() if isinstance(exploration, Exploration) else exploration
    if not isinstance(facts, Mapping) or "candidates" not in facts:
        raise InvalidInput(f"`exploration` must be what explore() gives, got {type(exploration).__name__}.")
    points = [c for c in facts["candidates"] if c["score"] is not None and not c["doubt"]]
    if not points:
        raise NotApplicable("No candidate has a loss and a risk to draw.")
    return points


def _draw_methods(axis: Axes, points: Sequence[Facts]) -> None:
    """One mark per method: blue on the front, grey beside it, hollow where the promise is broken."""
    looks: dict[str, dict[str, Any]] = {
        "front": {"color": BLUE},
        "kept": {"color": GREY},
        "broken": {"facecolors": "none", "edgecolors": GREY, "linewidth": 1.4},
    }
    methods = list(dict.fromkeys(_method(point) for point in points))
    for at, method in enumerate(methods):
        mine = [point for point in points if _method(point) == method]
        mark = MARKS[at % len(MARKS)]
        for look, style in looks.items():
            shown = [point for point in mine if _look(point) == look]
            place = [p["loss"] for p in shown], [p["risk"] for p in shown]
            axis.scatter(*place, s=36, marker=mark, zorder=3, **style)
        axis.scatter([], [], s=36, marker=mark, color=GREY, label=label(method))


def _look(point: Facts) -> str:
    return "front" if point["front"] else "kept" if point.get("kept", True) else "broken"


def _method(point: Facts) -> str:
    """What the candidate is called before its options."""
    return str(point["name"]).partition(",")[0]


def _draw_chosen(axis: Axes, points: Sequence[Facts], chosen: str | None) -> None:
    for point in points:
        if point["name"] == chosen:
            axis.scatter(
                *([point["loss"]], [point["risk"]]),
                s=190,
                facecolors="none",
                edgecolors=ORANGE,
                linewidth=2,
                zorder=4,
                label="chosen",
            )


def _number_front(figure: Figure, axis: Axes, front: Sequence[Facts]) -> None:
    """A number beside every point of the front, and their names below; of very many only the first."""
    from matplotlib.lines import Line2D

    for number, point in enumerate(front[:NUMBERED], 1):
        place = point["loss"], point["risk"]
        note = axis.annotate(str(number), place, (-4, -3), textcoords="offset points", fontsize=8)
        note.set(ha="right", va="top")  # nothing lies below the front
    names = [f"{number}  {label(point['name'])}" for number, point in enumerate(front[:NUMBERED], 1)]
    blank = [Line2D([], [], linestyle="none") for _ in names]
    figure.legend(
        *(blank, names),
        loc="outside lower left",
        ncols=2,
        handlelength=0,
        handletextpad=0,
        title="no other has both less loss and less risk:",
        title_fontsize=8,
        alignment="left",
    )
