"""plot_convergence: every search of shoal can be drawn, alone or beside others."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput
from shoal.datasets import make_census, make_scattered
from shoal.partition import genetic
from shoal.report import plot_convergence
from shoal.search import breed_pram, evolve_file, evolve_pram, gomm

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
X = np.random.default_rng(1).normal(size=(20, 2))


def test_best_and_mean_are_those_of_the_history(tmp_path):
    found = genetic(X, 3, generations=30, details=True, rng=1)
    figure = plot_convergence(found, value="loss (%)")
    (axis,) = figure.axes
    assert list(axis.lines[0].get_ydata()) == [g.best for g in found.history]
    assert axis.get_ylabel() == "loss (%)"
    figure.savefig(tmp_path / "one.png", dpi=30)
    assert (tmp_path / "one.png").stat().st_size > 1000


def test_every_search_has_a_history_to_draw():
    table = make_census(60, rng=1)
    columns = ["sex", "education"]
    options = {"columns": columns, "generations": 3, "rng": 1}
    searches = {
        "pram": evolve_pram(table, population=6, **options),
        "equation": breed_pram(table, population=6, **options),
        "file": evolve_file(table, details=True, **options),
        "gomm": gomm(make_scattered(40, d=3, rng=1), k=8, population=8, generations=3, rng=1),
    }
    for found in searches.values():
        assert len(plot_convergence(found).axes[0].lines[0].get_ydata()) == 4
    assert len(plot_convergence(searches).axes[0].lines) == 4


def test_many_searches_are_told_apart():
    found = genetic(X, 3, generations=3, details=True, rng=1)
    (axis,) = plot_convergence({str(number): found for number in range(12)}).axes
    looks = {(line.get_color(), line.get_linestyle()) for line in axis.lines}
    assert len(looks) == 12


@pytest.mark.parametrize("wrong", [3, [], {}, "text"])
def test_anything_else_is_refused(wrong):
    with pytest.raises(InvalidInput):
        plot_convergence(wrong)
