"""Marés Soler: categorical data protection on statistical datasets and social networks (2013), ch. 3 to 6."""

from __future__ import annotations

import csv
import runpy
from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from networks_003 import draw_networks, extracted, networks, quiet
from paper import FOLDER, Cell, Item, Source

from shoal import Table, as_table
from shoal.datasets import read_reference
from shoal.masking import invariant_matrix, pram
from shoal.report import plot_convergence
from shoal.search import breed_pram, evolve_file, evolve_pram, file_figures, first_files

QUALITY = FOLDER.parent / "quality"
THREE = {  # the thesis' names EXISTACC, PRESEMPLOY, SAVINGS; CLASS, LARGSPOT, SPOTDIST
    "German": ("german_credit", ("checking_status", "employment_since", "savings")),
    "Flare": ("solar_flare", ("zurich_class", "largest_spot_size", "spot_distribution")),
}
SEEDS = (1, 2, 3)
DEPTHS = (1, 2, 3, 5)


@cache
def three(name: str) -> Table:
    """A file with the thesis' three attributes as quasi-identifiers."""
    file, columns = THREE[name]
    return as_table(read_reference(file).select(list(columns)), roles={"quasi": list(columns)})


def spread(values: list[float]) -> str:
    """The runs behind a mean."""
    return f"{len(values)} seeds: {min(values):.2f} to {max(values):.2f}"


@cache
def evolved(name: str, fitness: str):
    """Evolutions of files from all first files, one for every seed."""
    quiet()
    run = partial(evolve_file, three(name), fitness=fitness, generations=600, details=True)
    return [run(rng=seed) for seed in SEEDS]


def table_3_2() -> Iterator[Cell]:
    for name in THREE:
        for fitness in ("mean", "max"):
            runs = evolved(name, fitness)
            first, last = ([run.history[at].best for run in runs] for at in (0, -1))
            yield Cell(f"{name}, {fitness}: best first file", float(np.mean(first)), why=spread(first))
            yield Cell(f"{name}, {fitness}: after 600 generations", float(np.mean(last)), why=spread(last))
            mean = [run.history[-1].mean for run in runs]
            yield Cell(f"{name}, {fitness}: mean of those alive", float(np.mean(mean)), why=spread(mean))


def draw_3_4(path: Path) -> None:
    searches = {
        f"{name}, seed {seed}": run
        for name in THREE
        for seed, run in zip(SEEDS, evolved(name, "max"), strict=True)
    }
    plot_convergence(searches, value="score, the larger of loss and risk").savefig(path, dpi=80)


def tarragona() -> Iterator[Cell]:
    quiet()
    table = read_reference("tarragona")
    names = table.names(role="quasi")[:3]
    runs = [
        evolve_file(table, columns=names, generations=300, details=True, fitness="mean", rng=seed)
        for seed in SEEDS
    ]
    for at, generation in ((0, 0), (100, 100), (300, 300)):
        values = [run.history[at].mean for run in runs]
        yield Cell(
            f"generation {generation}: mean score of those alive", float(np.mean(values)), why=spread(values)
        )
    values = [run.history[-1].best for run in runs]
    yield Cell("generation 300: best score", float(np.mean(values)), why=spread(values))


def left_out() -> Iterator[Cell]:
    """Figures 3.7 to 3.13 with several seeds: evolution without the best of the first files."""
    quiet()
    for name in THREE:
        table = three(name)
        files = first_files(table, rng=1)
        order = np.argsort([file_figures(table, file).score("max") for file in files], kind="stable")
        for without in (5, 10):
            kept = [files[place] for place in order[round(without * len(files) / 100) :]]
            run = partial(evolve_file, table, population=kept, generations=300, details=True)
            runs = [run(rng=seed) for seed in SEEDS]
            for title, at in (("best first file", 0), ("after 300 generations", -1)):
                values = [one.history[at].best for one in runs]
                text = f"{name}, best {without} % left out: {title}"
                yield Cell(text, float(np.mean(values)), why=spread(values) if at else "")


def lines_of(file: str) -> list[dict[str, str]]:
    """The rows of a table of benchmarks/quality."""
    with (QUALITY / file).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def figures_3_6() -> Iterator[Cell]:
    for row in lines_of("evolution.csv"):
        where = f"{row['file']}, {row['fitness']}" + (
            f", best {row['without']} % left out" if row["without"] != "0" else ""
        )
        text = (
            f"from {row['loss_first']} and {row['risk_first']} to {row['loss_last']} and {row['risk_last']}"
        )
        yield Cell(f"{where}: first score", float(row["score_first"]))
        yield Cell(f"{where}: last score", float(row["score_last"]), why=f"loss and risk {text}")


@cache
def matrices(name: str, columns: tuple[str, ...], seed: int, generations: int):
    """PRAM matrices evolved for some columns; with 0 generations the best of the builders' ones."""
    quiet()
    return evolve_pram(
        three(name), columns=columns, invariant=False, generations=generations, fitness="max", rng=seed
    )


def pram_scores() -> Iterator[Cell]:
    for name, (_, columns) in THREE.items():
        for chosen in (*((column,) for column in columns), columns):
            title = f"{name}, {chosen[0] if len(chosen) == 1 else 'all three'}"
            first = matrices(name, chosen, 1, 0)
            last = [matrices(name, chosen, seed, 60) for seed in SEEDS]
            yield Cell(f"{title}: best of the builders", first.score, why=_pair(first.figures))
            scores = [one.score for one in last]
            why = f"{_pair(last[0].figures)}; {spread(scores)}"
            yield Cell(f"{title}: evolved", float(np.mean(scores)), why=why)


def _pair(figures) -> str:
    return f"loss {figures.information_loss:.1f}, risk {figures.disclosure_risk:.1f}"


def draw_pram(path: Path) -> None:
    searches = {f"{name}, all three": matrices(name, columns, 1, 60) for name, (_, columns) in THREE.items()}
    plot_convergence(searches, value="expected score").savefig(path, dpi=80)


def matrix_and_frequencies() -> Iterator[Cell]:
    """Tables 4.1, 4.2, 4.6, 4.7 for SAVINGS of German credit."""
    columns = THREE["German"][1]
    first = matrices("German", columns, 1, 0)["savings"]
    last = [matrices("German", columns, seed, 60)["savings"] for seed in SEEDS]
    table = three("German")
    from shoal.encode.categories import categorise

    codes, categories = categorise(table, "savings")
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))[: len(categories)]
    for place, category in enumerate(categories):
        stays = [one[place, place] for one in last]
        why = f"evolved {np.mean(stays):.3f}; {spread(stays)}"
        yield Cell(f"{category}: stays, best builder", first[place, place], why=why)
    for place, category in enumerate(categories):
        expected = [(counts @ one)[place] for one in last]
        why = f"expected after {np.mean(expected):.1f}; {spread(expected)}"
        yield Cell(f"{category}: records before", counts[place], why=why)


def invariant() -> Iterator[Cell]:
    """Figures 4.10 to 4.13, Tables 4.8 to 4.11: what invariant matrices leave of pairs of attributes."""
    quiet()
    table, columns = three("German"), THREE["German"][1]
    search = partial(evolve_pram, table, columns=columns, generations=60, fitness="max")
    ways = {
        "invariant, p = 0.5": [partial(invariant_matrix, p=0.5)],
        "evolved, not invariant": [matrices("German", columns, seed, 60) for seed in SEEDS],
        "evolved, invariant": [search(invariant=True, rng=seed) for seed in SEEDS],
    }
    for title, found in ways.items():
        drawn = [
            [pram(table, matrices=one, columns=columns, rng=seed) for seed in range(10)] for one in found
        ]
        for one, other in pairwise(columns):
            pairs = [
                np.mean([_bivariate(table, file, one, other) for file in files], axis=0) for files in drawn
            ]
            gaps, squares = np.transpose(pairs).tolist()
            why = f"chi-square changes by {np.mean(squares):.0f} %"
            why += f"; {spread(gaps)}" if len(gaps) > 1 else ""
            yield Cell(f"{title}: {one} and {other}, pairs moved (%)", float(np.mean(gaps)), why=why)


def _bivariate(before: Table, after: Table, one: str, other: str) -> tuple[float, float]:
    """Percent of the records in another cell of the two-way table, and of change of its chi-square."""
    tables = []
    names = [sorted(set(before.column(name))) for name in (one, other)]
    for table in (before, after):
        counts = np.zeros([len(known) for known in names])
        for a, b in zip(table.column(one), table.column(other), strict=True):
            counts[names[0].index(a), names[1].index(b)] += 1
        tables.append(counts)
    expected = [counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum() for counts in tables]
    with np.errstate(all="ignore"):
        square = [float(np.nansum((c - e) ** 2 / e)) for c, e in zip(tables, expected, strict=True)]
    return 50 * np.abs(tables[0] - tables[1]).sum() / tables[0].sum(), 100 * (square[1] / square[0] - 1)


@cache
def bred(name: str, fitness: str, mode: str, deepest: int, seed: int, generations: int = 20):
    """Equations bred for the three attributes, twice as many as there are generations."""
    quiet()
    options = {"fitness": fitness, "mode": mode, "deepest": deepest, "invariant": False}
    sizes = {"generations": generations, "population": 2 * generations}
    return breed_pram(three(name), rng=seed, **options, **sizes)


def equations() -> Iterator[Cell]:
    """Tables 4.12 to 4.14, Figures 4.16 to 4.20."""
    for name, (_, columns) in THREE.items():
        standard = matrices(name, columns, 1, 0).figures
        for fitness in ("mean", "max"):
            for mode in ("generational", "steady"):
                found = [bred(name, fitness, mode, 5, seed) for seed in SEEDS]
                scores, best = [one.score for one in found], min(found, key=lambda one: one.score)
                why = f"{spread(scores)}; the best: {_pair(best.figures)}; {best.equation}"
                yield Cell(
                    f"{name}, {fitness}, {mode}: score", float(np.mean(scores)), why=why.replace("*", "·")
                )
        ours = [bred(name, "max", "generational", 5, seed).figures for seed in SEEDS]
        for measure in ("ctbil", "dbil", "ebil", "interval_risk", "distance_linkage_risk"):
            values = [getattr(one, measure) for one in ours]
            why = f"best standard PRAM {getattr(standard, measure):.2f}; {spread(values)}"
            yield Cell(f"{name}: {measure}, bred", float(np.mean(values)), why=why)


def draw_equations(path: Path) -> None:
    searches = {
        f"{name}, {mode}": bred(name, "max", mode, 5, 1) for name in THREE for mode in ("generational",)
    }
    plot_convergence(searches, value="expected score").savefig(path, dpi=80)


def depths() -> Iterator[Cell]:
    """Table 4.15."""
    for name in THREE:
        for deepest in DEPTHS:
            scores = [bred(name, "max", "generational", deepest, seed).score for seed in SEEDS]
            yield Cell(f"{name}, depth {deepest}: score", float(np.mean(scores)), why=spread(scores))


def clusters() -> Iterator[Cell]:
    """Tables 5.1 to 5.3."""
    quiet()
    script = runpy.run_path(str(QUALITY / "clusters.py"))
    for row in script["best_of"](pl.DataFrame(list(script["results"]()))).rows(named=True):
        name = f"{row['file']}, {row['method']}"
        why = f"loss {row['loss']}, risk {row['risk']}; c = {row['c']}, k = {row['k']}; "
        why += f"clustering loss {row['clustering loss']}"
        yield Cell(f"{name}: score", float(row["score"]), why=why)


SOURCE = Source(
    "003",
    "Marés Soler 2013: categorical data and networks",
    """
Marés Soler: Categorical data protection on statistical datasets and social networks, PhD thesis,
Universitat Autònoma de Barcelona (2013). **Our copy of the thesis has its contents, its lists of figures
and tables and the start of chapter 2, and not one figure of its chapters 3 to 6.** So nothing is compared
here: what the captions describe was done, and ours stands alone. The U.S. Housing file is not public;
German credit and Solar flare are the thesis' files, with its three attributes each. Scores are 0 to 100, less
is better.
""",
    (
        Item(
            "table 3.2",
            "Table 3.2, Figure 3.4: final scores over several executions",
            table_3_2,
            """
Evolution of files from all first files, 600 generations of 100 children, three seeds.
""",
            draw=draw_3_4,
        ),
        Item(
            "figure 3.5",
            "Figure 3.5: the mean score on Tarragona",
            tarragona,
            """
Numbers instead of categories: the first three columns of Tarragona, 300 generations, mean of loss and
risk, three seeds.
""",
        ),
        Item(
            "figure 3.6",
            "Figures 3.2, 3.3 and 3.6 to 3.13: populations before and after",
            figures_3_6,
            """
One seed, 1,500 generations, from `benchmarks/quality/evolution.csv`; with the mean of loss and risk
(equation 3.2) and the larger of the two (3.4), from all first files and without the best 5 and 10 per
cent. Adult and California housing in classes stand beside German credit and Solar flare.
`make papers` does not run these again; several seeds are in Table 3.2 above.

![Loss and risk of first and last files](../pictures/evolution_populations.png)

![Without the best tenth](../pictures/evolution_without_10.png)

![Loss and risk of the best file](../pictures/evolution_curves.png)
""",
        ),
        Item(
            "figure 3.9",
            "Figures 3.7 to 3.13 once more: three seeds, without the best first files",
            left_out,
            """
The thesis' three attributes, 300 generations of 100 children, the larger of loss and risk; the first files
are the same for every seed.
""",
        ),
        Item(
            "table 4.4",
            "Tables 4.3 to 4.5, Figures 4.4 to 4.9: PRAM matrices for one and for three attributes",
            pram_scores,
            """
Expected loss and risk, the larger of which is minimised; 60 generations, probabilities to stay of at least
one half.
""",
            draw=draw_pram,
        ),
        Item(
            "table 4.6",
            "Tables 4.1, 4.2, 4.6, 4.7: a matrix and frequencies, before and after",
            matrix_and_frequencies,
            """
SAVINGS of German credit where all three attributes are protected (the thesis shows DEGREE of its housing
file). Three seeds.
""",
        ),
        Item(
            "figure 4.12",
            "Figures 4.10 to 4.13, Tables 4.8 to 4.11: pairs of attributes under invariant matrices",
            invariant,
            """
Ten drawn files each, evolved matrices with three seeds. "Pairs moved" is half of the sum of absolute
differences of the two-way table in per cent of the records; chi-square is that of independence.
""",
        ),
        Item(
            "table 4.12",
            "Tables 4.12 to 4.14, Figures 4.16 to 4.20: bred equations against standard PRAM",
            equations,
            """
20 generations of 40 equations, depth 5 at most, three seeds. The mean of loss and risk is least where nothing
is masked (equation 0), so the larger of the two is what tells something.
""",
            draw=draw_equations,
        ),
        Item(
            "table 4.15",
            "Table 4.15: limits on the depth of equations",
            depths,
            """
The larger of loss and risk; 20 generations of 40 equations, three seeds.
""",
        ),
        Item(
            "table 5.1",
            "Tables 5.1 to 5.3, Figures 5.1 to 5.10: clusters first",
            clusters,
            """
The best setting of every method, of five k and five numbers of clusters c; c = 1 is without clusters. All
settings are in `benchmarks/quality/clusters.csv`.

![Loss and risk with and without clusters](../pictures/clusters.png)
""",
        ),
        Item(
            "figure 6.10",
            "Figures 6.10 to 6.13: protected networks",
            networks,
            """
Made-up networks of 400 and 800 users, three of each, k from 2 to 50, with the gazetteer and the topics shoal
has since November 2026; the thesis' graphs were crawled from Twitter and are not to be had.
""",
            draw=draw_networks,
        ),
        Item(
            "figure 6.14",
            "Figures 6.14 and 6.15: tables drawn from the networks",
            extracted,
            """
`to_table`, then microaggregation of all columns that an intruder may know.
""",
        ),
    ),
)
