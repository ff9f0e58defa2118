"""What was done, in words: the steps of a recipe, and what became of every column."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shoal.measures import ColumnLoss, column_covers
from shoal.measures.description.figure_words import in_words
from shoal.report.citations import source_of
from shoal.table import Table
from shoal.workflow.recipe import Recipe

Step = Mapping[str, Any]


def steps_in_words(recipe: Recipe) -> list[str]:
    """A sentence for every step, with its parameters.

    >>> steps_in_words(Recipe("r", {}, [{"method": "microaggregate", "k": 3}]))
    ['Groups of at least 3 similar records were formed; every record shows the centre of its group.']
    """
    said = [_sentence(step) for step in recipe.bound_steps()]
    if "household" in recipe.roles:  # which k counts
        said = [re.sub(r"(at least \d+ (?:similar )?)records", r"\1households", one) for one in said]
    return said


def treatment_in_words(original: Table, masked: Table, column: ColumnLoss) -> str:
    """What became of one column: bands, labels, other values, suppressed cells.

    >>> from shoal import as_table
    >>> from shoal.measures import column_losses
    >>> before, after = as_table({"age": [20, 25, 41]}), as_table({"age": ["20-29", "20-29", None]})
    >>> treatment_in_words(before, after, column_losses(before, after)[0])
    'in 1 band or label instead of 3 values; 1 cell suppressed (33.3 %)'
    """
    said = []
    if column.how == "coarser":
        said.append(_bands(original, masked, column.name))
    elif column.how == "other values":
        said.append(f"other values in {in_words(column.changed)} % of the cells")
    cells = len(original) - original.missing()[column.name]
    gone = round(column.suppressed * cells / 100)
    if gone:
        what = "1 cell" if gone == 1 else f"{gone:,} cells"
        said.append(f"{what} suppressed ({in_words(column.suppressed)} %)")
    return "; ".join(said) or "as it was"


def _bands(original: Table, masked: Table, name: str) -> str:
    """Bands of one width where nearly all are, else how many labels there are now."""
    column = column_covers(original, masked, name)
    covers, used = column.covers, np.unique(column.cells[~column.suppressed])
    values = len(covers.domain.values)
    if covers.domain.kind == "numeric" and len(used) > 2 and column.wide[~column.suppressed].all():
        widths = (covers.high - covers.low)[used] + (1.0 if covers.domain.whole else 0.0)
        common, counts = np.unique(widths.round(9), return_counts=True)
        width = float(common[counts.argmax()])
        if counts.max() >= len(used) - 2 and width > 0:  # the first and the last end with the file
            return f"in bands of {width:g}"
    wide = np.unique(column.cells[column.wide])
    labels = "band or label" if len(wide) == 1 else "bands or labels"
    if len(wide) < len(used):  # coarser only where it had to be
        share = 100.0 * float(column.wide.mean())
        return f"{in_words(share)} % of the cells in {len(wide):,} {labels}"
    return f"in {len(wide):,} {labels} instead of {values:,} values"


def _sentence(step: Step) -> str:
    words = WORDS.get(step["method"])
    said = None if words is None else words(step)
    if said is None:
        return str(source_of(step["method"])["does"])
    columns = step.get("columns")
    return said if not columns else f"{said[:-1]} ({', '.join(columns)})."


def _of_k(before: str, after: str) -> Callable[[Step], str | None]:
    return lambda step: f"{before} {step['k']} {after}" if "k" in step else None


def _recoded(step: Step) -> str:
    parts = [f"{name} at level {level} of its hierarchy" for name, level in step.get("levels", {}).items()]
    parts += [
        f"{name} cut at {', '.join(f'{cut:g}' for cut in cuts)}"
        for name, cuts in step.get("cuts", {}).items()
    ]
    parts += [f"categories of {name} merged" for name in step.get("merge", {})]
    return f"Values were replaced by coarser ones: {'; '.join(parts)}."


def _coded(beyond: str) -> Callable[[Step], str]:
    def words(step: Step) -> str:
        border = "a threshold" + (", which a share of the records passes," if "quantile" in step else "")
        given = step.get("replacement", "threshold")
        instead = {"threshold": "it", "mean": "their mean"}.get(str(given), "a value that was given")
        return f"Values {beyond} {border} were replaced by {instead}."

    return words


def _swapped(step: Step) -> str | None:
    return f"Values were swapped between records whose ranks differ by at most {step['percent']} %."


def _regions(step: Step) -> str:
    """Mondrian: what every record shows of its region.

    >>> _regions({"k": 3, "release": "centres"})
    'The file was cut into regions of at least 3 records; every record shows the centre of its region.'
    """
    shown = "the centre of its region" if step.get("release") == "centres" else "its region only"
    return f"The file was cut into regions of at least {step['k']} records; every record shows {shown}."


WORDS: Mapping[str, Callable[[Step], str | None]] = {
    "microaggregate": _of_k(
        "Groups of at least", "similar records were formed; every record shows the centre of its group."
    ),
    "individual_ranking": _of_k(
        "Column by column, groups of at least", "neighbouring values were replaced by their centre."
    ),
    "mondrian": lambda step: _regions(step) if "k" in step else None,
    "global_median": _of_k(
        "The file was cut into regions of at least", "records; every record shows the median of its region."
    ),
    "recode_to_k": _of_k(
        "The coarsening that loses least was searched under which at least", "records always look alike."
    ),
    "suppress_to_k": _of_k("Single cells were removed until at least", "records always look alike."),
    "global_recode": _recoded,
    "top_code": _coded("above"),
    "bottom_code": _coded("below"),
    "pram": lambda step: "Categories were changed at random, with known probabilities.",
    "rank_swap": lambda step: _swapped(step) if "percent" in step else None,
    "add_noise": lambda step: f"Random noise of {step['amount']:g} standard deviations was added to numbers.",
}
