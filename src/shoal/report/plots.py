"""Pictures of a summary, for notebooks and for the page: every function returns a matplotlib figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput, NotApplicable
from shoal.report.style import BLUE, GREY, ORANGE, drawn, label, legend_above, new_figure, percent_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 12  # categories shown; more cannot be read
WARM_TO_COLD = ("#d45d00", "#f7f7f7", "#0071b1")  # like the house colours, but the same in the dark
Facts = Mapping[str, Any]


@drawn
def plot_groups(facts: Facts) -> Figure:
    """Draw how many records look alike, before and after.

    Parameters
    ----------
    facts
        What `summary` found; an internal one, since a public one has no group sizes.

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> facts = summary(load_sme(), microaggregate(load_sme(), k=3))
    >>> plot_groups(facts).axes[0].get_ylabel()
    'records (%)'
    """
    groups = part_of_facts(facts, "groups")
    figure = new_figure(4.2, 2.8)
    axis = figure.add_subplot()
    places = range(len(groups["bins"]))
    axis.bar([p - 0.2 for p in places], groups["before"], 0.4, color=GREY, label="before")
    axis.bar([p + 0.2 for p in places], groups["after"], 0.4, color=BLUE, label="after")
    axis.set_xticks(list(places), groups["bins"])
    axis.set_xlabel(f"{groups['counted']} that look alike (number)")
    percent_axis(axis)
    legend_above(axis)
    return figure


@drawn
def plot_changes(facts: Facts) -> Figure:
    """Draw the loss of the most changed variables.

    Parameters
    ----------
    facts
        What `summary` found; an internal one.

    Returns
    -------
    matplotlib.figure.Figure
        One bar per changed variable, at most 12: its loss as in `column_losses`, in percent.

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> facts = summary(load_sme(), microaggregate(load_sme(), k=3))
    >>> len(plot_changes(facts).axes[0].patches)
    4
    """
    rows = [row for row in part_of_facts(facts, "variables") if row.get("loss")][:MOST_BARS]
    if not rows:
        raise NotApplicable("No variable has a loss to draw; a public summary has none either.")
    return _bars(
        [row["name"] for row in rows], [row["loss"] for row in rows], "loss of the variable (%)", BLUE
    )


@drawn
def plot_figures(facts: Facts) -> Figure:
    """Draw every loss and every risk of the evaluation as a bar.

    Parameters
    ----------
    facts
        What `summary` found; an internal one.

    Returns
    -------
    matplotlib.figure.Figure
        Losses above, risks below, 0 to 100; a loss above 100 ends at the edge with its figure beside it.

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> facts = summary(load_sme(), microaggregate(load_sme(), k=3))
    >>> [axis.get_title(loc="left") for axis in plot_figures(facts).axes]
    ['loss', 'risk']
    """
    groups = {name: part_of_facts(facts, name) for name in ("losses", "risks")}
    figure = new_figure(4.2, 0.9 + 0.24 * sum(map(len, groups.values())))
    shares = [max(len(rows), 1) for rows in groups.values()]
    axes = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": shares})
    for axis, (name, colour), rows in zip(
        axes, (("loss", BLUE), ("risk", ORANGE)), groups.values(), strict=True
    ):
        _draw_bars(axis, [row["title"] for row in rows], [row["value"] for row in rows], colour)
        axis.set_title(name)
        axis.set_xlim(0, 118)
        axis.set_xticks([0, 25, 50, 75, 100])
    axes[1].set_xlabel("0 to 100, less is better")
    return figure


@drawn
def plot_distribution(variable: Facts) -> Figure:
    """Draw the distribution of one variable, before and after (in public only after).

    Parameters
    ----------
    variable
        One of `summary(...)["variables"]`.

    Returns
    -------
    matplotlib.figure.Figure
        Bins of numbers, the outermost open to both sides, or the most frequent categories.

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> facts = summary(load_sme(), microaggregate(load_sme(), k=3))
    >>> plot_distribution(facts["variables"][0]).axes[0].get_ylabel()
    'records (%)'
    """
    found = variable.get("distribution")
    if found is None:
        raise NotApplicable(f"The distribution of {variable.get('name')!r} is not part of this summary.")
    if found["type"] == "numbers":
        return _draw_numbers(found, variable["label"])
    return _draw_categories(found, variable["label"])


@drawn
def plot_correlations(facts: Facts, *, which: str = "after") -> Figure:
    """Draw the correlations of the numeric variables as a heat-map.

    Parameters
    ----------
    facts
        What `summary` found; a public one only has the correlations after.
    which
        "before", "after" or "change" (after minus before).

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> facts = summary(load_sme(), microaggregate(load_sme(), k=3))
    >>> len(plot_correlations(facts, which="change").axes)
    2
    """
    if which not in _HEAT:
        raise InvalidInput(f"`which` must be one of {', '.join(_HEAT)}, got {which!r}.")
    found = part_of_facts(facts, "correlations")
    values = found.get(which)
    if values is None:
        raise NotApplicable(f"The correlations {which} are not part of a public summary.")
    digits = 1 if facts["public"] else 2
    return _heat_map([label(name) for name in found["names"]], values, _HEAT[which], digits)


_HEAT = {
    "before": "correlations before",
    "after": "correlations after",
    "change": "correlations after minus before",
}


def part_of_facts(facts: Facts, name: str) -> Any:
    """A part of a summary, or a sentence why it is not there."""
    if not isinstance(facts, Mapping) or "public" not in facts:
        raise InvalidInput(f"`facts` must be what summary() gives, got {type(facts).__name__}.")
    if facts.get(name) is None:
        why = "it is not for the public" if facts["public"] else "there was nothing to say about it"
        raise NotApplicable(f"This summary has no {name.replace('_', ' ')}: {why}.")
    return facts[name]


def _draw_numbers(found: Facts, name: str) -> Figure:
    figure = new_figure(3.6, 2.4)
    axis = figure.add_subplot()
    edges = found["edges"]
    if found["before"] is not None:
        axis.stairs(found["before"], edges, fill=True, color=GREY, alpha=0.6, label="before")
        axis.stairs(found["after"], edges, color=BLUE, linewidth=1.8, label="after")
        legend_above(axis)
    else:
        axis.stairs(found["after"], edges, fill=True, color=BLUE, alpha=0.85)
    axis.set_xlabel(label(name))
    percent_axis(axis)
    axis.set_xlim(edges[0], edges[-1])
    axis.locator_params(axis="x", nbins=6)
    return figure


def _draw_categories(found: Facts, name: str) -> Figure:
    labels = [label(text) for text in found["labels"]]
    figure = new_figure(3.6, max(2.4, 0.9 + 0.3 * len(labels)))
    axis = figure.add_subplot()
    places = list(range(len(labels)))
    if found["before"] is not None:
        axis.barh([p - 0.2 for p in places], found["before"], 0.4, color=GREY, label="before")
        axis.barh([p + 0.2 for p in places], found["after"], 0.4, color=BLUE, label="after")
        legend_above(axis)
    else:
        axis.barh(places, found["after"], 0.7, color=BLUE, alpha=0.85)
    axis.set_yticks(places, labels)
    axis.invert_yaxis()
    axis.set_ylabel(label(name))
    axis.set_xlabel("records (%)")
    axis.grid(axis="x")
    return figure


def _bars(names: Sequence[str], values: Sequence[float], what: str, colour: str) -> Figure:
    figure = new_figure(4.2, 0.8 + 0.26 * len(names))
    axis = figure.add_subplot()
    _draw_bars(axis, names, values, colour)
    axis.set_xlabel(what)
    axis.set_xlim(0, max(1e-9, min(max(values), 100.0)) * 1.2)
    return figure


def _draw_bars(axis: Axes, names: Sequence[str], values: Sequence[float], colour: str) -> None:
    """Bars that end at 100 at most, each with its figure."""
    places = list(range(len(names)))
    lengths = [min(max(value, 0.0), 100.0) for value in values]
    axis.barh(places, lengths, 0.65, color=colour)
    for place, length, value in zip(places, lengths, values, strict=True):
        axis.annotate(
            f"{value:.1f}", (length, place), (3, 0), textcoords="offset points", va="center", fontsize=8
        )
    axis.set_yticks(places, [label(name) for name in names])
    axis.invert_yaxis()
    axis.grid(axis="x")


def _heat_map(
    names: Sequence[str], values: Sequence[Sequence[float | None]], what: str, digits: int
) -> Figure:
    from matplotlib.colors import LinearSegmentedColormap

    size = len(names)
    grid = [[float("nan") if value is None else value for value in row] for row in values]
    figure = new_figure(4.2, min(1.6 + 0.32 * size, 5.6))
    axis = figure.add_subplot()
    colours = LinearSegmentedColormap.from_list("shoal", WARM_TO_COLD)
    mesh = axis.pcolormesh(grid, vmin=-1, vmax=1, cmap=colours, edgecolors="#ffffff", linewidth=0.5)
    figure.colorbar(mesh, ax=axis, label="correlation (-1 to 1)", shrink=0.9, ticks=[-1, -0.5, 0, 0.5, 1])
    axis.set_title(what)
    centres = [at + 0.5 for at in range(size)]
    axis.set_xticks(centres, names, rotation=60, ha="right", rotation_mode="anchor")
    axis.set_yticks(centres, names)
    axis.invert_yaxis()
    for side in axis.spines.values():
        side.set_visible(False)
    axis.tick_params(length=0)
    if size <= 8:
        _write_cells(axis, grid, digits)
    return figure


def _write_cells(axis: Axes, grid: Sequence[Sequence[float]], digits: int) -> None:
    """Figures in the cells, dark on light and light on dark."""
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            text = "–" if value != value else f"{round(value, digits) + 0.0:.{digits}f}"  # no -0.00
            colour = "#ffffff" if abs(value) > 0.55 else "#111111"
            axis.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7, color=colour)
