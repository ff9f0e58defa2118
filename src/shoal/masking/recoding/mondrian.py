"""Mondrian: cut the records into small regions and release the region instead of the record."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from shoal._check import check_choice, check_k, check_names
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import PrivacyWarning
from shoal.hierarchy import with_hierarchies
from shoal.hierarchy.tree import Hierarchy, nodes_of
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.aggregate import MISSING, Missing, aggregate
from shoal.masking.microaggregation.constraints import group_constraint
from shoal.masking.microaggregation.merge_groups import check_satisfiable
from shoal.masking.microaggregation.strata import check_strata, strata_of, treats_strata
from shoal.masking.protected_columns import finite_column, protected_columns
from shoal.masking.recoding.cut_tree import CutTree
from shoal.masking.recoding.kept_cuts import cuts_of, kept_cuts, placed_in_cuts, with_columns_of
from shoal.masking.recoding.mondrian_boxes import release_regions
from shoal.masking.recoding.mondrian_cuts import Axis, cut_regions, gain_rule, widest_rule
from shoal.masking.takes_where import takes_where
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix

Release = Literal["regions", "centres"]
Cut = Literal["gain", "widest"]
RULES = {"gain": gain_rule, "widest": widest_rule}
PROMISING = ("l_diversity", "t_closeness", "confidential", "promise")


@takes_where
@treats_strata
@by_household
@takes_frames
def mondrian(
    table: Table,
    *,
    k: int,
    cut: Cut = "gain",
    strict: bool = True,
    release: Release = "regions",
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    promise: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    cuts: Sequence[Mapping[str, Any]] | None = None,
    round: bool = False,
    missing: Missing = "together",
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Cut the records, one column at a time, into small regions of at least k, and release the regions.

    Parameters
    ----------
    table
        The table to protect.
    k
        Minimum number of records in a region; it has no default because it is the promise you make.
    cut
        Where a region is cut: "gain", where its ranges narrow most for what is given away; "widest", in
        the column with the widest range.
    strict
        Whether equal values stay together, so that regions do not overlap; relaxed cuts halve a region
        exactly and end with smaller ones.
    release
        "regions": intervals "[20, 35]", sets "{a, b}" or common ancestors; "centres": mean, median or mode.
    l_diversity, t_closeness, confidential, promise
        What regions must fulfil besides their size, see `shoal.masking.group_constraint`.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`: cuts follow the hierarchy, and regions
        are released as common ancestors.
    strata
        Column(s) whose classes are cut apart.
    cuts
        The cuts of an earlier file, as a fitted recipe keeps them: records fall into its regions. Where too
        few do, they go with the other part of the cut; a region widens where a value lies beyond it.
    round
        With centres: integer columns stay integer.
    missing
        A missing value is a value of its own when cutting. In a region that has both, "together" (and
        "suppress", the same here): the column becomes missing in the whole region; "fill": missing cells take
        the region, which nobody said; "keep": they stay missing and can tell records of a region apart, and a
        `PrivacyWarning` says so.
    columns
        The columns to protect; the quasi-identifiers if not given.
    callback
        Called with `Progress` as records find their region;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows in the same order. Columns released as regions become nominal text.

    Raises
    ------
    Infeasible
        If a stratum has fewer than k records, or does not fulfil the constraints even uncut.

    Notes
    -----
    Widths: numeric range, ranks or number of categories, each as a share of the whole file's; with a
    hierarchy the share of its values below the common ancestor. Time O(n d log n), memory O(n d).

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE (2006).

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [20, 25, 61, 67], "sex": ["f", "m", "f", "f"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "sex"]})
    >>> mondrian(table, k=2).frame.rows()
    [('[20, 25]', '{f, m}'), ('[20, 25]', '{f, m}'), ('[61, 67]', 'f'), ('[61, 67]', 'f')]
    """
    rule = RULES[check_choice("cut", cut, tuple(RULES))]
    check_choice("release", release, ("regions", "centres"))
    check_choice("missing", missing, MISSING)
    names = protected_columns(table, columns, strata=strata)
    check_k(k, len(table))
    table = with_hierarchies(table, hierarchies)
    stratum = strata_of(table, strata)
    check_strata(stratum, k)
    constraint = group_constraint(
        table,
        l_diversity=l_diversity,
        t_closeness=t_closeness,
        confidential=confidential,
        households=k,
        promise=promise,
    )
    if constraint is not None:
        check_satisfiable(stratum, constraint)
    axis_of = partial(_axis, release=release)
    whole = table
    if cuts is not None:
        kept, apart = cuts_of(cuts, names), check_names(strata or (), table.names())
        whole, labels = placed_in_cuts(
            table, kept, names, k=k, strata=apart, constraint=constraint, axis_of=axis_of
        )
    else:
        axes = [axis_of(table, name) for name in names]
        labels = cut_regions(axes, k, stratum, rule, strict, constraint, callback)
    _warn(table, names, missing)
    if release == "centres":
        return aggregate(table, labels[: len(table)], round=round, missing=missing, columns=names)
    return with_columns_of(table, release_regions(whole, labels, missing=missing, columns=names), names)


def learned_cuts(table: Table, **options: Any) -> dict[str, Any] | None:
    """The cuts that `mondrian` makes with these options, as `kept_cuts` writes them; None where it cannot.

    >>> from shoal import as_table
    >>> people = as_table({"age": [20, 25, 61, 67]}, roles={"quasi": "age"})
    >>> learned_cuts(people, k=2)["cuts"]
    [{'column': 'age', 'from': 61, 'below': 1, 'above': 2}, {'region': 0}, {'region': 1}]
    """
    rule = RULES[options.get("cut", "gain")]
    names = protected_columns(table, options.get("columns"), strata=options.get("strata"))
    table = with_hierarchies(table, options.get("hierarchies"))
    said = {name: options[name] for name in PROMISING if name in options}
    constraint = group_constraint(table, households=options["k"], **said)
    axes = [_axis(table, name, options.get("release", "regions")) for name in names]
    tree, strata = CutTree(), check_names(options.get("strata") or (), table.names())
    stratum = strata_of(table, strata)
    labels = cut_regions(axes, options["k"], stratum, rule, True, constraint, options.get("callback"), tree)
    return kept_cuts(table, axes, names, labels, tree, strata)


def _axis(table: Table, name: str, release: Release) -> Axis:
    codes, categories = categorise(table, name)
    attribute = table.attribute(name)
    if attribute.hierarchy is not None and (release == "regions" or attribute.kind == "nominal"):
        return _hierarchy_axis(attribute.hierarchy, codes, categories)
    if attribute.kind == "nominal":
        return Axis(codes + 1, None, _apart_from_missing)
    places = np.arange(len(categories), dtype=np.float64)
    if attribute.kind == "numeric":
        finite_column(table, name)
        places = np.array(categories, dtype=np.float64)
    if len(places):
        places = places / max(np.abs(places).max(), np.finfo(float).tiny)  # huge values stay in range
        places = (places - places[0]) / max(places[-1] - places[0], np.finfo(float).tiny)
    places = np.concatenate([[0.0], places])

    def width(low: Labels, high: Labels) -> Any:
        return np.where((low == 0) & (high > 0), 1.0, places[high] - places[low])

    return Axis(codes + 1, width, _apart_from_missing)


def _apart_from_missing(below: Labels, above: Labels) -> Matrix:
    """A cut between missing and observed values before any other."""
    return np.where(below == 0, 1.0, 0.0)


def _hierarchy_axis(hierarchy: Hierarchy, codes: Labels, categories: tuple[Any, ...]) -> Axis:
    """Ranks in the order of the hierarchy, so that every subtree is a range; cuts near the top come first."""
    nodes = nodes_of(hierarchy, categories)
    leaves = np.arange(len(hierarchy.paths))
    below = hierarchy.ancestors[leaves]
    counts, first = np.zeros(len(hierarchy.labels)), np.zeros(len(hierarchy.labels), dtype=np.intp)
    for level in range(hierarchy.height, -1, -1):
        found, start, count = np.unique(below[:, level], return_index=True, return_counts=True)
        counts[found], first[found] = count, start
    rank = np.empty(len(nodes) + 1, dtype=np.intp)
    order = np.lexsort((-hierarchy.levels[nodes], first[nodes]))
    rank[order], rank[-1] = np.arange(1, len(nodes) + 1), 0
    # a column of gaps alone has no line; one of its own keeps the indices below in range
    lines = hierarchy.ancestors[nodes[order]] if len(order) else hierarchy.ancestors[:1]

    def meeting(low: Labels, high: Labels) -> Labels:
        return np.asarray(np.argmax(lines[low - 1] == lines[high - 1], axis=1), dtype=np.intp)

    def width(low: Labels, high: Labels) -> Any:
        ancestor = lines[low - 1, meeting(low, high)]
        share = (counts[ancestor] - 1) / max(len(leaves) - 1, 1)
        return np.where(low == high, 0.0, np.where(low == 0, 1.0, share))

    def height(low: Labels, high: Labels) -> Matrix:
        return np.where(low == 0, hierarchy.height + 1.0, meeting(low, high))

    return Axis(rank[codes], width, height)


def _warn(table: Table, names: list[str], missing: Missing) -> None:
    holes = [name for name in names if table.missing()[name]]
    if missing == "keep" and holes:
        warnings.warn(
            f"Missing cells stay missing in {', '.join(holes)} and can tell records of one region apart; "
            'missing="together" removes that.',
            PrivacyWarning,
            stacklevel=4,
        )
