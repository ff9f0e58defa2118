"""All pictures of a summary, each with its title and the words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shoal.measures.description.figure_words import in_words
from shoal.report.plots import (
    plot_changes,
    plot_correlations,
    plot_distribution,
    plot_figures,
    plot_groups,
)
from shoal.report.trade_off import plot_trade_off

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Picture:
    """A figure with a name for files, a title, and what it shows in words."""

    name: str
    title: str
    words: str
    figure: Figure


def pictures(facts: Facts) -> list[Picture]:
    """Every picture that a summary has something for."""
    found = [*_whole_file(facts), *_correlations(facts)]
    for at, variable in enumerate(facts["variables"]):
        if variable.get("distribution"):
            title, words = f"Distribution of {variable['label']}", distribution_words(variable)
            found.append(Picture(f"variable-{at + 1}", title, words, plot_distribution(variable)))
    return found


def _whole_file(facts: Facts) -> Iterator[Picture]:
    if facts.get("losses") or facts.get("risks"):
        worst = max(facts["losses"] + facts["risks"], key=lambda row: min(row["value"], 100.0))
        longest = f"{worst['title']}, {in_words(worst['value'])}"
        words = f"Bars of every loss and risk, 0 to 100. The longest is {longest}."
        yield Picture("figures", "Losses and risks", words, plot_figures(facts))
    tried = facts.get("map")
    if tried and any(c["score"] is not None and not c["doubt"] for c in tried["candidates"]):
        figure = plot_trade_off(tried, chosen=tried["chosen"])
        yield Picture("trade-off", "Loss against risk of what was tried", trade_off_words(tried), figure)
    if facts.get("groups"):
        yield Picture("groups", "Records that look alike", group_words(facts["groups"]), plot_groups(facts))
    first = next((row for row in facts["variables"] if row.get("loss")), None)
    if first is not None:
        most = f"{first['name']}, {in_words(first['loss'])} %"
        words = f"Bars of the loss of every variable. Most changed is {most}."
        yield Picture("changes", "Most changed variables", words, plot_changes(facts))


def _correlations(facts: Facts) -> Iterator[Picture]:
    found = facts.get("correlations")
    if not found:
        return
    titles = {
        "before": "Correlations before",
        "after": "Correlations after",
        "change": "Change of correlations",
    }
    for which in (name for name in titles if name in found):
        words = f"{titles[which]} of {', '.join(found['names'])}. {_extreme(found, which)}"
        figure = plot_correlations(facts, which=which)
        yield Picture(f"correlations-{which}", titles[which], words, figure)


def _extreme(found: Facts, which: str) -> str:
    """The pair farthest from 0."""
    pairs = [
        (abs(value), value, found["names"][row], found["names"][column])
        for row, values in enumerate(found[which])
        for column, value in enumerate(values)
        if column < row and value is not None
    ]
    if not pairs:
        return "No pair of columns varies."
    _, value, one, other = max(pairs)
    return f"Farthest from 0: {one} with {other}, {value:.2f}."


def group_words(groups: Facts) -> str:
    """What the picture of group sizes shows."""
    parts = [
        f"{size} alike: {before:.1f} % before, {after:.1f} % after"
        for size, before, after in zip(groups["bins"], groups["before"], groups["after"], strict=True)
        if before or after
    ]
    return "Percent of records by how many look alike. " + "; ".join(parts) + "."


def trade_off_words(tried: Facts) -> str:
    """What the map of loss and risk shows."""
    front = [c for c in tried["candidates"] if c["front"]]
    listed = "; ".join(f"{c['name']}: loss {c['loss']:.1f}, risk {c['risk']:.1f}" for c in front[:8])
    more = f"; and {len(front) - 8} more" if len(front) > 8 else ""
    return f"Information loss across, disclosure risk up. No other beats: {listed}{more}."


def distribution_words(variable: Facts) -> str:
    """What the picture of one variable shows: its most frequent bin or category."""
    found = variable["distribution"]
    if found["type"] == "numbers":
        pairs = list(zip(found["edges"][:-1], found["edges"][1:], strict=True))
        inner = [f"{low:g} to {high:g}" for low, high in pairs[1:-1]]
        names = [f"under {pairs[0][1]:g}", *inner, f"{pairs[-1][0]:g} or more"]  # the ends are open
    else:
        names = list(found["labels"])
    when = {"before": found["before"], "after": found["after"]}
    parts = []
    for word, shares in when.items():
        if shares:
            at = max(range(len(shares)), key=shares.__getitem__)
            parts.append(f"{word} most frequent {names[at]} ({shares[at]:.0f} % of the records)")
    return f"Distribution of {variable['label']}: {'; '.join(parts)}."
