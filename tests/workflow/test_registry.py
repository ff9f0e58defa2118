from __future__ import annotations

from itertools import chain

import pytest

from shoal import InvalidInput, as_table, pram
from shoal.workflow import registry
from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import INGREDIENTS, MENUS, STEPS, bind_method, find_method, options_of

EVERYTHING = list(chain(*MENUS.values(), *INGREDIENTS.values()))


def test_a_name_means_one_method():
    names = [method.__name__ for method in EVERYTHING]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("method", EVERYTHING, ids=lambda f: f.__name__)
def test_every_method_is_found_by_name(method):
    assert find_method(method.__name__) is method


def test_nested_names_are_looked_up_on_the_menu_of_the_default():
    bound = bind_method(
        {"method": "genetic", "selection": "tournament", "crossover": {"method": "multi_point", "points": 3}}
    )
    assert bound.keywords["selection"] is find_method("tournament")
    assert bound.keywords["crossover"].keywords == {"points": 3}
    with pytest.raises(InvalidInput, match=r"no method 'mdav'\. Known: roulette, tournament"):
        bind_method({"method": "genetic", "selection": "mdav"})


def test_seeds_are_no_options():
    assert not {"rng", "workers", "callback"} & set(chain(*(options_of(method) for method in EVERYTHING)))


def test_another_package_adds_to_a_menu(monkeypatch):
    """By an entry point, which is loaded when it is asked for; recipes and the command line know it then."""

    def add_nothing(table, *, amount: int = 0):
        """Change nothing."""
        return table

    class Entry:
        def load(self):
            return add_nothing

    def entries(group):
        return [Entry()] if group == "shoal.maskers" else []

    registry.added.cache_clear()
    monkeypatch.setattr(registry, "entry_points", entries)
    try:
        assert find_method("add_nothing") is add_nothing
        assert add_nothing in MENUS["maskers"]
        table = as_table({"age": [1, 2]})
        recipe = Recipe("r", {"quasi": ["age"]}, [{"method": "add_nothing", "amount": 1}])
        assert recipe.run(table).frame.equals(table.frame)
    finally:
        monkeypatch.undo()
        registry.added.cache_clear()
    with pytest.raises(InvalidInput, match="no method 'add_nothing'"):
        find_method("add_nothing")


def test_methods_that_go_inside_others_say_where():
    with pytest.raises(
        InvalidInput, match=r"mdav is no method by itself.*microaggregate --set partition=mdav"
    ):
        bind_method({"method": "mdav"}, STEPS)
    with pytest.raises(InvalidInput, match=r"--method pram --set matrices=frequency_matrix"):
        bind_method({"method": "frequency_matrix"}, STEPS)
    with pytest.raises(InvalidInput, match=r"Did you mean 'mdav'\? `shoal methods` lists them all"):
        find_method("mdva")
    with pytest.raises(InvalidInput, match="No method 'freqency_matrix' makes matrices"):
        pram({"town": list("aabb")}, matrices="freqency_matrix", columns="town")


@pytest.mark.parametrize("value", ["no", "False", 0, None])
def test_a_text_is_no_yes(value):
    with pytest.raises(InvalidInput, match="`round` must be true or false"):
        bind_method({"method": "microaggregate", "k": 2, "round": value})
