"""Plots: figures in one look, labelled axes, the numbers of the facts, and clear words where none are."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from report.files import facts, masked, original, tried
from shoal import InvalidInput, NotApplicable, as_table, explore, mdav, microaggregate
from shoal.datasets import load_sme, make_scattered
from shoal.report import (
    plot_changes,
    plot_correlations,
    plot_distribution,
    plot_figures,
    plot_groups,
    plot_records,
    plot_trade_off,
    write_plots,
    write_report,
)
from shoal.report.figures import pictures
from shoal.report.style import BLUE, GREEN, GREY, ORANGE, STYLE, as_svg, label

matplotlib = pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_every_picture_has_words_and_labelled_axes():
    for public in (False, True):
        for picture in pictures(facts(public)):
            assert picture.title
            assert len(picture.words) > 20
            for axis in picture.figure.axes:
                labelled = axis.get_xlabel() or axis.get_ylabel() or axis.get_title(loc="left")
                assert labelled, picture.name
    assert {p.name for p in pictures(facts(public=True))} == {
        *("correlations-after", "variable-1", "variable-2", "variable-3", "variable-4"),
    }


def test_bars_are_the_facts():
    groups = plot_groups(facts()).axes[0]
    assert [bar.get_height() for bar in groups.containers[0]] == facts()["groups"]["before"]
    assert [bar.get_height() for bar in groups.containers[1]] == facts()["groups"]["after"]
    changes = plot_changes(facts()).axes[0]
    assert [bar.get_width() for bar in changes.patches] == [row["loss"] for row in facts()["variables"]]
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


def test_the_map_marks_the_front_and_the_chosen():
    figure = plot_trade_off(tried(), chosen="mdav, k = 4", risk=30)
    axis = figure.axes[0]
    front = [(c.loss, c.risk) for c in tried().front]
    assert [tuple(point) for point in axis.lines[0].get_xydata()] == front
    legend = [text.get_text() for text in axis.get_legend().get_texts()]
    assert legend == ["mdav", "rank_swap", "chosen", "risk limit 30"]
    from_facts = plot_trade_off(facts()["exploration"])
    assert [tuple(point) for point in from_facts.axes[0].lines[0].get_xydata()] == front
    with pytest.raises(InvalidInput, match="must be what explore"):
        plot_trade_off("found")
    failed = explore(load_sme(), {"mdav": {"k": [99]}})
    with pytest.raises(NotApplicable, match="No candidate"):
        plot_trade_off(failed)


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


def test_records_of_small_files():
    table = make_scattered(30, rng=1)
    released = microaggregate(table, k=3, partition=mdav)
    left, right = plot_records(table, released, table.names()[:2]).axes
    assert len(left.collections[0].get_offsets()) == 30
    assert len(right.lines) == 30
    assert right.get_title(loc="left").startswith("after: 10 points of at least 3")
    with pytest.raises(InvalidInput, match="two columns that are numeric"):
        plot_records(original(), masked(), ["age", "town"])
    many = as_table({"a": np.arange(2001.0), "b": np.arange(2001.0)})
    with pytest.raises(InvalidInput, match="1 to 2000 records"):
        plot_records(many, many, ["a", "b"])


def test_one_look_whatever_the_notebook_is_set_to():
    with matplotlib.rc_context({"axes.spines.top": True, "font.size": 30}):
        figure = plot_groups(facts())
        assert not figure.axes[0].spines["top"].get_visible()
        assert matplotlib.rcParams["font.size"] == 30, "and the notebook keeps its own"
    text = STYLE.read_text(encoding="utf-8")
    assert all(colour.strip("#") in text for colour in (BLUE, ORANGE, GREEN))
    assert GREY.startswith("#")


def test_svg_takes_the_colours_of_the_page():
    text = as_svg(plot_groups(facts()), "p1")
    assert "var(--blue)" in text
    assert BLUE.lower() not in text.lower()
    assert 'id="p1-' in text
    assert "<metadata" not in text
    assert text == as_svg(plot_groups(facts()), "p1"), "the same every time"


def test_labels_are_never_formulas():
    assert label("") == " "
    assert label("a\nb\x00") == "a b?"
    variable = {"name": "$x", "label": "$\\frac{$", "distribution": {"type": "categories", "labels": ["$a$"]}}
    variable["distribution"] |= {"before": [100.0], "after": [100.0]}
    assert "$a$" in as_svg(plot_distribution(variable), "p").replace("&#36;", "$")


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_plots_are_written(tmp_path, kind):
    written = write_plots(facts(public=True), tmp_path / "plots", format=kind)
    assert [path.suffix for path in written] == [f".{kind}"] * 5
    assert min(path.stat().st_size for path in written) > 3000
    with pytest.raises(InvalidInput, match="exists already"):
        write_plots(facts(public=True), tmp_path / "plots", format=kind)
    write_plots(facts(public=True), tmp_path / "plots", format=kind, overwrite=True)
    with pytest.raises(InvalidInput, match="'svg' or 'png'"):
        write_plots(facts(), tmp_path, format="gif")


def test_reports_are_written_whole(tmp_path):
    for name in ("a.html", "a.md", "a.json"):
        write_report(facts(), tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
        with pytest.raises(InvalidInput, match="exists already"):
            write_report(facts(), tmp_path / name)
    with pytest.raises(InvalidInput, match=r"ending in \.html, \.md or \.json"):
        write_report(facts(), tmp_path / "a.pdf")
    assert len(list(tmp_path.iterdir())) == 3


def test_without_matplotlib_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidInput, match="need matplotlib"):
        plot_groups(facts())
