"""Targeted record swapping: households that stand out where they live change places with similar ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_count, check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.encode.categories import categorise
from shoal.encode.sampling_weights import check_household_weights
from shoal.errors import Infeasible, InvalidInput, PrivacyWarning
from shoal.masking.cells import move_cells
from shoal.masking.households.household_variables import household_of
from shoal.masking.swapping.swap_pairs import Pairing, pair_households
from shoal.table import Table
from shoal.types import Callback, Labels, RandomState

Codes = NDArray[np.intp]
Keys = NDArray[np.uint64]


@takes_frames
def swap_records(
    table: Table,
    *,
    rare: int,
    rate: float,
    areas: Sequence[str] | str,
    risky: Iterable[str] | str | None = None,
    similar: Sequence[Iterable[str] | str] = ((),),
    carry: Iterable[str] | str = (),
    household: str | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Swap the areas of households that stand out where they live with those of similar households elsewhere.

    Parameters
    ----------
    table
        The table to protect: one record per person, or per household.
    rare
        A household stands out in an area if fewer than so many records there share the `risky` values of one
        of its members; it has no default because it is the protection.
    rate
        The least share of households to swap, 0 to 1: if fewer stand out, others are drawn at random.
    areas
        The columns of the geography, from the widest area to the finest; each value of a finer one lies in
        one value of the wider one.
    risky
        The columns by which a record can stand out; the quasi-identifiers that are no areas if not given.
    similar
        Profiles, from the one preferred to the last resort: columns in which two households must agree (as
        a whole: the same values among their members). The size of the household is part of every profile.
    carry
        Further columns that belong to the area and go with it.
    household
        The column that says who lives together; the one with the role household if not given, and without
        one every record is a household.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every level of the geography;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; only `areas` and `carry` changed, whole households together.

    Raises
    ------
    Infeasible
        If no household can be swapped although some stand out or a rate was asked for.

    Notes
    -----
    Level by level from the widest area: a household that stands out at a level is swapped with one of
    another area of that level within the same wider area, so that counts of the wider areas stay as they
    are; no household moves twice. Households that find no partner with the last profile stay, and a
    `PrivacyWarning` says how many. Counts of every column alone and of all columns but the areas stay as they
    were. Swapping is doubt, not k-anonymity: count k with `check`. Time O(n log n) a level.

    References
    ----------
    Antal, Enderle, Giessing: Statistical disclosure control methods for harmonised protection of census data,
    Eurostat (2017); Shlomo, Tudor, Groom: Data swapping for protecting census tables, Privacy in Statistical
    Databases (2010).

    Examples
    --------
    >>> from shoal import as_table
    >>> people = {"town": ["a", "a", "b", "b"], "job": ["spy", "cook", "cook", "cook"]}
    >>> table = as_table(people, roles={"quasi": ["town", "job"]})
    >>> sorted(swap_records(table, rare=2, rate=0, areas="town", rng=1).frame["town"].to_list())
    ['a', 'a', 'b', 'b']
    """
    rng = np.random.default_rng(rng)
    areas = check_names(areas, table.names())
    if not areas:
        raise InvalidInput("`areas` is empty; name at least one column of the geography.")
    check_count("rare", rare)
    rate = check_number("rate", rate, 0, 1)
    moved = [*areas, *(name for name in check_names(carry, table.names()) if name not in areas)]
    homes = household_of(table, household)
    check_household_weights(table)
    places = [_place_of(table, areas[: level + 1], homes) for level in range(len(areas))]
    traits = _risky_columns(table, risky, moved)
    profiles = [_profile(table, check_names(names, table.names()), homes) for names in similar]
    pairing = Pairing(np.full(len(profiles[0]) if profiles else _count(homes), -1, dtype=np.intp))
    if len(table):
        outstanding = [
            _stand_out(table, traits, place[homes], homes, rare) for place in reported(places, callback)
        ]
        pairing = pair_households(outstanding, places, profiles, rate, rng)
    _say(pairing, rate)
    return move_cells(table, dict.fromkeys(moved, _sources(homes, pairing.partner)))


def _count(homes: Labels) -> int:
    return int(homes.max(initial=-1)) + 1


def _place_of(table: Table, areas: list[str], homes: Labels) -> Codes:
    """The area of every household, by the names of all wider areas too; members must live in one place."""
    place = np.zeros(len(table), dtype=np.intp)
    for name in areas:
        codes = categorise(table, name)[0] + 1
        place = np.unique(place * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1].reshape(-1)
    found = np.zeros(_count(homes), dtype=np.intp)
    found[homes] = place
    elsewhere = found[homes] != place
    if elsewhere.any():
        raise InvalidInput(
            f"Column {areas[-1]!r} differs within the household of row {int(np.argmax(elsewhere))}; "
            "a household must live in one area."
        )
    return found


def _risky_columns(table: Table, risky: Iterable[str] | str | None, moved: list[str]) -> list[str]:
    if risky is None:
        names = [name for name in table.names(role="quasi") if name not in moved]
    else:
        names = check_names(risky, table.names())
    both = [name for name in names if name in moved]
    if both:
        raise InvalidInput(f"Column {both[0]!r} is swapped, so it cannot be one of `risky`; leave it out.")
    if not names:
        raise InvalidInput("No column is left by which a record could stand out; name some in `risky`.")
    return names


def _profile(table: Table, names: list[str], homes: Labels) -> Keys:
    """One number per household: alike for households with the same members in these columns.

    A random number per combination of values, summed over the members: the sum does not depend on their
    order, and two different households agree by chance once in 2^64.
    """
    members = np.zeros(len(table), dtype=np.intp)
    for name in names:
        codes = categorise(table, name)[0] + 1
        width = int(codes.max(initial=0)) + 1
        members = np.unique(members * width + codes, return_inverse=True)[1].reshape(-1)
    words = np.random.default_rng(0).integers(0, 2**64, int(members.max(initial=0)) + 1, dtype=np.uint64)
    total = np.zeros(_count(homes), dtype=np.uint64)
    np.add.at(total, homes, words[members])
    return total


def _stand_out(table: Table, traits: list[str], place: Codes, homes: Labels, rare: int) -> NDArray[np.bool_]:
    """Households with a member whose traits fewer than `rare` records of the area share."""
    classes = place
    for name in traits:
        codes = categorise(table, name)[0] + 1
        width = int(codes.max(initial=0)) + 1
        classes = np.unique(classes * width + codes, return_inverse=True)[1].reshape(-1)
    few = np.bincount(classes)[classes] < rare
    return np.bincount(homes, weights=few) > 0


def _sources(homes: Labels, partner: Codes) -> Codes:
    """For every record a record whose areas it takes: its own, or any of its household's partner."""
    first = np.zeros(len(partner), dtype=np.intp)
    first[homes[::-1]] = np.arange(len(homes))[::-1]
    rows = np.arange(len(homes))
    swapped = partner[homes] >= 0
    rows[swapped] = first[partner[homes[swapped]]]
    return rows


def _say(pairing: Pairing, rate: float) -> None:
    households, swapped = len(pairing.partner), int((pairing.partner >= 0).sum())
    if (pairing.unmatched or rate > 0) and households and not swapped:
        raise Infeasible(
            "No household could be swapped: none has a similar one in another area; name fewer columns in "
            "the last profile of `similar`."
        )
    if pairing.unmatched:
        warnings.warn(
            f"{pairing.unmatched} of {households} households stand out and found no similar one to swap "
            "with; add a profile with fewer columns to `similar`.",
            PrivacyWarning,
            stacklevel=4,
        )
    elif swapped < np.floor(rate * households):
        warnings.warn(
            f"{swapped} of {households} households were swapped, fewer than the rate asked for: no similar "
            "ones are left; add a profile with fewer columns to `similar`.",
            PrivacyWarning,
            stacklevel=4,
        )
