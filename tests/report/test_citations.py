"""Where a method comes from: the references of its docstring."""

from __future__ import annotations

from report.files import facts
from shoal import Recipe
from shoal.report.citations import methods_of, source_of


def test_sources_are_those_of_the_docstrings():
    nested = Recipe("n", {}, [{"method": "pram", "matrices": {"method": "invariant_matrix", "p": 0.8}}])
    assert methods_of(nested) == ["pram", "invariant_matrix"]
    default = methods_of(Recipe("d", {}, [{"method": "microaggregate", "k": 3, "partition": "kmeans"}]))
    assert default[:2] == ["microaggregate", "kmeans"]
    assert "mdav" in default, "what it starts from if nothing is said"
    assert "Gouweleeuw" in source_of("pram")["references"][0]
    assert source_of("mdav")["does"].endswith(".")
    for row in facts()["citations"]:
        assert row["paper"].endswith(".")
        assert row["for"]
