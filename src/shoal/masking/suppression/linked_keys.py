"""Keys that are suppressed together, and keys of which only so many cells may go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from shoal._check import check_count, check_names
from shoal.errors import Infeasible, InvalidInput
from shoal.masking.suppression.wildcards import Codes, Mask, number_rows
from shoal.types import Matrix

TRIES = 12  # the importance of a column beyond its limit is doubled this often


def key_groups(names: Sequence[str], linked: Iterable[Iterable[str]] | None) -> list[list[int]]:
    """The columns that go together, as positions, every other column alone.

    >>> key_groups(["age", "zip", "town"], [["zip", "town"]])
    [[0], [1, 2]]
    """
    groups: list[list[int]] = []
    seen: set[int] = set()
    for given in linked or ():
        if isinstance(given, str):
            raise InvalidInput("`linked` needs lists of columns that go together: [['zip', 'town']].")
        members = [names.index(name) for name in check_names(given, names)]
        if seen & set(members):
            raise InvalidInput(f"Column {names[min(seen & set(members))]!r} is in two lists of `linked`.")
        seen |= set(members)
        groups.append(sorted(members))
    groups += [[number] for number in range(len(names)) if number not in seen]
    return sorted(groups)


def joined_codes(codes: Codes, weights: Matrix, groups: Sequence[Sequence[int]]) -> tuple[Codes, Matrix]:
    """One column of codes for every group, missing where all its cells are, and the weight of it all."""
    columns = []
    for group in groups:
        whole = codes[:, group]
        columns.append(whole[:, 0] if len(group) == 1 else _numbered(whole))
    return np.column_stack(columns), np.array([weights[list(group)].sum() for group in groups])


def _numbered(whole: Codes) -> Codes:
    gone = (whole < 0).all(axis=1)
    numbers = np.full(len(whole), -1, dtype=np.intp)
    if not gone.all():
        numbers[~gone] = number_rows(whole[~gone])
    return numbers


def within_limits(
    suppress: Callable[[Matrix], Mask],
    weights: Matrix,
    limits: Mapping[str, int] | None,
    names: Sequence[str],
) -> Mask:
    """The mask of `suppress(weights)`; a column beyond its limit is made dearer and all is tried again."""
    most = (
        {names.index(n): check_count(f"limits of {n}", limits[n]) for n in check_names(limits or (), names)}
        if limits
        else {}
    )
    for _ in range(TRIES):
        mask = suppress(weights)
        beyond = [number for number, limit in most.items() if mask[:, number].sum() > limit]
        if not beyond:
            return mask
        weights = weights.copy()
        weights[beyond] *= 2
    raise Infeasible(
        f"Column {names[beyond[0]]!r} still loses {mask[:, beyond[0]].sum()} cells, more than its limit; "
        "recode it first, or raise the limit."
    )
