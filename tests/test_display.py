"""Results as they show: one short line as `repr`, plain text in a notebook, and equal where they are."""

from html import unescape

import numpy as np
import pytest

import shoal
from shoal.datasets import load_sme, make_scattered
from shoal.edits.check_edits import check_edits
from shoal.evolve import evolve
from shoal.graph import evaluate_graph, make_social
from shoal.workflow.explore.result import MOST_ROWS, Candidate, Exploration, arrange

RECIPE = shoal.Recipe("a < b", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
TABLE = shoal.as_table({"age": [20, 22, 61, 63]}, roles={"quasi": ["age"]})


def searched(seed=1, generations=3):
    return evolve(
        [np.ones(40) * i for i in (1, 2, 3)],
        lambda x: float(x.sum()),
        vary=lambda population, scores, rng: [x - rng.random() for x in population],
        generations=generations,
        rng=seed,
    )


def explored():
    return shoal.explore(load_sme(), {"mdav": {"k": [3, 5]}})


def test_a_recipe_shows_its_text():
    assert str(RECIPE) == RECIPE.to_toml()
    assert "a &lt; b" in RECIPE._repr_html_()
    masked, fitted = RECIPE.fit(TABLE)
    assert str(fitted) == fitted.to_toml()
    assert len(masked) == 4
    assert shoal.Recipe.from_json(RECIPE.to_json()) == RECIPE
    assert shoal.Recipe("c", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}]) != RECIPE


def test_a_search_is_short_and_can_be_compared():
    search = searched()
    assert repr(search) == str(search)
    assert repr(search).startswith("Search: fitness ")
    assert "after 3 generations of 3, ended by generations" in repr(search)
    assert ">Search" in search._repr_html_()
    assert search == searched()
    assert search != searched(seed=2)
    assert search != searched(generations=2)
    assert search != 1


def test_a_candidate_is_short_and_can_be_compared():
    first, second = explored().candidates
    assert str(first).startswith("mdav, k = 3: k 3, loss ")
    assert "seconds" in str(first)
    assert ">mdav" in first._repr_html_()
    again = Exploration.from_json(explored().to_json()).candidates[0]
    assert first.evaluation == again.evaluation
    assert first == first
    assert first != second
    assert str(Candidate(RECIPE, failed="It is too small.")) == "a < b: It is too small."


def test_an_exploration_is_short_however_many_candidates():
    found = explored()
    assert repr(found).startswith("Exploration of 11 records: 2 of 2 recipes run, ")
    many = arrange(11, 60, [*found.candidates * 20, *[Candidate(RECIPE, failed="It is too small.")] * 20])
    lines = str(many).splitlines()
    assert len(lines) == 1 + 1 + MOST_ROWS + 5 + 2
    assert lines[-2:] == [f"{40 - MOST_ROWS} more candidates are in `frame`", "15 more in `notes()`"]
    assert many._repr_html_().count("<tr>") == MOST_ROWS + 1
    assert len(many.frame) == 60


@pytest.mark.parametrize(
    "made",
    [
        lambda: shoal.check(TABLE, shoal.Promise(k=2)),
        lambda: check_edits(TABLE, TABLE, rules=["age >= 0"])[0],
        lambda: shoal.release(TABLE, TABLE, shoal.Promise(), None),
        lambda: shoal.attack(TABLE, TABLE, rng=1),
        lambda: evaluate_graph(*[make_social(50, rng=1).graph()] * 2),
        lambda: shoal.search.gomm(make_scattered(30, d=4, rng=1), k=3, population=4, generations=1, rng=1),
    ],
    ids=["check", "edits", "release", "attack", "graph", "groups"],
)
def test_results_show_in_a_notebook_as_they_print(made):
    found = made()
    html = found._repr_html_()
    assert html.startswith("<pre ")
    assert html.count("<") == 2
    assert unescape(html) == f'<pre style="white-space: pre-wrap">{found}</pre>'


def test_pictures_of_every_room_show_themselves():
    pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
    from shoal.graph import attack_graph, plot_protection, structure_losses

    graph = make_social(50, rng=1).graph()
    figure = plot_protection(attack_graph(graph, graph, rng=1), structure_losses(graph, graph))
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert shoal.report.plot_groups(shoal.report.summary(TABLE, TABLE))._repr_png_()
