from __future__ import annotations

import sys

import pytest

from shoal import InvalidInput
from shoal.datasets import make_scattered
from shoal.report import plot_best_costs, plot_operators
from shoal.search import d_gomm, gomm

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


@pytest.fixture(scope="module")
def history():
    return gomm(make_scattered(40, d=4, rng=1), k=8, population=10, generations=5, rng=1).history


def test_a_row_of_panels_per_operator_and_the_search_below(history, tmp_path):
    figure = plot_operators(history)
    assert len(figure.axes) == 6 * 4 + 2
    assert [figure.axes[4 * row].get_ylabel() for row in range(6)] == [
        *("crossover", "group create", "group eliminate", "group split", "element swap", "element move")
    ]
    best, groups = figure.axes[-2:]
    assert best.lines[0].get_ydata()[-1] == history["best"][-1]
    assert groups.lines[0].get_xdata()[-1] == 5
    figure.savefig(tmp_path / "operators.png", dpi=30)
    assert (tmp_path / "operators.png").stat().st_size > 1000


def test_bars_are_the_figures_of_the_history(history):
    figure = plot_operators(history)
    rows = history.filter(history["operator"] == "crossover")
    drawn = [bars.get_data() for axis in figure.axes[:4] for bars in axis.patches]
    columns = ["children", "unused", "lifetime", "improved", "worsened"]
    columns += ["most_improvement", "mean_improvement", "most_worsening", "mean_worsening"]
    for bars, column in zip(drawn, columns, strict=True):
        sign = -1 if column == "worsened" else 1  # worse children hang below the axis
        assert bars.values.tolist() == [sign * value for value in rows[column].fill_null(0).to_list()]
        assert bars.edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def test_a_search_without_generations_and_one_that_dropped_operators():
    table = make_scattered(40, d=4, rng=1)
    nothing = gomm(table, k=8, population=10, generations=0, rng=1)
    assert len(plot_operators(nothing.history).axes) == 2
    dropped = d_gomm(table, k=8, population=10, rng=1).history
    assert len(plot_operators(dropped).axes) == 26


def test_best_costs_are_scaled_by_the_reference(history):
    table = make_scattered(40, d=4, rng=1)
    alone = gomm(
        table, k=8, population=10, crossovers=0, mutations={"element_swap": 5}, generations=3, rng=1
    ).history
    figure = plot_best_costs({"all": history, "element_swap": alone}, reference="all")
    base, swap = figure.axes[0].lines
    assert list(base.get_ydata()) == [1.0] * 6
    assert swap.get_ydata()[-1] == pytest.approx(alone["best"][-1] / history["best"][-1])
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["all", "element swap"]


def test_faults_are_one_sentence(history, monkeypatch):
    with pytest.raises(InvalidInput, match="must be the history of a search"):
        plot_operators("history")
    with pytest.raises(InvalidInput, match="`reference` must be one of all, got 'none'"):
        plot_best_costs({"all": history}, reference="none")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InvalidInput, match="need matplotlib"):
        plot_operators(history)
