"""Every model on the menu against its definition, on random classes."""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal.models import (
    MODELS,
    Classes,
    class_distances,
    distinct_l_diverse,
    hidden_column,
    k_anonymous,
    max_risk,
    t_close,
)

ONE = {
    "k": 2,
    "risk": 0.5,
    "l": 2,
    "t": 0.3,
    "c": 2,
    "alpha": 0.5,
    "beta": 1,
    "delta": 1,
    "people": 3,
    "high": 0.5,
}


@st.composite
def classes(draw, kind=None):
    n = draw(st.integers(1, 16))
    numbers = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    labels = np.unique(draw(numbers), return_inverse=True)[1]
    codes = np.array(draw(st.lists(st.sampled_from([-1, 0, 2, 5, 9]), min_size=n, max_size=n)))
    home = np.array(draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n)))
    kind = kind or draw(st.sampled_from(["numeric", "ordinal", "nominal"]))
    return Classes(labels, {"ill": hidden_column(codes, kind)}, home if draw(st.booleans()) else None)


@pytest.mark.parametrize("model", MODELS, ids=lambda f: f.__name__)
@settings(max_examples=50)
@given(found=classes())
def test_every_model_gives_one_verdict_per_class(model, found):
    names = [p.name for p in inspect.signature(model).parameters.values() if p.kind is p.KEYWORD_ONLY]
    lines = np.column_stack([np.arange(4), [4, 4, 5, 5], [6] * 4])[: len(found.hidden["ill"].shares) - 1]
    ill = replace(found.hidden["ill"], ancestors=lines)
    found = replace(found, hidden={"ill": ill}, weights=np.ones(len(found.labels)))
    kept = model(found, **{name: ONE[name] for name in names if name in ONE})
    assert kept.dtype == bool
    assert kept.shape in ((found.count,), ())


@pytest.mark.slow
@settings(max_examples=300)
@given(found=classes(), k=st.integers(1, 5))
def test_k_counts_records_or_households(found, k):
    for label, kept in enumerate(k_anonymous(found, k=k)):
        inside = np.flatnonzero(found.labels == label)
        counted = len(inside) if found.household is None else len(set(found.household[inside].tolist()))
        assert kept == (counted >= k)
    assert (max_risk(found, risk=1 / k) == k_anonymous(found, k=k)).all()


@pytest.mark.slow
@settings(max_examples=300)
@given(found=classes(), least=st.integers(1, 4))
def test_l_counts_different_values_that_are_there(found, least):
    codes = found.hidden["ill"].codes
    for label, kept in enumerate(distinct_l_diverse(found, l=least)):
        assert kept == (len(set(codes[found.labels == label].tolist()) - {-1}) >= least)


@pytest.mark.slow
@settings(max_examples=300)
@given(found=classes())
def test_t_is_the_earth_movers_distance(found):
    hidden = found.hidden["ill"]
    ordered = hidden.kind != "nominal"
    everyone = [c for c in hidden.codes.tolist() if c >= 0 or not ordered]
    domain = sorted(set(everyone))
    for label, distance in enumerate(class_distances(found, "ill")):
        inside = [c for c in hidden.codes[found.labels == label].tolist() if c >= 0 or not ordered]
        expected = 0.0
        if inside and len(domain) > 1:
            own, all_ = Counter(inside), Counter(everyone)
            gap = [own[v] / len(inside) - all_[v] / len(everyone) for v in domain]
            expected = (
                sum(map(abs, np.cumsum(gap))) / (len(domain) - 1) if ordered else sum(map(abs, gap)) / 2
            )
        assert distance == pytest.approx(expected, abs=1e-12)
        assert t_close(found, t=min(expected + 1e-9, 1))[label]


@settings(max_examples=100)
@given(found=classes(), seed=st.integers(0, 99))
def test_a_part_is_measured_against_the_whole_file(found, seed):
    rows = np.flatnonzero(np.random.default_rng(seed).random(len(found.labels)) < 0.7)
    if not len(rows):
        return
    present, labels = np.unique(found.labels[rows], return_inverse=True)
    part = found.part(rows, labels)
    assert part.hidden["ill"].shares is found.hidden["ill"].shares
    whole = np.isin(np.arange(found.count), found.labels[np.setdiff1d(np.arange(len(found.labels)), rows)])
    untouched = ~whole[present]
    assert (
        class_distances(part, "ill")[untouched] == class_distances(found, "ill")[present][untouched]
    ).all()


def test_thresholds_by_column():
    ill, pay = hidden_column(np.array([0, 1]), "nominal"), hidden_column(np.array([0, 0]), "numeric")
    found = Classes(np.array([0, 0]), {"ill": ill, "pay": pay})
    assert distinct_l_diverse(found, l={"ill": 2}).all()
    assert not distinct_l_diverse(found, l={"ill": 2, "pay": 2}).any()
    assert not distinct_l_diverse(found, l=2).any()
    with pytest.raises(InvalidInput, match="no confidential column 'pat'"):
        distinct_l_diverse(found, l={"pat": 2})
    with pytest.raises(InvalidInput, match="needs a confidential column"):
        t_close(Classes(np.array([0])), t=0.1)
