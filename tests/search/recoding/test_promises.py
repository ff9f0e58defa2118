"""What classes must be like besides k: kept by every masker that takes a promise, counted independently."""

from __future__ import annotations

import numpy as np
import pytest

from search.recoding.small_recodings import random_file
from shoal import Infeasible, InvalidInput, Promise, Recipe, as_table, with_hierarchies
from shoal.encode.look_alikes import look_alikes
from shoal.masking import microaggregate, mondrian, suppress_to_k
from shoal.measures import check
from shoal.search import find_recoding, recode_to_k

PROMISES = [
    {"l": {"ill": 2}},
    {"t": {"ill": 0.4}},
    {"l": {"ill": 2, "pay": 3}, "t": {"pay": 0.5}},
    {"entropy_l_diverse": {"l": {"ill": 1.5}}},
    {"recursive_l_diverse": {"l": {"ill": 2}, "c": 2}},
    {"alpha_k": {"alpha": {"ill": 0.7}}},
    {"beta_like": {"beta": {"ill": 1.5}}},
    {"average_risk": {"risk": 0.15}},
    {"max_risk": 0.15},
]


def with_secrets(seed):
    table, hierarchies, k, share = random_file(seed)
    rng = np.random.default_rng(seed)
    n = len(table)
    columns = {name: table.column(name).tolist() for name in table.names()}
    columns |= {"ill": rng.choice(["flu", "gout", "none"], n).tolist(), "pay": rng.integers(0, 9, n).tolist()}
    roles = {"quasi": table.names(), "confidential": ["ill", "pay"]}
    kinds = {name: table.attribute(name).kind for name in table.names()}
    return with_hierarchies(as_table(columns, roles=roles, kinds=kinds), hierarchies), k, share


def kept_by(masker, table, k, promise):
    try:
        masked = masker(table)
    except (Infeasible, InvalidInput):
        assert not check(table.assign(**{n: [None] * len(table) for n in table.names("quasi")}), promise).kept
        return 0
    verdict = check(masked, promise)
    assert verdict.kept, verdict.sentences
    return 1


@pytest.mark.parametrize("promise", PROMISES, ids=lambda p: "+".join(p))
@pytest.mark.parametrize("scheme", ["global", "local"])
def test_recoding_keeps_it(scheme, promise):
    done = 0
    for seed in range(40):
        table, k, share = with_secrets(seed)
        whole = Promise.from_dict({"k": k, **promise})
        done += kept_by(
            lambda t, k=k, share=share: recode_to_k(
                t, k=k, scheme=scheme, suppression=share, promise=promise, columns=t.names("quasi")
            ),
            table,
            k,
            whole,
        )
    assert done


@pytest.mark.parametrize("promise", PROMISES[:6], ids=lambda p: "+".join(p))
def test_suppression_keeps_it(promise):
    done = 0
    for seed in range(40):
        table, k, _ = with_secrets(seed)
        whole = Promise.from_dict({"k": k, **promise})
        done += kept_by(lambda t, k=k: suppress_to_k(t, k=k, promise=promise), table, k, whole)
    assert done


@pytest.mark.parametrize("promise", PROMISES[:4], ids=lambda p: "+".join(p))
@pytest.mark.parametrize("masker", [mondrian, microaggregate])
def test_other_maskers_keep_it(masker, promise):
    rng = np.random.default_rng(1)
    columns = {"age": rng.integers(18, 80, 120).tolist(), "size": rng.normal(size=120).tolist()}
    columns |= {
        "ill": rng.choice(["flu", "gout", "none"], 120).tolist(),
        "pay": rng.integers(0, 9, 120).tolist(),
    }
    table = as_table(columns, roles={"quasi": ["age", "size"], "confidential": ["ill", "pay"]})
    masked = masker(table, k=4, promise=promise)
    verdict = check(masked, Promise.from_dict({"k": 4, **promise}))
    assert verdict.kept, verdict.sentences


@pytest.mark.parametrize("seed", range(60))
def test_the_best_node_with_a_promise_is_found(seed):
    table, k, share = with_secrets(seed)
    options = {"k": k, "suppression": share, "promise": {"l": {"ill": 2}}, "columns": table.names("quasi")}
    values = []
    heights = [table.attribute(name).hierarchy.height for name in table.names("quasi")]
    for node in np.ndindex(*(height + 1 for height in heights)):
        levels = dict(zip(table.names("quasi"), map(int, node), strict=True))
        try:
            values.append(find_recoding(table, levels=levels, **options).value)
        except (Infeasible, InvalidInput):
            continue
    if not values:
        with pytest.raises((Infeasible, InvalidInput)):
            find_recoding(table, **options)
        return
    found = find_recoding(table, **options)
    assert found.proven
    assert found.value == pytest.approx(min(values), abs=1e-9)


def test_a_recipe_hands_its_promise_to_the_search():
    table, k, _ = with_secrets(5)
    roles = {"quasi": table.names("quasi"), "confidential": ["ill", "pay"]}
    promise = Promise(k=k, l={"ill": 2, "pay": 3})
    recipe = Recipe("a", roles, [{"method": "recode_to_k", "scheme": "local"}], {}, promise)
    assert check(recipe.run(table), promise).kept


def test_what_cannot_be_kept_is_said():
    table = as_table(
        {"a": ["x", "y", "x", "y"], "ill": ["flu"] * 4}, roles={"quasi": ["a"], "confidential": ["ill"]}
    )
    with pytest.raises(InvalidInput, match="`l` asks for 2 different values of 'ill', which has 1"):
        recode_to_k(table, k=2, promise={"l": {"ill": 2}})
    with pytest.raises(Infeasible, match="No recoding keeps the promise, though k = 2 alone can be kept"):
        recode_to_k(table, k=2, promise={"alpha_k": {"alpha": 0.5}})
    with pytest.raises(Infeasible, match="not kept even by one class of all"):
        recode_to_k(table, k=2, scheme="local", promise={"alpha_k": {"alpha": 0.5}})
    with pytest.raises(InvalidInput, match="Did you mean 'alpha_k'"):
        recode_to_k(table, k=2, promise={"alphak": {"alpha": 0.5}})


@pytest.mark.parametrize(
    "masker", [microaggregate, suppress_to_k, lambda table, **o: recode_to_k(table, scheme="local", **o)]
)
def test_risks_are_kept_by_larger_classes_not_by_joining_them(masker):
    rng = np.random.default_rng(0)
    sizes = rng.integers(0, 40, 400).tolist()
    table = as_table(
        {"size": sizes, "age": rng.integers(0, 9, 400).tolist()}, roles={"quasi": ["size", "age"]}
    )
    table = with_hierarchies(table, {"size": {"widths": [5, 10]}, "age": {"widths": [3]}})
    masked = masker(table, k=2, promise={"average_risk": {"risk": 0.15}})
    assert check(masked, Promise(others={"average_risk": {"risk": 0.15}})).kept
    assert len(look_alikes(masked).records) >= len(look_alikes(masker(table, k=7)).records)
