"""Who stands out, against counting by hand on random files with gaps, ties, households and weights."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, Promise, as_table
from shoal.measures import global_risk, risk_facts, violating_records


def random_file(seed, household, weight):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    columns = {name: [None if rng.random() < 0.1 else int(rng.integers(0, d)) for _ in range(n)]
               for name, d in (("a", 4), ("b", 3), ("c", 12), ("one", 1))}  # fmt: skip
    roles = {"quasi": ["a", "b", "c", "one"]}
    if household:
        columns["home"] = rng.integers(0, n // 2 + 1, n).tolist()
        roles["household"] = ["home"]
    if weight:
        columns["w"] = rng.uniform(1, 50, n).tolist()
        roles["weight"] = ["w"]
    kinds = dict.fromkeys("abc", "nominal") | {"one": "nominal"}
    return columns, as_table(columns, roles=roles, kinds=kinds)


def sizes(columns, names):
    """What k counts for every record: records, or different households."""
    n = len(columns["a"])
    key = [tuple(columns[name][row] for name in names) for row in range(n)]
    if "home" not in columns:
        counted = Counter(key)
        return [counted[k] for k in key]
    homes = defaultdict(set)
    for row in range(n):
        homes[key[row]].add(columns["home"][row])
    return [len(homes[k]) for k in key]


@pytest.mark.slow
@pytest.mark.parametrize("household", [False, True])
@pytest.mark.parametrize("weight", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_facts_are_counted_by_hand(seed, household, weight):
    columns, table = random_file(seed, household, weight)
    names = ["a", "b", "c", "one"]
    facts = risk_facts(table, {"k": 3})
    found = sizes(columns, names)
    assert facts.records == len(found)
    assert facts.smallest == min(found)
    assert facts.alone == sum(size < 2 for size in found)
    assert facts.below == sum(size < 3 for size in found) == len(violating_records(table, 3))
    assert facts.classes == len(set(zip(*(columns[name] for name in names), strict=True)))
    for low, high, records in facts.histogram:
        assert records == sum(low <= size <= high for size in found)
    assert sum(records for _, _, records in facts.histogram) == len(found)
    for name, fact in zip(names, facts.columns, strict=True):
        without = sizes(columns, [other for other in names if other != name])
        assert fact.alone_without == sum(size < 2 for size in without)
        assert fact.below_without == sum(size < 3 for size in without)
        assert fact.alone_by_itself == sum(size < 2 for size in sizes(columns, [name]))
        assert fact.missing == columns[name].count(None)
        assert fact.distinct == len(set(columns[name]) - {None})
    if not household:
        assert facts.expected == pytest.approx(global_risk(table))
    assert facts.weighted == weight
    assert facts.riskiest == ()


@pytest.mark.parametrize("seed", range(10))
def test_riskiest_combinations_are_the_smallest_classes(seed):
    columns, table = random_file(seed, seed % 2, False)
    facts = risk_facts(table, riskiest=4)
    names = ["a", "b", "c", "one"]
    keys = {tuple(None if columns[name][row] is None else str(columns[name][row]) for name in names): size
            for row, size in enumerate(sizes(columns, names))}  # fmt: skip
    assert [size for _, size in facts.riskiest] == sorted(keys.values())[:4]
    for values, size in facts.riskiest:
        assert keys[tuple(None if v is None else str(int(float(v))) for v in values)] == size


def test_words():
    table = as_table({"age": [1, 2, 3, 3], "sex": list("ffff")}, roles={"quasi": ["age", "sex"]})
    facts = risk_facts(table)
    assert facts.sentence == "2 of 4 records are alone with age, sex."
    assert facts.most_telling.name == "age"
    assert (facts.wanted, facts.below) == (None, None)
    assert risk_facts(table, columns=["sex"]).sentence.startswith(
        "Nobody is alone with sex: every record looks"
    )
    assert risk_facts(table, columns=["sex"]).most_telling is None
    homes = as_table({"age": [1, 1], "home": [7, 7]}, roles={"quasi": "age", "household": "home"})
    assert risk_facts(homes).sentence == "2 of 2 records are alone with age."


def test_the_promise_says_how_many_are_wanted():
    table = as_table({"age": [1, 2, 3, 3]})
    assert risk_facts(table, Promise(max_risk=0.4), columns=["age"]).wanted == 3
    assert risk_facts(table, Promise(l={"age": 2}), columns=["age"]).below is None


def test_bad_input():
    table = as_table({"age": [1, 2]})
    with pytest.raises(InvalidInput, match="no column 'agee'"):
        risk_facts(table, columns=["agee"])
    with pytest.raises(InvalidInput, match="name at least one"):
        risk_facts(table, columns=[])
    with pytest.raises(InvalidInput, match="whole number of at least 1"):
        risk_facts(table, riskiest=-1, columns=["age"])
    with pytest.raises(NotApplicable, match="no records"):
        risk_facts(table.take(np.array([], dtype=int)), columns=["age"])
    weighted = as_table({"age": [1, 2], "w": [1.0, -1.0]}, roles={"quasi": "age", "weight": "w"})
    with pytest.raises(InvalidInput, match="positive"):
        risk_facts(weighted)
