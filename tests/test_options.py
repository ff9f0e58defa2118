"""Old spellings of options work for one release, with a warning."""

from __future__ import annotations

import pytest

from shoal import Recipe, as_table, read_table, suppress_to_k
from shoal.masking import MASKERS
from shoal.measures.risk.individual_risk import individual_risks
from shoal.measures.risk.k_anonymity import class_sizes
from shoal.workflow.registry import find_method

TABLE = as_table({"age": [30, 30, None]}, roles={"quasi": ["age"]})


@pytest.mark.parametrize("count", [class_sizes, individual_risks], ids=lambda f: f.__name__)
def test_counting_says_gaps(count):
    with pytest.warns(FutureWarning, match="`missing=` is now called `gaps=`"):
        old = count(TABLE, missing="wildcard")
    assert old.tolist() == count(TABLE, gaps="wildcard").tolist()


def test_reading_says_missing_codes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n-9,3\n")
    with pytest.warns(FutureWarning, match="`missing=` is now called `missing_codes=`"):
        assert read_table(path, missing=-9).missing()["a"] == 1


def test_old_recipes_are_read_and_written_anew():
    nested = {"method": "protect_clusters", "clusters": 1, "masker": {"method": "suppress_to_k", "k": 2}}
    for step in ({"method": "suppress_to_k", "k": 2}, nested):
        old = (
            {**step, "missing": "category"}
            if "masker" not in step
            else {**step, "masker": {**step["masker"], "missing": "category"}}
        )
        with pytest.warns(FutureWarning, match="`missing=` is now called `gaps=`"):
            recipe = Recipe("old", {"quasi": ["age"]}, [old])
        assert "missing" not in recipe.to_toml()
        assert 'gaps = "category"' in recipe.to_toml()


def test_only_known_methods_have_old_names():
    assert suppress_to_k in MASKERS
    assert find_method("suppress_to_k").old_names == {"missing": "gaps"}
