"""The codings of the genetic algorithm: back and forth, and what they can say."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.errors import InvalidInput
from shoal.partition import genetic, sse, univariate
from shoal.partition._genetic.chromosome_codings import CODINGS, chromosomes_of, gray_from_names
from shoal.partition.labels import relabel, sizes


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("seed", range(20))
def test_the_first_population_is_valid_and_comes_back(coding, seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 4))
    k = int(rng.integers(2, n // 2 + 1))
    X = rng.normal(size=(n, d)).round(1)
    codes = chromosomes_of(coding, X, k)
    drawn = codes.draw(15, rng)
    assert drawn.min() >= 0
    assert drawn.max() < max(codes.letters, 2)
    names = codes.decode(drawn)
    assert names.shape == (15, n)
    assert 0 <= names.min() <= names.max() < codes.groups
    for row in names:
        counts = sizes(relabel(row))
        assert k <= counts.min() <= counts.max() < 2 * k
    again = codes.decode(codes.encode(names))
    assert all((relabel(a) == relabel(b)).all() for a, b in zip(names, again, strict=True))


@pytest.mark.parametrize("coding", CODINGS)
def test_any_letters_stand_for_some_groups(coding):
    rng = np.random.default_rng(5)
    codes = chromosomes_of(coding, rng.normal(size=(17, 2)), 3)
    letters = rng.integers(codes.letters, size=(200, codes.draw(1, rng).shape[1]))
    names = codes.decode(letters)
    assert 0 <= names.min() <= names.max() < codes.groups


def test_neighbours_in_gray_code_differ_in_one_bit():
    bits = gray_from_names(5, np.arange(32)[:, None])
    assert (np.abs(np.diff(bits, axis=0)).sum(axis=1) == 1).all()
    assert len(np.unique(bits, axis=0)) == 32


def test_binary_coding_finds_the_optimum_of_one_column():
    """The optimal groups of one column are stretches of the sorted records."""
    X = np.random.default_rng(2).normal(size=(25, 1))
    found = genetic(X, 3, coding="binary", mutation_rate=0.05, generations=2_000, rng=1)
    assert sse(X, found) == pytest.approx(sse(X, univariate(X, 3)))


def test_binary_coding_cannot_start_from_groups_that_are_no_stretches():
    X = np.arange(8.0)[:, None]
    with pytest.raises(InvalidInput, match="stretches"):
        genetic(X, 2, coding="binary", initial=np.array([0, 1, 0, 1, 2, 2, 2, 2]))
    start = np.array([1, 1, 0, 0, 0, 2, 2, 2])
    found = genetic(X, 2, coding="binary", initial=start, generations=0)
    assert sse(X, found) <= sse(X, start)


def test_an_unknown_coding_is_refused():
    with pytest.raises(InvalidInput, match="coding"):
        genetic(np.arange(8.0)[:, None], 2, coding="trinary")
