"""The picture of an evolutionary search that everyone wants: best and mean, generation by generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput
from shoal.report.style import BLUE, GREEN, GREY, INK, ORANGE, drawn, label, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, INK, GREY)
LINES = ("-", "--", ":")  # once the colours are used up
ROOM = 3.0  # times the first best: means above it (punished individuals) are left out


@drawn
def plot_convergence(search: Any, *, value: str = "fitness") -> Figure:
    """Draw how an evolutionary search came down: the best so far, and the mean of those alive.

    Parameters
    ----------
    search
        Anything with a `.history`: a `shoal.evolve.Search` (`genetic(..., details=True)`,
        `evolve_file(..., details=True)`), what `evolve_pram`, `breed_pram`, `gomm` and `d_gomm` return; or a
        mapping of several by the names to show, of which the best are drawn.
    value
        What is minimised, as the axis shall say it: "loss (%)", "score".

    Returns
    -------
    matplotlib.figure.Figure
        `.savefig("convergence.png")` writes it.

    Notes
    -----
    Needs the extra `report` (matplotlib). Where punished individuals put the mean out of sight it is not
    drawn. Time O(generations).

    Examples
    --------
    >>> from shoal.partition import genetic
    >>> found = genetic([[0.0], [5.1], [0.2], [5.0], [0.1], [5.2]], 3, generations=9, details=True, rng=1)
    >>> plot_convergence(found, value="loss (%)").axes[0].get_ylabel()
    'loss (%)'
    """
    several = isinstance(search, Mapping) and not hasattr(search, "history")
    curves = {name: _curve(one) for name, one in search.items()} if several else {"best": _curve(search)}
    if not curves:
        raise InvalidInput("There is no search to draw; give at least one.")
    figure = new_figure(6.4, 3.8)
    axis = figure.add_subplot()
    for place, (name, (best, _)) in enumerate(curves.items()):
        colour, line = COLOURS[place % len(COLOURS)], LINES[place // len(COLOURS) % len(LINES)]
        axis.step(range(len(best)), best, line, where="post", color=colour, label=label(name))
    if not several:
        best, mean = curves["best"]
        if mean and min(mean) <= ROOM * best[0]:
            axis.plot(range(len(mean)), mean, color=GREY, linewidth=0.9, label="mean")
            axis.set_ylim(top=1.05 * max(best[0], min(max(mean), ROOM * best[0])))
    axis.set_xlabel("generation")
    axis.set_ylabel(value)
    axis.margins(x=0)
    axis.grid(axis="y")
    axis.legend()
    return figure


def _curve(search: Any) -> tuple[list[float], list[float]]:
    """Best and mean of every generation; some histories have no mean."""
    history = getattr(search, "history", search)
    if "best" in getattr(history, "columns", ()):
        rows = history.unique("generation", keep="first", maintain_order=True)
        return rows["best"].to_list(), []
    if isinstance(history, Sequence) and len(history) and hasattr(history[0], "best"):
        return [one.best for one in history], [one.mean for one in history]
    raise InvalidInput(
        "`search` must be what an evolutionary search returns, e.g. genetic(X, 3, details=True), "
        f"got {type(search).__name__}."
    )
