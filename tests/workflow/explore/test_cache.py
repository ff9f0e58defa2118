"""Figures kept from one exploration to the next: without data, never of another file."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal import InvalidInput, Recipe, as_table, evaluate, explore
from shoal.datasets import make_scattered
from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
from shoal.workflow.explore import make_recipes, roles_of

quick = partial(evaluate, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk])
GRID = {"mdav": {"k": [3, 6]}, "rank_swap": {"percent": [10]}, "add_noise": {"amount": [0.2]}}


class Judge:
    """An evaluation whose name does not say what it does."""

    def __call__(self, original, masked):
        return quick(original, masked)


@pytest.fixture(scope="module")
def table():
    return make_scattered(40, d=3, rng=1)


def without_seconds(exploration):
    content = exploration.to_dict()
    return [{**candidate, "seconds": None} for candidate in content["candidates"]]


def test_kept_figures_are_used_again_and_hold_neither_data_nor_seed(table, tmp_path):
    calls = []
    secret = 918273645
    first = explore(table, GRID, evaluation=quick, folder=tmp_path, rng=secret)
    again = explore(table, GRID, evaluation=quick, folder=tmp_path, callback=calls.append)
    assert again == first, "seconds too: nothing was run"
    assert len(calls) == 1
    assert calls[0].fraction == 1
    text = "".join(path.read_text(errors="replace") for path in tmp_path.iterdir() if path.name != "key")
    assert str(secret) not in text
    for value in table.column(table.names()[0]):
        assert repr(float(value)) not in text
    assert {oct(path.stat().st_mode & 0o077) for path in tmp_path.iterdir()} == {"0o0"}


def test_another_table_recipe_or_measure_is_run_anew(table, tmp_path):
    def entries():
        return len(list(tmp_path.glob("*.json")))

    grid = {"mdav": {"k": [3]}}
    for count, (given_table, given_grid, given_evaluation) in enumerate(
        [
            (table, grid, quick),
            (table.take(np.arange(40)[::-1]), grid, quick),
            (table, {"mdav": {"k": [4]}}, quick),
            (table, grid, partial(quick, combine="max")),
            (as_table(table, roles={"quasi": table.names(role="quasi")[1:]}), grid, quick),
        ],
        1,
    ):
        explore(given_table, given_grid, evaluation=given_evaluation, folder=tmp_path)
        assert entries() == count
    renamed = [Recipe("mine", roles_of(table), make_recipes(grid)[0].steps)]
    assert explore(table, renamed, evaluation=quick, folder=tmp_path).candidates[0].name == "mine"
    assert entries() == 5


def test_damaged_figures_are_made_again_and_a_damaged_key_is_said(table, tmp_path):
    grid = {"mdav": {"k": [3]}}
    first = explore(table, grid, evaluation=quick, folder=tmp_path)
    (entry,) = tmp_path.glob("*.json")
    entry.write_text(entry.read_text()[:40])
    assert without_seconds(explore(table, grid, evaluation=quick, folder=tmp_path)) == without_seconds(first)
    (tmp_path / "key").write_bytes(b"short")
    with pytest.raises(InvalidInput, match="damaged key"):
        explore(table, grid, evaluation=quick, folder=tmp_path)
    with pytest.raises(InvalidInput, match="cannot keep figures"):
        explore(table, grid, evaluation=quick, folder=entry)
    for nameless in (lambda a, b: quick(a, b), Judge()):
        with pytest.raises(InvalidInput, match="cannot be kept, since its name does not say all"):
            explore(table, grid, evaluation=nameless, folder=tmp_path / "other")


def test_whole_numbers_beyond_floats_make_another_file(tmp_path):
    big = 2**60
    for offset in (0, 1):
        table = as_table({"a": [1, 2, 3, big + offset]}, roles={"quasi": ["a"]})
        explore(table, {"mdav": {"k": [2]}}, evaluation=quick, folder=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 2
