"""Alarte Aleixandre: application of clustering techniques to privacy protection (2018): MDAV and HAC."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np
from paper import Cell, Item, Source

from shoal import as_table
from shoal.datasets import load_points, read_reference
from shoal.encode import encode
from shoal.measures import k_anonymity
from shoal.partition import hac, mdav, sse
from shoal.types import Labels, Matrix

KS = (3, 4, 5, 10)
PUPILS = {
    "2015 5th 03258 Male": 2,
    "2015 6th 03560 Female": 2,
    "2016 5th 03528 Female": 2,
    "2016 6th 03528 Male": 3,
    "2017 4th 03560 Female": 2,
}  # Table 3.1: every combination, and how often it is there
single = partial(hac, linkage="single")


@cache
def census() -> Matrix:
    """Census as z-scores."""
    return encode(read_reference("census"))


def loss(method: Callable[[Matrix, int], Labels], k: int) -> float:
    """The sum of squares on Census."""
    return sse(census(), method(census(), k))


def nineteen() -> Iterator[Cell]:
    X = encode(load_points())
    yield Cell(
        "MDAV",
        sse(X, mdav(X, 4, leftovers="nearest")),
        why="the thesis' sizes, 4, 5, 5, 5, by the nearest mean",
    )
    yield Cell("MDAV of sdcMicro", sse(X, mdav(X, 4)), exact=True)
    yield Cell("single linkage, plain", sse(X, single(X, 4, variant="plain")), exact=True)


def table_3_1() -> Iterator[Cell]:
    """The thesis' example of k-anonymity: the size of every class."""
    names = ["year", "grade", "zip", "sex"]
    rows = [row.split() for row, count in PUPILS.items() for _ in range(count)]
    table = as_table({name: [row[i] for row in rows] for i, name in enumerate(names)}, roles={"quasi": names})
    yield Cell("k", 100 / k_anonymity(table, table), exact=True)


def table_5_2() -> Iterator[Cell]:
    """What sdcMicro releases of the nineteen points: the mean of every group."""
    table = load_points()
    labels = mdav(encode(table), 4)
    for g in range(labels.max() + 1):
        rows = np.flatnonzero(labels == g)
        for name, column in zip(("Var1", "Var2"), table.names(), strict=True):
            title = f"records {', '.join(str(row + 1) for row in rows)}: {name}"
            yield Cell(title, float(table.column(column)[rows].mean()), exact=True)


def table_5_3() -> Iterator[Cell]:
    for k in KS:
        yield Cell(f"k = {k}", loss(mdav, k), exact=True)


def table_6_1() -> Iterator[Cell]:
    for k in KS:
        why = "" if k != 4 else "one unfinished cluster, which the thesis does not say how it places"
        yield Cell(f"k = {k}", loss(partial(single, variant="plain"), k), exact=k != 4, why=why)


def table_7_1() -> Iterator[Cell]:
    for k in KS:
        yield Cell(f"k = {k}", loss(single, k), why="leftovers grouped by MDAV")


def table_7_2(leftovers: str) -> Iterator[Cell]:
    for linkage in ("single", "complete", "centroid"):
        for k in KS:
            yield Cell(f"{linkage}, k = {k}", loss(partial(hac, linkage=linkage, leftovers=leftovers), k))


def table_7_3() -> Iterator[Cell]:
    for k in KS:
        yield Cell(f"k = {k}", loss(partial(single, variant="completion"), k), exact=True)


def table_8_1() -> Iterator[Cell]:
    for k in KS:
        more = loss(partial(single, variant="completion"), k) - loss(mdav, k)
        yield Cell(f"k = {k}, difference", more, exact=True)
    for k in KS:
        more = loss(hac, k) - loss(mdav, k)
        yield Cell(
            f"k = {k}, difference of Ward's linkage, maximal", more, why="our default; not in the thesis"
        )


def seconds() -> Iterator[Cell]:
    ways = {"MDAV": mdav, "plain": partial(single, variant="plain"), "maximal": single}
    ways |= {f"maximal, {name}": partial(hac, linkage=name) for name in ("complete", "centroid")}
    ways["completion"] = partial(single, variant="completion")
    for name, method in ways.items():
        for k in KS:
            method(census(), k)
            start = time.process_time()
            method(census(), k)
            took = time.process_time() - start
            yield Cell(f"{name}, k = {k}", took, took)


def draw_dendrogram(path: Path) -> None:
    from matplotlib.figure import Figure
    from scipy.cluster.hierarchy import dendrogram, linkage

    figure = Figure(figsize=(7.0, 3.4), layout="constrained")
    axis = figure.add_subplot()
    X = encode(load_points())
    dendrogram(linkage(X, "single"), labels=list(range(1, len(X) + 1)), ax=axis, color_threshold=0)
    axis.set_xlabel("record of Table 5.1")
    axis.set_ylabel("distance")
    figure.savefig(path, dpi=90)


def draw_points(path: Path) -> None:
    from matplotlib.figure import Figure

    table = load_points()
    X, (a, b) = encode(table), (table.column(name) for name in table.names())
    figure = Figure(figsize=(9.0, 3.0), layout="constrained")
    ways = {
        "MDAV (Figure 5.1)": partial(mdav, leftovers="nearest"),
        "MDAV of sdcMicro (Figure 5.2)": mdav,
        "HAC (Figure 6.2)": partial(single, variant="plain"),
    }
    for place, (title, method) in enumerate(ways.items(), 1):
        axis = figure.add_subplot(1, 3, place)
        axis.scatter(a, b, c=method(X, 4), cmap="tab10", vmax=9, s=36)
        axis.set_title(title, fontsize=9)
        axis.set_xticks(range(0, 8, 2))
    figure.savefig(path, dpi=90)


SOURCE = Source(
    "004",
    "Alarte Aleixandre 2018: hierarchical clustering",
    """
Alarte Aleixandre: Application of clustering techniques to privacy protection, master thesis, Universitat
Oberta de Catalunya (2018). Census, 1,080 records and 13 columns, z-scores, sums of squares. The thesis ran
on an Intel Core i7 4770k with 16 GB.
""",
    (
        Item(
            "nineteen points",
            "Sections 5.2 and 6.2: nineteen points",
            nineteen,
            """
k = 4. What the thesis computed with sdcMicro and its single linkage are met. Its own MDAV, 7.93, is not:
with groups of 4, 5, 5 and 5 records, as its Figure 5.1 has, 8.22 is the least that we found among 200 row
orders, three distances (Euclidean, Manhattan, Chebyshev) and every way to give the last three records to
groups; an earlier search through 3,000 row orders did not find 7.93 either.
""",
            quick=True,
            draw=draw_points,
        ),
        Item(
            "figure 6.1",
            "Figure 6.1: the dendrogram of the nineteen points",
            list,
            """
Single linkage without a size limit. The thesis prints no numbers in it.
""",
            draw=draw_dendrogram,
        ),
        Item(
            "table 3.1",
            "Table 3.1: an example of k-anonymity",
            table_3_1,
            """
Eleven pupils with year, grade, ZIP code and sex: every combination is there at least twice.
""",
            quick=True,
        ),
        Item(
            "table 5.2",
            "Table 5.2: what sdcMicro releases of the nineteen points",
            table_5_2,
            """
The means of the four groups of `mdav`: all values are met.
""",
            quick=True,
        ),
        Item("table 5.3", "Table 5.3: MDAV", table_5_3, "All four are met.", quick=True),
        Item(
            "table 6.1",
            "Table 6.1: HAC up to 2k-1 records",
            table_6_1,
            """
Single linkage, `variant="plain"`. Three of four are met; the fourth is lower here.
""",
            quick=True,
        ),
        Item(
            "table 7.1",
            "Table 7.1: as many groups as possible",
            table_7_1,
            """
Single linkage, `variant="maximal"`. The thesis says of the records of unfinished clusters that they "are
merged with other clusters, prioritising those with size less than k", and no more. Nine clusters of two
records or fewer are left at k = 3. Here MDAV groups their records, which is better each time.
""",
            quick=True,
        ),
        Item(
            "table 7.2",
            "Table 7.2: linkages, leftovers grouped by MDAV",
            partial(table_7_2, "mdav"),
            """
The thesis finds single linkage best. **That is what is left over, not the linkage.** Complete linkage
leaves 123 unfinished clusters at k = 3, centroid linkage 36, single linkage 9. Where MDAV groups what is
left over, single linkage is the worst of the three for k = 3, 5 and 10, and centroid linkage the best for
4, 5 and 10.
""",
            quick=True,
        ),
        Item(
            "table 7.2 listed",
            "Table 7.2 once more, leftovers taken in the order of the list",
            partial(table_7_2, "listed"),
            """
`leftovers="listed"`: the records of unfinished clusters one cluster after the other, k at a time. Complete
linkage then comes within 0.2 % of the thesis at k = 3, and single linkage is the best for k = 3, 4 and 10,
as in the thesis. Other rules that were tried come no nearer to all twelve: whole clusters one after the
other until there are k (single 1142, complete 2289, centroid 1294 at k = 3), the largest filled up from
the last (1219, 2038, 1468), each with the nearest unfinished one (978, 965, 932).
""",
            quick=True,
        ),
        Item(
            "table 7.3",
            "Table 7.3: begun clusters first",
            table_7_3,
            """
Single linkage, `variant="completion"`. All four are met.
""",
            quick=True,
        ),
        Item(
            "table 8.1",
            "Table 8.1: against MDAV",
            table_8_1,
            """
All four differences are met. Below them is what the linkage of Ward gives, which the thesis does not try:
better than MDAV at k = 3.
""",
            quick=True,
        ),
        Item(
            "seconds",
            "Seconds",
            seconds,
            """
Processor seconds of one core, the second call. HAC searches the closest pair among remembered partners
instead of the whole matrix.
""",
        ),
    ),
)
