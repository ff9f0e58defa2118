"""Checksums of what every partitioner, masker, measure and search gives on fixed files.

A move, a rename or a clean-up changes no label and no figure. Before it, then after it:

    python benchmarks/checksums.py before.json
    python benchmarks/checksums.py after.json --against before.json

Partitions are compared by their labels and figures by all their digits.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from shoal import masking, measures, partition, search
from shoal.datasets import make_census
from shoal.table import Table

LOSSES = getattr(measures, "LOSS", None) or measures.UTILITY
SLOW = {"exhaustive": 18, "hac": 400, "genetic": 60, "mf_tsp": 300, "two_step": 300, "mst": 600, "tfrp": 600}
FAST = ("mdav", "local_search", "best", "blockwise", "kmeans")
TRIES = {"rng": 0, "iterations": 300}  # the same seed, and an end that no clock decides


def matrices() -> Iterator[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    yield "normal", rng.normal(size=(2500, 4))
    yield "skewed", rng.lognormal(sigma=1.5, size=(900, 3))
    yield "tied", rng.integers(0, 6, size=(1200, 3)).astype(float)
    yield "column", rng.normal(size=(3000, 1))
    yield "large", rng.normal(size=(12_000, 6))


def known(function: Callable[..., Any], options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in options if name in inspect.signature(function).parameters}


def partitions() -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, X in matrices():
        for method in partition.PARTITIONERS:
            if name == "large" and method.__name__ not in FAST:
                continue
            rows = SLOW.get(method.__name__, len(X))
            tries = TRIES | {"generations": 30} if name != "large" else TRIES | {"iterations": 10}
            for k in (3, 10) if rows > 60 else (3,):
                yield (
                    f"{method.__name__} {name} k={k}",
                    lambda m=method, X=X[:rows], k=k, t=tries: m(X, k, **known(m, t)),
                )
    X = np.random.default_rng(1).normal(size=(60, 2))
    yield "lower_bound", lambda: partition.lower_bound(X, 3)


def people() -> Table:
    frame = make_census(600, rng=3).frame.drop_nulls()
    quasi = ["age", "sex", "region", "education", "hours"]
    others = [name for name in frame.columns if name not in (*quasi, "income")]
    return shoal.as_table(frame, roles={"quasi": quasi, "confidential": ["income"], "other": others})


def cells(table: Table) -> Any:
    return {name: table.frame[name].to_list() for name in table.names()}


def maskings(table: Table) -> Iterator[tuple[str, Callable[[], Table]]]:
    numbers = table.names(kind="numeric", role="quasi")
    calls: dict[str, dict[str, Any]] = {
        "microaggregate": {"k": 3},
        "individual_ranking": {"k": 3, "columns": numbers},
        "mondrian": {"k": 3},
        "global_median": {"k": 3},
        "protect_clusters": {"clusters": 3, "masker": lambda t: shoal.microaggregate(t, k=3)},
        "suppress_to_k": {"k": 3},
        "global_recode": {"cuts": {"age": [30, 60]}},
        "top_code": {"quantile": 0.9},
        "bottom_code": {"quantile": 0.1},
        "pram": {"matrices": lambda *a, **o: masking.invariant_matrix(*a, p=0.6, **o)},
        "rank_swap": {"percent": 20},
        "add_noise": {"amount": 0.3},
        "shuffle": {},
        "swap_records": {"rare": 2, "rate": 0.1, "areas": ["region"], "household": "household"},
        "keep_edits": {"rules": ["hours = age + age"]},
        "join_centres": {"k": 3, "centres": {n: table.frame[n].to_list()[::20] for n in numbers}},
    }
    for method in masking.MASKERS:
        yield method.__name__, lambda m=method: m(table, **calls.get(m.__name__, {}), **known(m, {"rng": 0}))
    trees = {"age": {"widths": [10, 30]}, "hours": {"widths": [20, 60]}}
    few = {"columns": list(trees), "hierarchies": trees}
    yield "recode_to_k", lambda: search.recode_to_k(table, k=3, suppression=0.05, **few)
    yield "recode_to_k local", lambda: search.recode_to_k(table, k=3, scheme="local", **few)
    for name in ("mdav", "best", "kmeans"):
        method = getattr(partition, name)
        part = lambda X, k, m=method: m(X, k, **known(m, TRIES))  # noqa: E731
        yield f"microaggregate {name}", lambda p=part: shoal.microaggregate(table, k=5, partition=p)


def searches(table: Table) -> Iterator[tuple[str, Callable[[], Any]]]:
    numbers = table.names(kind="numeric")
    yield "gomm", lambda: list(search.gomm(table, k=3, generations=5, columns=numbers, rng=0))
    yield "evolve_file", lambda: cells(search.evolve_file(table, generations=5, rng=0))
    yield "evolve_pram", lambda: str(search.evolve_pram(table, generations=3, rng=0))


def outcome(call: Callable[[], Any]) -> str:
    """A checksum of the result, or the error's sentence."""
    try:
        found = call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, Table):
        found = cells(found)
    text = found.tolist() if isinstance(found, np.ndarray) else found
    return hashlib.md5(repr(text).encode()).hexdigest()


def figures() -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, call in partitions():
        yield f"partition {name}", call
    table = people()
    for name, call in maskings(table):
        yield f"mask {name}", call
        try:
            masked = call()
        except Exception:
            continue
        for measure in (*LOSSES, *measures.RISK):
            yield f"measure {measure.__name__} of {name}", lambda m=measure, t=masked: m(table, t)
    for name, call in searches(table):
        yield f"search {name}", call


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--against", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found = {name: outcome(call) for name, call in figures()}
    arguments.output.write_text(json.dumps(found, indent=1))
    print(f"{len(found)} results, {sum(': ' in text for text in found.values())} of them refusals")
    if arguments.against:
        before = json.loads(arguments.against.read_text())
        changed = sorted(name for name in before.keys() | found.keys() if before.get(name) != found.get(name))
        print(f"{len(changed)} differ from {arguments.against.name}", *changed, sep="\n  ")
        sys.exit(bool(changed))


if __name__ == "__main__":
    main()
