"""Release, the only way to a file: write aside, count again on the bytes, then rename or give up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal._shared.display import Shown
from shoal.encode.spellings import warn_of_spellings
from shoal.errors import InvalidInput, PromiseBroken
from shoal.io import Address, Form, check_draft, drafted, form_for, frame_to_release, source_of
from shoal.io.atomic import check_target, refuse_inputs, whole_file
from shoal.masking import number_randomly
from shoal.measures.check import Verdict
from shoal.measures.compared_columns import compared_columns
from shoal.measures.evaluate import Combine, Evaluation, evaluate
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.models.promise import Promise
from shoal.table import Attribute, Table
from shoal.types import Callback, RandomState
from shoal.workflow.count_again import count_again, suppressed_records
from shoal.workflow.parted_households import warn_of_parted_households

PRIVATE = 0o600  # whoever has the key to the rows has the link to the original


@dataclass(frozen=True)
class Target:
    """Where a file is written, and how: by default shuffled, without identifiers, over nothing.

    Parameters
    ----------
    path
        The file (a path or its text) or a table of a database, or None for figures only.
    identifiers, shuffle, overwrite
        As in `write_table`.
    like
        A file whose form (separator, decimal mark ...) is kept.
    read
        The options that `like` was read with, as in `read_table`: what was said of its form is kept, too.
    inputs
        Files that were read: they are never overwritten, `overwrite` or not.
    row_key
        Where to write which record every row was: inside use only, readable by its owner alone.
    anyway
        Write a file that breaks its promise, and say so.
    same_households
        Keep the numbers of households, which are drawn anew at random otherwise; for tables that are linked
        by them and were numbered before.
    """

    path: Path | Address | None = None
    identifiers: bool = False
    shuffle: bool = True
    overwrite: bool = False
    like: Path | Address | None = None
    inputs: tuple[Path, ...] = ()
    row_key: Path | None = None
    anyway: bool = False
    same_households: bool = False
    read: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("path", "like"):
            if isinstance(given := getattr(self, name), str):
                object.__setattr__(self, name, source_of(given))
        if self.row_key is not None:
            object.__setattr__(self, "row_key", Path(self.row_key))
        object.__setattr__(self, "inputs", tuple(Path(path) for path in self.inputs))


@dataclass(frozen=True)
class Released(Shown):
    """What was measured, what was promised and reached, and whether a file was written."""

    evaluation: Evaluation
    verdict: Verdict
    suppressed: int
    path: Path | Address | None = None
    anyway: bool = False

    @property
    def kept(self) -> bool:
        """Whether the promise was kept."""
        return self.verdict.kept

    @property
    def reached(self) -> int:
        """The k that was counted, on the file where one was written."""
        return int(self.verdict.reached["k"])

    @property
    def headline(self) -> str:
        """The first line about a release: was the promise kept?"""
        return f"{'RELEASED ANYWAY: ' if self.anyway else ''}{self.verdict.headline}"

    def __str__(self) -> str:
        return f"{self.headline}\n{self.evaluation}"

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as plain facts, with what was promised and reached."""
        verdict = self.verdict.to_dict()
        said = {name: verdict[name] for name in ("promise", "kept", "reached", "breaking_records")}
        said |= {"notes": verdict["notes"]} if "notes" in verdict else {}
        facts = self.evaluation.to_dict() | {"k": self.reached, "suppressed_records": self.suppressed}
        return said | {"written": self.path is not None, "released_anyway": self.anyway} | facts


@takes_frames
def release(
    original: Table,
    masked: Table,
    promise: Promise,
    target: Target | Path | str | None,
    *,
    combine: Combine = "mean",
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Released:
    """Evaluate a masked table, write it aside, count its promise on the bytes; then name the file or give up.

    Parameters
    ----------
    original, masked
        The two tables, rows in the same order. The roles of the masked one say what is counted and written;
        where it has none for a column, as a plain frame has, that of the original counts.
    promise
        What the file must keep; an empty promise is kept, and k is counted all the same.
    target
        Where to write and how; a path alone means shuffled, without identifiers, over nothing; None means
        figures only.
    combine
        The score that is shown, as in `evaluate`; say the one that was optimised.
    rng
        Seed or generator of the shuffle; a seed is a secret.
    callback
        Called with `Progress` after every measure.

    Returns
    -------
    Released
        `.kept`, `.reached`, `.evaluation`, `.verdict`; without a path the table is counted as it is.

    Raises
    ------
    PromiseBroken
        If a file was asked for that would break its promise: nothing is in place then; `.released` has all
        figures. `Target(anyway=True)` writes it all the same.

    Notes
    -----
    Csv cells are counted as texts exactly as they stand, values of other files by exact value and by the text
    they print: what a stranger with the file can tell apart is different. Row by row figures are those before
    the shuffle. Cost: that of `evaluate`, of writing, and of reading the file once.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> from shoal import Promise, as_table
    >>> people = as_table({"age": [30, 30, 40, 40]}, roles={"quasi": ["age"]})
    >>> release(people, people, Promise(k=2), None).kept
    True
    """
    if not isinstance(promise, Promise):
        raise InvalidInput(f"`promise` must be a Promise such as Promise(k=5), got {type(promise).__name__}.")
    aim = target if isinstance(target, Target) else Target(None if target is None else source_of(target))
    rng = np.random.default_rng(rng)
    masked = with_roles_kept(original, masked)
    keys = None if masked.names("quasi") or promise else compared_columns(masked, masked)
    check_target_of(aim)
    warn_of_spellings(original)
    warn_of_parted_households(original, masked)
    frame_to_release(masked, identifiers=aim.identifiers)  # refused before long work, if at all
    rows = rng.permutation(len(masked)) if aim.shuffle and aim.path else np.arange(len(masked))
    result = evaluate(original, masked, combine=combine, threshold=promise.threshold, callback=callback)
    if aim.path is not None and masked.names("household") and not aim.same_households:
        masked, _ = number_randomly(masked, columns=masked.names("household"), rng=rng)
    frame = frame_to_release(masked, identifiers=aim.identifiers)
    if aim.path is None:
        return _released(result, frame, masked, rows, promise, keys)
    like = aim.like if isinstance(aim.like, Path) else None
    form = form_for(aim.path, Form(""), like=like, read=aim.read)
    with _row_key(aim, rows), drafted(aim.path, form, overwrite=aim.overwrite) as draft:
        draft.write(frame[rows], {a.name: a for a in masked.attributes})
        done = _released(result, draft.cells(), masked, rows, promise, keys, aim)
        if not done.kept and not aim.anyway:
            raise PromiseBroken(_why_not(done, masked), done)
    return done


def with_roles_kept(original: Table, masked: Table) -> Table:
    """The masked table, in which no column that the original has a role for is released without one.

    Identifiers that are pseudonyms by now, none of which names a record of the original, stay.

    >>> from shoal import as_table
    >>> before = as_table({"name": ["Ana"], "age": [30]}, roles={"identifier": "name", "quasi": "age"})
    >>> with_roles_kept(before, as_table({"name": ["x"], "age": [30]})).names("quasi")
    ['age']
    """
    known = {attribute.name: attribute.role for attribute in original.attributes}
    given = {role for role in ("weight", "household") if masked.names(role)}
    kept = []
    for attribute in masked.attributes:
        role = known.get(attribute.name, "other") if attribute.role == "other" else attribute.role
        if (
            attribute.role == "other"
            and role == "identifier"
            and not _same_names(original, masked, attribute)
        ):
            role = "other"
        kept.append(attribute if role in given else replace(attribute, role=role))
    return Table(masked.frame, tuple(kept))


def _same_names(original: Table, masked: Table, attribute: Attribute) -> bool:
    """Whether any cell of an identifier still is one of the original's."""
    before = {value for value in original.cells(attribute.name).tolist() if value is not None}
    return not before.isdisjoint(
        value for value in masked.cells(attribute.name).tolist() if value is not None
    )


def check_target_of(target: Target) -> None:
    """Before long work: refuse a target that is an input, exists already, or could not be written."""
    if target.path is None:
        return
    outputs = [target.path] if isinstance(target.path, Path) else []
    refuse_inputs(target.inputs, [*outputs, target.row_key])
    check_draft(target.path, overwrite=target.overwrite)
    if target.row_key is not None:
        check_target(target.row_key, target.overwrite)


def _released(
    result: Evaluation,
    cells: pl.DataFrame,
    masked: Table,
    rows: NDArray[np.intp],
    promise: Promise,
    keys: list[str] | None,
    target: Target | None = None,
) -> Released:
    verdict = count_again(cells, masked, rows, promise, keys)
    gone = suppressed_records(cells, list(verdict.keys))
    if target is None:
        return Released(result, verdict, gone)
    anyway = target.anyway and not verdict.kept
    return Released(result, verdict, gone, target.path if verdict.kept or anyway else None, anyway)


@contextmanager
def _row_key(target: Target, rows: NDArray[np.intp]) -> Iterator[None]:
    """Which record every written row is, in a private file that appears together with the data."""
    if target.row_key is None:
        yield
        return
    with whole_file(target.row_key, target.overwrite, mode=PRIVATE) as temporary:
        pl.DataFrame({"row": np.arange(len(rows)), "original_row": rows}).write_csv(temporary)
        yield


def read_row_key(path: Path, records: int) -> NDArray[np.intp]:
    """Which record of the original every row is, from the private file of a release.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "key.csv"
    >>> _ = path.write_text("row,original_row\\n0,1\\n1,0\\n")
    >>> read_row_key(path, 2)
    array([1, 0])
    """
    try:
        rows = pl.read_csv(path)["original_row"].to_numpy().astype(np.intp)
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise InvalidInput(f"{path.name} is no row key of a release.") from error
    if sorted(rows.tolist()) != list(range(records)):
        raise InvalidInput(f"{path.name} is the row key of another file: it does not name {records} records.")
    return rows


def _why_not(done: Released, masked: Table) -> str:
    """One sentence: what was reached, how many records break it, and what would mend it."""
    verdict = done.verdict
    records = "record breaks" if len(verdict.breaking_records) == 1 else "records break"
    return (
        f"The promise is broken: {verdict.shortfall}; {len(verdict.breaking_records)} {records} it and "
        f"nothing was written; {_mend(done, masked)}, or --release-anyway writes it and says so."
    )


def _mend(done: Released, masked: Table) -> str:
    """The option that would mend a broken promise."""
    if done.verdict.promise.whole_households is not None:
        return (
            "give the number of members the role stratum and leave out households of a rare size, "
            "or promise k for persons only"
        )
    if masked.names("household"):
        return "whole households must be hidden among others: ask for a larger k of the masker"
    gaps = [name for name in done.verdict.keys if name in masked.names() and masked.missing()[name]]
    size = done.verdict.promise.class_size
    if gaps and done.reached < size:
        without = counted_sizes(masked, gaps="wildcard", columns=done.verdict.keys)
        if without.min() >= size:  # it is the gaps that tell these records apart
            return (
                f"missing cells of {', '.join(gaps[:3])} stand out: a masker with missing=together "
                "(--set missing=together) or a step suppress_to_k mends it"
            )
    return "protect every column an intruder may know, add a step suppress_to_k, or promise less"
