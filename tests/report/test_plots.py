"""Plots: figures in one look, labelled axes, the numbers of the facts, and clear words where none are."""

from __future__ import annotations

import numpy as np
import pytest

from report.files import facts
from shoal import InvalidInput, NotApplicable
from shoal.report import (
    plot_changes,
    plot_correlations,
    plot_distribution,
    plot_figures,
    plot_groups,
)

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_bars_are_the_facts():
    groups = plot_groups(facts()).axes[0]
    assert [bar.get_height() for bar in groups.containers[0]] == facts()["groups"]["before"]
    assert [bar.get_height() for bar in groups.containers[1]] == facts()["groups"]["after"]
    changes = plot_changes(facts()).axes[0]
    assert [bar.get_width() for bar in changes.patches] == [
        row["loss"] for row in facts()["variables"] if row["loss"]
    ]
    losses, risks = plot_figures(facts()).axes
    assert len(losses.patches) == len(facts()["losses"])
    assert [bar.get_width() for bar in risks.patches] == [row["value"] for row in facts()["risks"]]


def test_distributions_before_and_after_and_in_public_only_after():
    variable = next(row for row in facts()["variables"] if row["name"] == "age")
    before, after = plot_distribution(variable).axes[0].patches
    assert before.get_data().values.tolist() == variable["distribution"]["before"]
    assert after.get_data().values.tolist() == variable["distribution"]["after"]
    public = next(row for row in facts(public=True)["variables"] if row["name"] == "age")
    assert len(plot_distribution(public).axes[0].patches) == 1
    town = next(row for row in facts()["variables"] if row["name"] == "town")
    axis = plot_distribution(town).axes[0]
    assert [text.get_text() for text in axis.get_yticklabels()] == town["distribution"]["labels"]


def test_heat_maps_show_the_correlations():
    for which in ("before", "after", "change"):
        mesh = plot_correlations(facts(), which=which).axes[0].collections[0]
        assert np.allclose(mesh.get_array(), facts()["correlations"][which])
    with pytest.raises(NotApplicable, match="before are not part of a public"):
        plot_correlations(facts(public=True), which="before")
    with pytest.raises(InvalidInput, match="`which` must be one of"):
        plot_correlations(facts(), which="middle")


def test_what_is_not_in_a_summary_is_said():
    for plot in (plot_groups, plot_figures):
        with pytest.raises(NotApplicable, match="not for the public"):
            plot(facts(public=True))
    with pytest.raises(NotApplicable, match="No variable has a loss"):
        plot_changes(facts(public=True))
    with pytest.raises(NotApplicable, match="'debt' is not part of"):
        plot_distribution(next(row for row in facts()["variables"] if row["name"] == "debt"))
    with pytest.raises(InvalidInput, match="must be what summary"):
        plot_groups("facts")
