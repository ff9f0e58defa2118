"""Evolution of protected files and of PRAM matrices, as in chapters 3 and 4 of the thesis behind it.

Run `python benchmarks/quality/evolution.py` (half an hour on one core), or name files to redo only those:
`python benchmarks/quality/evolution.py german flare`. Four small tables go beside this script:

- evolution.csv: per file, fitness and share of the best first files left out: best score before and after
- evolution_populations.csv: loss and risk of every file of the first and the last population
- evolution_curves.csv: loss, risk and score of the best file while it evolves
- evolution_pram.csv: PRAM with the builders' and with evolved matrices, on drawn files

`docs/make_evolution_pictures.py` draws them. Seconds are processor seconds.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import Table, as_table
from shoal.datasets import read_reference
from shoal.errors import PrivacyWarning
from shoal.masking import frequency_matrix, invariant_matrix, inverse_frequency_matrix, pram
from shoal.search import breed_pram, evolve_file, evolve_pram, file_figures, first_files
from shoal.search.pram.pram_genes import SHARES
from shoal.types import Progress

HERE = Path(__file__).parent
RECORDS = 1_000  # of the samples of Adult and California housing
GENERATIONS = 1_500
DRAWN = 10  # files that PRAM draws with every set of matrices
PRAM_GENERATIONS = {"german": 80, "flare": 20, "adult": 20, "housing": 40}
CASES = tuple(product(("mean", "max"), (0.5, 0.0)))  # fitness, and the lowest probability to stay
SEED = 1
BUILDERS: Mapping[str, tuple[Callable[..., Any], Callable[[float], dict[str, float]]]] = {
    "frequency_matrix": (frequency_matrix, lambda share: {"p": 1 - share}),
    "inverse_frequency_matrix": (inverse_frequency_matrix, lambda share: {"theta": share}),
    "invariant_matrix": (invariant_matrix, lambda share: {"p": 1 - share}),
}


def german() -> Table:
    """German credit: seven quasi-identifiers, one of them a number."""
    return read_reference("german_credit")


def flare() -> Table:
    """Solar flare: thirteen columns of codes."""
    return read_reference("solar_flare")


def adult() -> Table:
    """A sample of Adult: seven categorical columns."""
    table = _sample(read_reference("adult_arx"))
    names = ["sex", "race", "marital-status", "education", "workclass", "occupation", "native-country"]
    return as_table(table, roles={"quasi": names, "other": ["age", "salary-class"]})


def housing() -> Table:
    """A file like the US housing survey of the thesis: California housing in classes, and where it is."""
    table = _sample(read_reference("california_housing"))
    columns = {name.lower(): table.column(name) for name in table.names()}
    found = {name: next(v for key, v in columns.items() if part in key) for name, part in PARTS.items()}
    households = np.maximum(found.pop("households"), 1)
    found["rooms"] = found["rooms"] / households
    classes = {name: _classes(values) for name, values in found.items() if name not in ("west", "south")}
    place = [f"{'W' if w else 'E'}{'S' if s else 'N'}" for w, s in zip(*_sides(found), strict=True)]
    kinds = {name: [f"{c}" for c in range(1, 6)] for name in classes}
    return as_table({"place": place, **classes}, roles={"quasi": ["place", *classes]}, kinds=kinds)


PARTS = {
    "built": "age",
    "income": "income",
    "rooms": "rooms",
    "people": "population",
    "value": "value",
    "households": "households",
    "west": "longitude",
    "south": "latitude",
}


def _sides(found: dict[str, Any]) -> tuple[Any, Any]:
    return found["west"] < np.median(found["west"]), found["south"] < np.median(found["south"])


def _classes(values: Any) -> list[str]:
    """Fifths of the values, from 1 to 5."""
    cuts = np.quantile(values, [0.2, 0.4, 0.6, 0.8])
    return [f"{1 + c}" for c in np.searchsorted(cuts, values, side="left")]


def _sample(table: Table) -> Table:
    return table.take(np.sort(np.random.default_rng(SEED).choice(len(table), RECORDS, replace=False)))


FILES = {"german": german, "flare": flare, "adult": adult, "housing": housing}


def evolve_files(name: str, table: Table) -> dict[str, list[dict[str, Any]]]:
    """Evolution for both fitnesses, from all first files and without the best 5 and 10 percent of them."""
    rows: dict[str, list[dict[str, Any]]] = {"": [], "_populations": [], "_curves": []}
    files = first_files(table, rng=SEED)
    figures = [file_figures(table, file) for file in files]
    for fitness, without in product(("mean", "max"), (0, 5, 10)):
        order = np.argsort([one.score(fitness) for one in figures], kind="stable")
        kept = [files[place] for place in order[round(without * len(files) / 100) :]]
        key = {"file": name, "fitness": fitness, "without": without}
        seen: list[Any] = []
        evolve_file(
            table,
            population=kept,
            fitness=fitness,
            generations=GENERATIONS,
            rng=SEED,
            callback=partial(_note, seen, time.process_time()),
        )
        rows[""].append(key | _summary(seen, len(kept), fitness))
        for when, (_, _, best) in (("first", seen[0]), ("last", seen[-1])):
            rows["_populations"] += [key | {"when": when, **_pair(one)} for one in best.file_figures()]
        for generation, seconds, best in seen[::30]:
            rows["_curves"].append(
                key | {"generation": generation, "seconds": round(seconds, 2), **_pair(best.figures)}
            )
        print(rows[""][-1], flush=True)
    return rows


def _note(seen: list[Any], begun: float, progress: Progress) -> None:
    """Remember the first and the last state, and figures of those between."""
    if len(seen) > 1:
        generation, seconds, best = seen[-1]
        seen[-1] = (generation, seconds, _Figures(best.figures))
    seen.append((len(seen), time.process_time() - begun, progress.best))


class _Figures:
    """The figures of a best file without the file."""

    def __init__(self, figures: Any) -> None:
        self.figures = figures


def _pair(figures: Any) -> dict[str, float]:
    return {"loss": round(figures.information_loss, 2), "risk": round(figures.disclosure_risk, 2)}


def _summary(seen: list[Any], files: int, fitness: Any) -> dict[str, Any]:
    first, last = seen[0][2].figures, seen[-1][2].figures
    return {
        "first_files": files,
        "generations": len(seen) - 1,
        "score_first": round(first.score(fitness), 3),
        "score_last": round(last.score(fitness), 3),
        "loss_first": round(first.information_loss, 3),
        "risk_first": round(first.disclosure_risk, 3),
        "loss_last": round(last.information_loss, 3),
        "risk_last": round(last.disclosure_risk, 3),
        "seconds": round(seen[-1][1], 1),
    }


def evolve_matrices(
    name: str, table: Table, cases: Iterable[tuple[Any, float]] = CASES
) -> Iterator[dict[str, Any]]:
    """PRAM with the builders' matrices and with evolved ones, judged on the same number of drawn files."""
    columns = [c for c in table.names(role="quasi") if table.attribute(c).kind != "numeric"]
    drawn = partial(_drawn, table, columns)
    built = {
        builder: [(share, drawn(partial(build, **options(share)))) for share in SHARES]
        for builder, (build, options) in BUILDERS.items()
    }
    for fitness, low in cases:
        key = {"file": name, "fitness": fitness, "diagonal": low}
        for builder, found in built.items():
            tried = [(_scored(pair, fitness), share) for share, pair in found if 1 - share >= low]
            best, share = min(tried, key=lambda pair: pair[0]["score"])
            text = ", ".join(f"{name}={value:.2g}" for name, value in BUILDERS[builder][1](share).items())
            yield key | {"method": builder, "setting": text} | best
        searches = {"evolve_pram": partial(evolve_pram, invariant=False, generations=PRAM_GENERATIONS[name])}
        if low and fitness == "max":
            searches["evolve_pram invariant"] = partial(searches["evolve_pram"], invariant=True)
        for mode in ("generational", "steady") if low else ():
            searches[f"breed_pram {mode}"] = partial(
                breed_pram, invariant=False, mode=mode, generations=PRAM_GENERATIONS[name] // 3
            )
        for title, search in searches.items():
            begun = time.process_time()
            found = search(table, columns=columns, fitness=fitness, diagonal=(low, 1.0), rng=SEED)
            seconds = round(time.process_time() - begun, 1)
            text = "" if found.equation is None else str(found.equation)
            expected = {"expected": round(found.score, 3), "seconds": seconds}
            yield key | {"method": title, "setting": text} | _scored(drawn(found), fitness) | expected


def _drawn(table: Table, columns: list[str], matrices: Any) -> tuple[float, float]:
    """Mean loss and risk of files drawn by PRAM."""
    files = [pram(table, matrices=matrices, columns=columns, rng=seed) for seed in range(DRAWN)]
    figures = [file_figures(table, file, columns=columns) for file in files]
    loss, risk = np.mean([[one.information_loss, one.disclosure_risk] for one in figures], axis=0)
    return float(loss), float(risk)


def _scored(pair: tuple[float, float], fitness: str) -> dict[str, float]:
    score = max(pair) if fitness == "max" else sum(pair) / 2
    return {"score": round(score, 3), "loss": round(pair[0], 3), "risk": round(pair[1], 3)}


def keep(name: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    """Write the rows of a file in place of its old ones."""
    for suffix, new in rows.items():
        path, frame = HERE / f"evolution{suffix}.csv", pl.DataFrame(new, infer_schema_length=None)
        if path.exists():
            old = pl.read_csv(path, infer_schema_length=None).filter(pl.col("file") != name)
            frame = pl.concat([old, frame], how="diagonal_relaxed")
        frame.write_csv(path)


def main(names: list[str]) -> None:
    """Run everything, or only these files."""
    warnings.simplefilter("ignore", PrivacyWarning)
    for name in names or FILES:
        table = FILES[name]()
        keep(name, evolve_files(name, table))
        matrices = []
        for row in evolve_matrices(name, table):
            print(row, flush=True)
            matrices.append(row)
        keep(name, {"_pram": matrices})


if __name__ == "__main__":
    main(sys.argv[1:])
