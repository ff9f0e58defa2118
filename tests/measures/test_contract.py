"""What every measure on the menus promises."""

from __future__ import annotations

import inspect
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from frames import LIBRARIES
from measures.files import files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import FURTHER_RISK, LOSS, RISK, gcp

MENU = (*LOSS, *RISK, *FURTHER_RISK)
NAMES = {measure.__name__: measure for measure in MENU}
ROLES = {"quasi": ["age", "pay", "school", "town"], "confidential": ["ill"]}
KINDS = {"school": ["low", "middle", "high"]}
N = 60

menu = pytest.mark.parametrize("measure", MENU, ids=lambda measure: measure.__name__)
losses = pytest.mark.parametrize("measure", LOSS, ids=lambda measure: measure.__name__)


def bounded(measure) -> bool:
    first = inspect.getdoc(measure).splitlines()[0]
    return "unbounded" not in first and "200" not in first


def columns(seed=0) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, N)
    found = {
        "age": age.tolist(),
        "pay": (1000 + 20 * age + rng.normal(0, 200, N)).round(2).tolist(),
        "school": rng.choice(["low", "middle", "high"], N, p=[0.5, 0.3, 0.2]).tolist(),
        "town": rng.choice(list("abcd"), N).tolist(),
        "ill": rng.choice(["flu", "cold", "none"], N).tolist(),
    }
    found["pay"][3] = found["town"][5] = None
    return found


def table_of(given, library=pl.DataFrame):
    return as_table(library(given), roles=ROLES, kinds=KINDS)


def noisy(given, amount, seed=1) -> dict[str, list]:
    """Numbers with noise in standard deviations; categories redrawn with probability amount / 3."""
    rng = np.random.default_rng(seed)
    result = dict(given)
    for name, sd in (("age", 20.0), ("pay", 500.0)):
        result[name] = [None if v is None else v + amount * sd * rng.normal() for v in given[name]]
    for name, pool in (("school", ["low", "middle", "high"]), ("town", list("abcd"))):
        redrawn = rng.random(N) < amount / 3
        result[name] = [
            str(rng.choice(pool)) if new and v is not None else v
            for v, new in zip(given[name], redrawn, strict=True)
        ]
    return result


def answer(measure, *pair) -> tuple[float, str]:
    """The figure, or why there is none."""
    try:
        return measure(*pair), ""
    except (NotApplicable, InvalidInput) as reason:
        return math.nan, str(reason)


@losses
def test_identical_files_lose_nothing(measure):
    table = table_of(columns())
    assert measure(table, table) == pytest.approx(0, abs=1e-9)


@menu
def test_permuting_the_rows_of_both_changes_nothing(measure):
    original, masked = table_of(columns()), table_of(noisy(columns(), 0.3))
    order = np.random.default_rng(5).permutation(N)
    found, reason = answer(measure, original.take(order), masked.take(order))
    assert found == pytest.approx(answer(measure, original, masked)[0], rel=1e-6, nan_ok=True)
    assert reason == answer(measure, original, masked)[1]


@menu
@pytest.mark.parametrize("factor", [3.0, 1e-6, 1e9])
def test_scaling_a_numeric_column_changes_nothing(measure, factor):
    pair = columns(), noisy(columns(), 0.3) | {"school": columns()["school"]}
    scaled = [c | {"pay": [None if v is None else v * factor for v in c["pay"]]} for c in pair]
    assert measure(*map(table_of, scaled)) == pytest.approx(measure(*map(table_of, pair)), rel=1e-6)


@menu
def test_figures_are_plain_floats_in_range(measure):
    kept = {"school": columns()["school"]}
    for amount in (0.0, 0.1, 1.0, 30.0):
        found = measure(table_of(columns()), table_of(noisy(columns(), amount) | kept))
        assert type(found) is float
        assert 0 <= found < math.inf
        assert not bounded(measure) or found <= 100


@pytest.mark.parametrize("measure", [m for m in LOSS if m is not gcp], ids=lambda m: m.__name__)
def test_more_noise_does_not_lower_the_loss_on_average(measure):
    original = table_of(columns())
    means = [
        np.mean([measure(original, table_of(noisy(columns(), amount, seed))) for seed in range(8)])
        for amount in (0.02, 0.3, 2.0)
    ]
    assert means == sorted(means)


@pytest.mark.parametrize("name", ["interval_risk", "distance_linkage_risk", "probabilistic_linkage_risk"])
def test_more_noise_lowers_the_risk_on_average(name):
    original = table_of(columns())
    means = [
        np.mean([NAMES[name](original, table_of(noisy(columns(), amount, seed))) for seed in range(8)])
        for amount in (0.0, 0.3, 3.0)
    ]
    assert means == sorted(means, reverse=True)


@pytest.mark.slow
@menu
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gives_the_same_figure_and_keeps_its_frame(measure, library):
    before, after = columns(), noisy(columns(), 0.3) | {"school": columns()["school"]}
    frames = [LIBRARIES[library](given) for given in (before, after)]
    original, masked = (as_table(frame, roles=ROLES, kinds=KINDS) for frame in frames)
    expected = measure(table_of(before), table_of(after))
    assert measure(original, masked) == pytest.approx(expected)
    for frame, kept in zip(frames, (before, after), strict=True):
        assert as_table(frame).names() == list(kept)
        assert as_table(frame).missing() == table_of(kept).missing()


@pytest.mark.slow
@menu
@settings(max_examples=60)
@given(pair=files(least=1, most=6, confidential=True))
def test_odd_files_get_a_figure_or_a_reason(measure, pair):
    """One record, constants, all missing: a figure in range, or a sentence why there is none."""
    found, reason = answer(measure, *pair)
    if reason:
        assert reason.endswith(".")
    else:
        assert 0 <= found < math.inf
        assert not bounded(measure) or found <= 100 + 1e-9


@menu
def test_columns_can_be_chosen(measure):
    table = table_of(columns())
    for names in (["age", "pay"], ["school", "town"]):
        try:
            found = measure(table, table_of(noisy(columns(), 0.3)), columns=names)
        except NotApplicable:
            continue
        assert 0 <= found < math.inf
    with pytest.raises(InvalidInput, match="agee"):
        measure(table, table, columns=["agee"])


@menu
def test_files_must_fit_together(measure):
    table = table_of(columns())
    with pytest.raises(InvalidInput, match="60 and 59 records"):
        measure(table, table.take(np.arange(59)))
    with pytest.raises(InvalidInput, match="masked file"):
        measure(table, table.select(["age", "ill"]))
    with pytest.raises(NotApplicable, match="no records"):
        measure(table.take(np.arange(0)), table.take(np.arange(0)))


@menu
def test_no_value_of_the_file_is_in_a_message(measure):
    secret = table_of(columns() | {"pay": [12345.678] * 59 + [math.inf]})
    _, reason = answer(measure, secret, secret)
    assert "12345" not in reason
    assert "inf" not in reason.replace("infinite", "")
