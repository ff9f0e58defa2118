"""Yes or no: does one file keep a promise, and which of its records break it?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names
from shoal._shared.display import Shown
from shoal.encode.look_alikes import code_matrix, key_columns, look_alikes
from shoal.errors import InvalidInput, NotApplicable
from shoal.hierarchy.population_table import population_table
from shoal.measures.first_lines import promise_of_k
from shoal.measures.risk.household_sizes import household_sizes
from shoal.measures.risk.k_anonymity import Gaps, counted_sizes
from shoal.measures.risk.population_sizes import population_sizes
from shoal.models import Classes, class_distances, distinct_values
from shoal.models.population_counts import people_in_classes, population_of
from shoal.models.promise import Promise
from shoal.models.subset_sizes import subset_sizes
from shoal.table import Table, as_table


@dataclass(frozen=True, eq=False)
class Verdict(Shown):
    """Whether a file keeps its promise, what it reached, and the positions of the records that break it.

    `reached` has the k of the file, the l and t of every column they were promised for, and for any other
    model whether it holds. With `households` k counts households, not records.
    """

    promise: Promise
    kept: bool
    reached: Mapping[str, Any]
    breaking_records: NDArray[np.intp]
    sentences: tuple[str, ...]
    records: int
    classes: int
    keys: tuple[str, ...] = field(default=())
    households: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def headline(self) -> str:
        """The first line about a release: was the promise kept?"""
        if not self.promise:
            return self.sentences[0]
        if list(self.promise.to_dict()) == ["k"]:
            return promise_of_k(self.reached["k"], self.promise.k, households=self.households)[0]
        return f"The promise is {'kept' if self.kept else 'BROKEN'}: {self.shortfall}."

    @property
    def figures(self) -> str:
        """What was reached of what was promised, as 'k = 5, l of salary = 2'."""
        return _figures(self.reached)

    @property
    def shortfall(self) -> str:
        """What was promised against what was reached."""
        return f"{_figures(self.promise.to_dict())} was promised, {self.figures} reached"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain numbers and text; of the records that break the promise only their number."""
        return {
            "kept": self.kept,
            "promise": self.promise.to_dict(),
            "reached": dict(self.reached),
            "breaking_records": len(self.breaking_records),
            "records": self.records,
            "classes": self.classes,
            "keys": list(self.keys),
        } | ({"notes": list(self.notes)} if self.notes else {})

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def check(
    table: Any, promise: Promise, *, columns: Iterable[str] | str | None = None, gaps: Gaps = "category"
) -> Verdict:
    """Count whether a file keeps a promise.

    Parameters
    ----------
    table
        The file as it would be released; there is nothing to compare it with.
    promise
        What it should keep. An empty one is kept, and k is counted all the same.
    columns
        What an intruder may know; the quasi-identifiers if not given. Strata are always part of it, and where
        the table has a household role k counts households.
    gaps
        "category": a missing value is a value of its own; "wildcard": it looks like any value. That reading
        is weaker: an intruder may know that the cell is missing.

    Returns
    -------
    Verdict
        `.kept`, `.reached`, `.breaking_records` (row positions) and `.sentences`, the first says yes or no.

    Notes
    -----
    Time O(n log n) a column. Wildcards count for k and the highest risk only.

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).

    Examples
    --------
    >>> from shoal import Promise, as_table
    >>> people = as_table({"age": [30, 30, 40]}, roles={"quasi": "age"})
    >>> verdict = check(people, Promise(k=2))
    >>> verdict.kept, verdict.reached, verdict.breaking_records.tolist()
    (False, {'k': 1}, [2])
    """
    check_choice("gaps", gaps, ("category", "wildcard"))
    table = table if isinstance(table, Table) else as_table(table)
    if not len(table):
        raise NotApplicable("The file has no records.")
    if not isinstance(promise, Promise):
        raise InvalidInput(f"`promise` must be a Promise such as Promise(k=5), got {type(promise).__name__}.")
    hidden = [*table.names("confidential"), *check_names(promise.confidential, table.names())]
    classes = look_alikes(table, columns=columns, confidential=list(dict.fromkeys(hidden)))
    keys = key_columns(table, columns)
    classes = with_people(classes, table, promise, keys)
    if gaps == "wildcard":
        _refuse_wildcards(promise)
        return judged(promise, classes, counted_sizes(table, gaps=gaps, columns=columns), keys, gaps=gaps)
    sizes, notes = sizes_and_notes(promise, classes, code_matrix(table, keys), keys)
    return judged(promise, classes, sizes, keys, notes)


def sizes_and_notes(
    promise: Promise, classes: Classes, codes: NDArray[np.intp], keys: list[str]
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """What k counts, for every record, and what k does not say: whom it is for, and whole households.

    >>> classes = Classes(np.array([0, 0]), household=np.array([1, 2]))
    >>> sizes_and_notes(Promise(k=2), classes, np.array([[0], [0]]), ["age"])
    (array([2, 2]), ())
    """
    few, home, notes = promise.known_keys, classes.household, list[str]()
    if few is None:
        sizes = classes.sizes[classes.labels]
    else:
        sizes = subset_sizes(codes, few, home)
        if few < len(keys):
            notes.append(f"k holds for who knows any {few} of the {len(keys)} keys, not for who knows all.")
    if home is None:
        if promise.whole_households is not None:
            raise InvalidInput("Whole households need a column with the role household; say which one it is.")
        return sizes, tuple(notes)
    known = promise.whole_households or "size"
    wholes = household_sizes(codes, home, known)
    if promise.whole_households is not None:
        sizes = np.minimum(sizes, wholes)
    elif wholes.min() < promise.class_size:
        notes.append(_households_alone(home, wholes, promise.class_size))
    return sizes, tuple(notes)


def _households_alone(home: NDArray[np.intp], wholes: NDArray[np.intp], k: int) -> str:
    """How many households stand out by what all members share and how many they are."""
    few, everybody = len(np.unique(home[wholes < k])), len(np.unique(home))
    return (
        "k holds for persons; as wholes, by what all members share and how many they are, "
        f"{few:,} of {everybody:,} households have fewer than {k} alike: whole_households asks for that, too."
    )


def with_people(classes: Classes, table: Table, promise: Promise, keys: list[str]) -> Classes:
    """The classes with the people of the promise's population table whom their cells cover."""
    population = population_of(promise.others)
    if population is None:
        return classes
    everybody = population_table(population, keys)
    try:  # intervals of numbers cover people whose very number the file has not, which its hierarchy omits
        people = population_sizes(_read_as_intervals(table, everybody), everybody, columns=keys)
    except InvalidInput:
        people = population_sizes(table, everybody, columns=keys)
    return replace(classes, people=people_in_classes(people.astype(np.float64), classes.labels))


def _read_as_intervals(table: Table, everybody: Table) -> Table:
    """The table without the hierarchies of columns that are numbers in the population."""
    numbers = [name for name in table.names() if name in everybody.names() and everybody.is_number(name)]
    attributes = [replace(a, hierarchy=None) if a.name in numbers else a for a in table.attributes]
    return Table(table.frame, tuple(attributes))


def _refuse_wildcards(promise: Promise) -> None:
    if promise.known_keys is not None:
        raise InvalidInput("Sets of keys are counted with gaps as a category only; leave `gaps` out.")
    if promise.whole_households is not None:
        raise InvalidInput("Whole households are counted with gaps as a category only; leave `gaps` out.")


def judged(
    promise: Promise,
    classes: Classes,
    sizes: NDArray[np.intp] | None = None,
    keys: Iterable[str] = (),
    notes: tuple[str, ...] = (),
    *,
    gaps: Gaps = "category",
) -> Verdict:
    """The verdict about classes, however they were counted; `sizes` are what k counts, for every record.

    >>> judged(Promise(k=2), Classes(np.array([0, 0, 1]))).breaking_records.tolist()
    [2]
    """
    sizes = classes.sizes[classes.labels] if sizes is None else sizes
    broken = _broken(promise, classes, sizes)
    breaking = np.flatnonzero(np.any([*broken.values(), np.zeros(len(sizes), dtype=bool)], axis=0))
    others = {name: not bad.any() for name, bad in broken.items() if name in promise.others}
    reached = _reached(promise, classes, int(sizes.min())) | others
    households, names = classes.household is not None, tuple(keys)
    what = "households" if households else "records"
    sentences = (*verdict_sentences(promise, reached, len(breaking), len(sizes), what, gaps), *notes)
    kept, counted = not len(breaking), (len(sizes), classes.count)
    return Verdict(promise, kept, reached, breaking, sentences, *counted, names, households, notes)


def _broken(promise: Promise, classes: Classes, sizes: NDArray[np.intp]) -> dict[str, NDArray[np.bool_]]:
    """For every model that was promised, which records are in a class that breaks it."""
    broken = {}
    for name, model in promise.models().items():
        if name in ("k", "max_risk"):
            broken[name] = sizes < Promise(**{name: getattr(promise, name)}).class_size
        else:
            kept = np.asarray(model(classes), dtype=bool)
            broken[name] = np.broadcast_to(~kept, (classes.count,))[classes.labels]
    return broken


def _reached(promise: Promise, classes: Classes, k: int) -> dict[str, Any]:
    reached: dict[str, Any] = {"k": k}
    if promise.max_risk is not None:
        reached["max_risk"] = 1 / k
    if promise.l:
        reached["l"] = {name: int(distinct_values(classes, name).min()) for name in promise.l}
    if promise.t:
        reached["t"] = {name: float(class_distances(classes, name).max()) for name in promise.t}
    return reached


def verdict_sentences(
    promise: Promise, reached: Mapping[str, Any], breaking: int, records: int, what: str, gaps: Gaps
) -> tuple[str, ...]:
    """Yes or no first, then what was counted."""
    if not promise:
        first = f"No promise was made; counted on the file: k = {reached['k']}."
    elif not breaking:
        first = f"Yes: the promise is kept ({_figures(promise.to_dict())})."
    else:
        verb = "breaks" if breaking == 1 else "break"
        first = f"No: the promise is broken; {breaking} of {records} records {verb} it."
    found = [f"Promised {_figures(promise.to_dict())}, reached {_figures(reached)}."] if promise else []
    found += [f"k counts {what}."] if what == "households" else []
    found += ["Gaps were counted as wildcards, the weaker reading."] if gaps == "wildcard" else []
    return (first, *found)


def _figures(values: Mapping[str, Any]) -> str:
    """'k = 5, l of salary = 2', in words."""
    parts = []
    for name, value in values.items():
        if name == "known_keys":
            parts.append(f"in any {value} of the keys")
        elif name == "whole_households":
            parts.append(f"for whole households ({value})")
        elif name in ("l", "t"):
            parts += [f"{name} of {column} = {figure:.3g}" for column, figure in value.items()]
        elif isinstance(value, bool):
            parts.append(f"{name} {'kept' if value else 'broken'}")
        elif isinstance(value, Mapping):
            options = [_option_words(option, given) for option, given in value.items()]
            parts.append(f"{name} ({', '.join(options)})")
        else:
            parts.append(f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}")
    return ", ".join(parts)


def _option_words(option: str, given: Any) -> str:
    """'l of illness = 2' for an option by column, else 'c = 4'."""
    if isinstance(given, Mapping):
        return ", ".join(f"{option} of {column} = {value}" for column, value in given.items())
    return f"{option} = {given}"
