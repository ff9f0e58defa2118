"""Forms from menus: every option of every method has a field that says the truth."""

from __future__ import annotations

import inspect
import json
from itertools import chain

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.masking import MASKERS
from shoal.models import MODELS, Classes, hidden_column
from shoal.partition import PARTITIONERS
from shoal.search import RECODERS
from shoal.workflow.describe_options import OptionField, describe_options
from shoal.workflow.option_words import MORE
from shoal.workflow.registry import INGREDIENTS, MENUS, bind_method, find_method, options_of

EVERYTHING = list(chain(*MENUS.values(), *INGREDIENTS.values()))
METHODS = pytest.mark.parametrize("method", EVERYTHING, ids=lambda f: f.__name__)
RNG = np.random.default_rng(0)
TABLE = as_table(
    {"age": RNG.integers(18, 90, 40), "pay": RNG.normal(size=40), "town": RNG.choice(["a", "b"], 40)},
    roles={"quasi": ["age", "town"], "confidential": "pay"},
)
NEEDED = {"k": 3, "clusters": 2, "masker": {"method": "top_code", "quantile": 0.9}, "percent": 5, "rare": 2}
NEEDED |= {
    "rate": 0.1,
    "areas": "town",
    "amount": 0.2,
    "rules": "age = pay + pay",
    "centres": {"age": [30.0]},
    "quantile": 0.9,
    "strata": ["town"],
    "options": [],
}
NEEDED |= {"matrices": {"method": "invariant_matrix", "p": 0.5}}


@METHODS
def test_every_option_has_a_field_with_a_sentence(method):
    fields = describe_options(method)
    assert [field.name for field in fields] == list(options_of(method))
    for field in fields:
        assert field.sentence.endswith((".", "?")), f"{method.__name__}.{field.name}: {field.sentence!r}"
        assert "`" not in field.sentence
        parameter = options_of(method)[field.name]
        assert field.needed == (parameter.default is parameter.empty)


@METHODS
def test_fields_are_plain_and_defaults_are_among_the_choices(method):
    for field in describe_options(method):
        assert json.dumps([field.default, field.choices])
        if field.choices and field.default is not None and field.type in ("choice", "method"):
            assert field.default in field.choices
        if field.type == "method":
            assert field.choices
            assert all(find_method(name) for name in field.choices)
        if (
            isinstance(field.default, (int, float))
            and not isinstance(field.default, bool)
            and field.low is not None
        ):
            assert field.low <= field.default <= (np.inf if field.high is None else field.high)


def out_of_range():
    for method in (*MASKERS, *RECODERS):
        for field in describe_options(method):
            if field.type in ("whole number", "number"):
                yield from ((method, field, beyond) for beyond in beyond_limits(field))


def beyond_limits(field: OptionField):
    step = 1 if field.type == "whole number" else 1e-7
    if field.low is not None:
        yield 0.0 if field.low == MORE else field.low - step
    if field.high is not None:
        yield field.high + step


@pytest.mark.parametrize(
    ("method", "field", "value"), list(out_of_range()), ids=lambda v: getattr(v, "name", None)
)
def test_what_lies_beyond_the_limits_is_refused(method, field, value):
    """The limits of the form are those of the method: nothing outside passes."""
    needed = {f.name: NEEDED[f.name] for f in describe_options(method) if f.needed}
    if field.name == "weights" and method.__name__ == "microaggregate":
        needed["columns"] = ["age"]
    value = int(value) if field.type == "whole number" else value
    given = {"age": value} if field.by_column and field.name != "quantile" else value
    more = {"gaps": "wildcard"} if field.name in ("cells_per_record", "risk") else {}
    more |= {"certify": True} if field.name == "seconds" and method.__name__ == "suppress_to_k" else {}
    with pytest.raises(InvalidInput):
        bind_method({"method": method.__name__, **needed, **more, field.name: given})(TABLE)


def classes():
    hidden = {"pay": hidden_column(np.array([0, 1, 0, 1]), "nominal", np.array([[0, 2], [1, 2]]))}
    return Classes(np.array([0, 0, 1, 1]), hidden, weights=np.ones(4))


@pytest.mark.parametrize("model", MODELS, ids=lambda f: f.__name__)
def test_models_refuse_what_lies_beyond(model):
    fields = describe_options(model)
    inside = {
        f.name: (f.low if f.high is None else f.high) for f in fields if f.type in ("number", "whole number")
    }
    inside = {name: int(v) if name == "k" else v for name, v in inside.items()}
    assert model(classes(), **inside).shape == (2,)
    for field in fields:
        for beyond in beyond_limits(field) if field.type != "yes or no" else ():
            with pytest.raises(InvalidInput):
                model(classes(), **{**inside, field.name: beyond})


@pytest.mark.parametrize("partition", PARTITIONERS, ids=lambda f: f.__name__)
def test_partitioners_refuse_what_lies_beyond(partition):
    X = RNG.normal(size=(12, 1))
    for field in describe_options(partition):
        if field.type in ("whole number", "number"):
            for beyond in beyond_limits(field):
                value = int(beyond) if field.type == "whole number" else beyond
                with pytest.raises(InvalidInput):
                    partition(X, 3, **{field.name: value})


def test_types_follow_the_signature():
    fields = {field.name: field for field in describe_options("microaggregate")}
    assert fields["k"].type == "whole number"
    assert fields["k"].needed
    assert fields["k"].limits == "at least 2"
    assert fields["partition"].type == "method"
    assert fields["partition"].default == "local_search"
    assert fields["scale"].choices == ("zscore", "range", "none", "robust")
    assert fields["weights"].by_column
    assert fields["weights"].type == "number"
    assert fields["columns"].type == "columns"
    assert fields["hierarchies"].type == "hierarchies"
    assert {f.name for f in describe_options("genetic") if f.type == "method"} == {"selection", "crossover"}
    assert next(f for f in describe_options("v_mdav") if f.name == "gamma").choices == ("auto",)


def test_a_method_of_another_package_is_described():
    def blur(table, *, amount: float = 0.5, deep: bool = False):
        """Blur.

        Parameters
        ----------
        table
            The table.
        amount
            How much. More is
            worse.
        deep
            Whether all the way down.
        """

    assert [(f.name, f.type, f.sentence) for f in describe_options(blur)] == [
        ("amount", "number", "How much."),
        ("deep", "yes or no", "Whether all the way down."),
    ]


def test_limits_in_words():
    assert OptionField("p", "number", True, "", low=0, high=1).limits == "0 to 1"
    assert OptionField("p", "number", True, "", low=MORE, high=100).limits == "more than 0, at most 100"
    assert OptionField("p", "number", True, "").limits == ""


def test_signature_and_fields_keep_the_same_order():
    for masker in MASKERS:
        known = inspect.signature(masker).parameters
        assert [f.name for f in describe_options(masker)] == [n for n in known if n in options_of(masker)]
