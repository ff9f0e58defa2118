"""Everything random takes an rng, repeats with the same one, and never touches global state."""

from __future__ import annotations

import ast
import inspect
import pickle
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

import shoal
from shoal.datasets import make_census, make_clustered, make_scattered

FILES = sorted(Path(shoal.__file__).parent.rglob("*.py"))
GENERATORS = [make_census, make_clustered, make_scattered]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_no_global_random_state(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert "random" not in [alias.name for alias in node.names]
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
            assert node.attr in {"default_rng", "Generator", "SeedSequence", "PCG64"}


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda f: f.__name__)
def test_same_rng_same_file_other_rng_other_file(generator):
    first, again, other = (generator(60, rng=seed).frame for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda f: f.__name__)
def test_a_generator_is_used_and_advanced(generator):
    rng = np.random.default_rng(3)
    assert not generator(60, rng=rng).frame.equals(generator(60, rng=rng).frame)


def test_rng_defaults_to_none_everywhere():
    for generator in GENERATORS:
        assert inspect.signature(generator).parameters["rng"].default is None


def test_a_generator_that_travels_spawns_what_it_would_have_spawned_at_home():
    """Workers get generators and spawn again; numpy 1.26 drew their children from the system's noise."""
    home = np.random.default_rng(5)
    away = [pickle.loads(pickle.dumps(home)), deepcopy(home)]
    assert len({one.spawn(1)[0].integers(10**9) for one in [home, *away]}) == 1
