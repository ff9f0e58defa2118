"""Pictures of an evolutionary search: what every operator contributed, generation by generation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput
from shoal.report.style import BLUE, GREY, INK, ORANGE, drawn, label, new_figure

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NEEDED = ("generation", "operator", "children", "unused", "lifetime", "improved", "worsened", "best")


@drawn
def plot_operators(history: pl.DataFrame) -> Figure:
    """Draw what every operator did: a row of panels each, and the whole search below.

    Parameters
    ----------
    history
        The `.history` of what `shoal.search.gomm` found.

    Returns
    -------
    matplotlib.figure.Figure
        Per operator: children never used as a parent (utilisation), mean lifetime in generations, children
        better and worse than their parents (efficacy) and by how many percent (efficiency: mean and
        extremes). Below: the best cost and the mean number of groups. `.savefig("operators.png")` writes it.

    Notes
    -----
    Needs the extra `report` (matplotlib). The last generations look worse than they are: their children had
    no time to be used or to live. Time O(generations).

    References
    ----------
    Balasch-Masoliver, Muntés-Mulero, Nin: Using genetic algorithms for attribute grouping in multivariate
    microaggregation, Intelligent Data Analysis 18 (2014).

    Examples
    --------
    >>> from shoal.datasets import make_scattered
    >>> from shoal.search import gomm
    >>> found = gomm(make_scattered(60, d=3, rng=1), k=20, population=10, generations=3, rng=1)
    >>> len(plot_operators(found.history).axes)
    26
    """
    _check(history)
    applied = history.filter(history["generation"] > 0)
    operators = applied["operator"].unique(maintain_order=True).to_list()
    figure = new_figure(13.0, 1.9 * (len(operators) + 1) + 0.6)
    grid = figure.add_gridspec(len(operators) + 1, 4)
    panels = (_utilisation, _lifetime, _efficacy, _efficiency)
    for row, operator in enumerate(operators):
        rows = applied.filter(applied["operator"] == operator)
        for column, draw in enumerate(panels):
            axis = figure.add_subplot(grid[row, column])
            draw(axis, rows)
            axis.set_xlim(0, _most(history, "generation"))
        figure.axes[4 * row].set_ylabel(operator.replace("_", " "), fontweight="bold")
    titles = (
        "never used as a parent",
        "mean lifetime",
        "better (up), worse (down)",
        "by how many percent",
    )
    for axis, title in zip(figure.axes, titles if operators else (), strict=False):
        axis.set_title(title)
    _summary(figure.add_subplot(grid[-1, :2]), history, "best", "best cost")
    _summary(figure.add_subplot(grid[-1, 2:]), history, "mean_groups", "mean number of groups of columns")
    return figure


@drawn
def plot_best_costs(histories: Mapping[str, pl.DataFrame], *, reference: str) -> Figure:
    """Compare the best costs of several searches, as multiples of that of one of them.

    Parameters
    ----------
    histories
        The `.history` of every search, by the name to show: one operator alone, say, and all combined.
    reference
        The name of the search that is 1 throughout.

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    Needs the extra `report` (matplotlib). A search that ended early keeps its last cost. Time O(generations).

    Examples
    --------
    >>> from shoal.datasets import make_scattered
    >>> from shoal.search import gomm
    >>> table = make_scattered(60, d=3, rng=1)
    >>> both = {str(n): gomm(table, k=20, population=10, generations=n, rng=1).history for n in (2, 3)}
    >>> len(plot_best_costs(both, reference="3").axes[0].lines)
    2
    """
    if reference not in histories:
        raise InvalidInput(f"`reference` must be one of {', '.join(histories)}, got {reference!r}.")
    for history in histories.values():
        _check(history)
    figure = new_figure(7.0, 4.2)
    axis = figure.add_subplot()
    base = _best(histories[reference])
    for name, history in histories.items():
        best = _best(history)
        last = best[max(best)]
        axis.plot(
            list(base), [best.get(g, last) / base[g] for g in base], label=label(name.replace("_", " "))
        )
    axis.set_xlabel("generation")
    axis.set_ylabel(f"best cost / best cost of {label(reference.replace('_', ' '))}")
    axis.legend()
    return figure


def _utilisation(axis: Axes, rows: pl.DataFrame) -> None:
    _bars(axis, rows, "children", GREY, 0.35)
    _bars(axis, rows, "unused", BLUE)
    axis.set_ylim(0, _most(rows, "children"))


def _lifetime(axis: Axes, rows: pl.DataFrame) -> None:
    _bars(axis, rows, "lifetime", BLUE)


def _efficacy(axis: Axes, rows: pl.DataFrame) -> None:
    _bars(axis, rows, "improved", BLUE)
    _bars(axis, rows.with_columns(-rows["worsened"].cast(int)), "worsened", ORANGE)
    axis.axhline(0, color=INK, linewidth=0.6)
    axis.set_ylim(-_most(rows, "children"), _most(rows, "children"))


def _efficiency(axis: Axes, rows: pl.DataFrame) -> None:
    for word, colour in (("improvement", BLUE), ("worsening", ORANGE)):
        _bars(axis, rows, f"most_{word}", colour, 0.35)
        _bars(axis, rows, f"mean_{word}", colour)
    axis.axhline(0, color=INK, linewidth=0.6)


def _bars(axis: Axes, rows: pl.DataFrame, column: str, colour: str, alpha: float = 1.0) -> None:
    """One bar per generation, as a single outline, which draws fast."""
    first = rows["generation"].to_list()[0]
    edges = [first - 0.5 + step for step in range(len(rows) + 1)]
    axis.stairs(rows[column].fill_null(0).to_list(), edges, fill=True, color=colour, alpha=alpha)


def _summary(axis: Axes, history: pl.DataFrame, column: str, title: str) -> None:
    rows = history.unique("generation", keep="first", maintain_order=True)
    axis.plot(rows["generation"], rows[column], color=BLUE)
    axis.set_title(title)
    axis.set_xlabel("generation")
    axis.set_xlim(0, _most(history, "generation"))


def _most(rows: pl.DataFrame, column: str) -> int:
    """The largest number of a column, at least 1 so that an axis has a length."""
    return max(rows[column].to_list(), default=0) or 1


def _best(history: pl.DataFrame) -> dict[int, float]:
    return dict(zip(history["generation"], history["best"], strict=True))


def _check(history: Any) -> None:
    known = getattr(history, "columns", [])
    if any(name not in known for name in NEEDED):
        raise InvalidInput(
            "`history` must be the history of a search, e.g. gomm(table, k=25).history, "
            f"got {type(history).__name__}."
        )
