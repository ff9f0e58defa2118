"""Releasing linked tables: all of them, each counted and every join counted, or none."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal._shared.options import sub_progress
from shoal.encode.look_alikes import key_columns
from shoal.errors import Infeasible, InvalidInput, NotApplicable, PromiseBroken
from shoal.io import Form, form_for
from shoal.io.formats import format_called
from shoal.masking.households.keep_household_k import keep_household_k
from shoal.masking.microaggregation.strata import strata_of
from shoal.measures.check import Verdict
from shoal.models.promise import Promise
from shoal.table import Table, as_table
from shoal.types import Callback, RandomState
from shoal.workflow.count_again import count_again
from shoal.workflow.project.childless import few_childless, hidden_childless
from shoal.workflow.project.linked_tables import joined_cells, numbered_in_step, parent_rows, with_parent
from shoal.workflow.project.project import Join, Project, ProjectTable
from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import find_method, options_of
from shoal.workflow.release import Released, Target, release

ABOVE = "classes of the table above (shoal)"  # a column of strata while a child is masked; never released


@dataclass(frozen=True)
class ReleasedProject:
    """What was counted in every table and on every join, and the folder they are in."""

    tables: Mapping[str, Released]
    joins: Mapping[str, Verdict]
    folder: Path | None

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        return all(done.kept for done in self.tables.values()) and all(v.kept for v in self.joins.values())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain facts."""
        return {
            "kept": self.kept,
            "written": self.folder is not None,
            "tables": {name: done.to_dict() for name, done in self.tables.items()},
            "joins": {name: verdict.to_dict() for name, verdict in self.joins.items()},
        }


def mask_project(
    project: Project,
    tables: Mapping[str, Table],
    *,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> dict[str, Table]:
    """Mask all tables of a project in step: parents first, children within look-alike parents.

    Parameters
    ----------
    project
        The project.
    tables
        Its tables, of `project.read_tables()`.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress`.

    Returns
    -------
    dict
        The masked tables. Columns that a child shares with its parent by name have the masked values there;
        `release_project` draws new numbers for the keys of joins, the same in all tables.

    Notes
    -----
    A child is masked inside classes of look-alike parents, and where fewer than k different parents look
    alike in both tables, the child's columns become missing. Cost: that of the recipes.

    Examples
    --------
    >>> project = Project.from_toml('[[tables]]\\nname = "a"\\nsource = "a.csv"')
    >>> mask_project(project, {"a": as_table({"x": [1, 2]})})["a"].frame["x"].to_list()
    [1, 2]
    """
    rng = np.random.default_rng(rng)
    links = {join.child: join for join in project.joins}
    rows = {name: parent_rows(join, tables[name], tables[join.parent]) for name, join in links.items()}
    masked: dict[str, Table] = {}
    lines: dict[str, Table] = {}  # with what is known of all tables above
    for position, (name, given) in enumerate(project.tables.items()):
        step = sub_progress(callback, position, len(project.tables))
        table, recipe = tables[name], given.recipe
        k = max(project.promise.class_size, given.promise.class_size)
        below = [rows[child] for child, join in links.items() if join.parent == name]
        apart = _with_children(name, len(table), below if recipe else [], k, name in links)
        with _named(name):
            if recipe is not None and below and few_childless(apart, k):
                run = partial(recipe.run, rng=rng, callback=step)
                masked[name] = hidden_childless(recipe.describe(table), apart, name, run)
            elif name in links:
                above = lines[links[name].parent]
                masked[name] = _below(table, above, rows[name], recipe, apart, k, rng, step)
            else:
                masked[name] = _inside(table, apart, recipe, rng, step)
        lines[name] = masked[name]
        if name in links:
            above = lines[links[name].parent]
            lines[name] = with_parent(masked[name], above, rows[name], key_columns(above))
    return masked


@contextmanager
def _named(name: str) -> Iterator[None]:
    """What is wrong with a table says which; look-alikes of the table above are strata of its records."""
    try:
        yield
    except (InvalidInput, Infeasible, NotApplicable) as wrong:
        raise type(wrong)(f"Table {name}: {wrong}") from wrong


def _with_children(name: str, records: int, children: list[np.ndarray], k: int, is_child: bool) -> np.ndarray:
    """Parents that have records below apart from those that have none.

    On a join only parents with children are seen, so classes must be large among them.
    """
    has = np.zeros(records, dtype=np.intp)
    for rows in children:
        has[rows] = 1
    without = int((has == 0).sum())
    if children and is_child and 0 < without < k:
        raise Infeasible(
            f"{without} records of {name} have no record in the tables below it, fewer than k = {k}, so that "
            "they would stand out; leave them out."
        )
    return has


def _inside(
    table: Table,
    classes: np.ndarray,
    recipe: Recipe | None,
    rng: np.random.Generator,
    callback: Callback | None,
) -> Table:
    """The table masked by a recipe, no group of records crossing these classes."""
    if recipe is None or len(np.unique(classes)) < 2:
        return recipe.run(table, rng=rng, callback=callback) if recipe else table
    column = as_table({ABOVE: classes}, kinds={ABOVE: "nominal"})
    whole = with_parent(table, column, np.arange(len(table)), [ABOVE])
    roles = {**recipe.roles, "stratum": [*recipe.roles.get("stratum", []), ABOVE]}
    inner = replace(recipe, roles=roles, steps=[_nested(step, recipe) for step in recipe.steps])
    return inner.run(whole, rng=rng, callback=callback).select(table.names())


def _below(
    table: Table,
    parent: Table,
    rows: np.ndarray,
    recipe: Recipe | None,
    apart: np.ndarray,
    k: int,
    rng: np.random.Generator,
    callback: Callback | None,
) -> Table:
    """A child masked inside the classes of its masked parents; its shared columns are theirs."""
    above = key_columns(parent)
    shared = [column for column in above if column in table.names()]
    table = with_parent(table, parent, rows, shared)
    classes = strata_of(parent, above)[rows] if above else np.zeros(len(rows), dtype=np.intp)
    own = [column for column in table.names("quasi") if column not in shared]
    left = recipe
    if recipe is not None:
        roles = {role: [c for c in columns if c not in shared] for role, columns in recipe.roles.items()}
        left = replace(recipe, roles=roles)
    done = _inside(table, 1 + 2 * classes + apart, left, rng, callback)
    if k > 1 and recipe is not None:
        column = as_table({ABOVE: classes}, kinds={ABOVE: "nominal"})
        whole = with_parent(done, column, np.arange(len(rows)), [ABOVE])
        done = keep_household_k(whole, rows, k, [ABOVE], own).select(table.names())
    roles_of = {a.name: a.role for a in table.attributes}
    again = [replace(a, role=roles_of[a.name]) if a.name in shared else a for a in done.attributes]
    return Table(done.frame, tuple(again))


def _nested(step: Mapping[str, Any], recipe: Recipe) -> dict[str, Any]:
    given = step.get("strata") or recipe.roles.get("stratum", [])
    if "strata" not in options_of(find_method(step["method"])):
        return dict(step)
    return {**step, "strata": [*([given] if isinstance(given, str) else given), ABOVE]}


def release_project(
    project: Project,
    folder: str | Path,
    *,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> ReleasedProject:
    """Mask the tables of a project and write all of them to a new folder, or none.

    Parameters
    ----------
    project
        The project; its sources are read now.
    folder
        The folder to make; it must not exist.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress`.

    Returns
    -------
    ReleasedProject

    Raises
    ------
    PromiseBroken
        If a table or a join breaks its promise on the bytes that were written: the folder does not appear.

    Notes
    -----
    Files are written into a private folder beside, read back and counted, table by table and join by join (in
    records of the parent); then the folder gets its name in one step. Cost: that of the recipes, of
    `evaluate` for every table, and of reading the files once more.

    Examples
    --------
    >>> import tempfile
    >>> home = Path(tempfile.mkdtemp())
    >>> _ = (home / "a.csv").write_text("age\\n30\\n30\\n")
    >>> table = '[[tables]]\\nname = "a"\\nsource = "a.csv"\\nroles = { quasi = ["age"] }\\n'
    >>> project = Project.from_toml(table + "promise = { k = 2 }", home)
    >>> release_project(project, home / "out").tables["a"].reached
    2
    """
    rng, folder = np.random.default_rng(rng), Path(folder)
    if folder.exists():
        raise InvalidInput(f"The folder {folder.name!r} exists already; name a new one.")
    if not folder.resolve().parent.is_dir():
        raise InvalidInput(f"The folder {folder.parent.name!r} does not exist; create it first.")
    tables = numbered_in_step(project.read_tables(), project.joins, rng)
    masked = mask_project(project, tables, rng=rng, callback=sub_progress(callback, 0, 2))
    aside = folder.resolve().parent / f".shoal-{secrets.token_hex(8)}.tmp"
    aside.mkdir(mode=0o700)
    try:
        done = _written(project, tables, masked, aside, rng, sub_progress(callback, 1, 2))
        verdicts = {str(join): _on_join(project, masked, aside, join) for join in project.joins}
        for name, verdict in verdicts.items():
            if not verdict.kept:
                raise PromiseBroken(
                    f"The promise is broken on the join {name}: {verdict.shortfall}; nothing was written; "
                    "give the tables a step that reaches it, or promise less."
                )
        aside.chmod(0o755)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return ReleasedProject(done, verdicts, folder)


def _written(
    project: Project,
    tables: Mapping[str, Table],
    masked: Mapping[str, Table],
    aside: Path,
    rng: np.random.Generator,
    callback: Callback | None,
) -> dict[str, Released]:
    done = {}
    for position, (name, given) in enumerate(project.tables.items()):
        step = sub_progress(callback, position, len(project.tables))
        source = project.source_of(given)
        target = Target(aside / given.target, same_households=True, like=source, read=given.read)
        try:
            done[name] = release(tables[name], masked[name], given.promise, target, rng=rng, callback=step)
        except PromiseBroken as broken:
            raise PromiseBroken(f"Table {name}: {broken}", broken.released) from broken
    return done


def _on_join(project: Project, masked: Mapping[str, Table], aside: Path, join: Join) -> Verdict:
    """The promise on what an intruder joins from the written files, counted in records of the parent."""
    child = masked[join.child]
    together, above = _joined(project, masked, aside, join)
    own = [n for n in key_columns(child) if n in together.columns and n not in above]
    hidden = [name for name in child.names("confidential") if name in together.columns]
    table = as_table(
        together, roles={"quasi": [*above, *own], "household": [join.child_column], "confidential": hidden}
    )
    kept = {sign: {c: v for c, v in getattr(project.promise, sign).items() if c in hidden} for sign in "lt"}
    promise = replace(project.promise, l=kept["l"], t=kept["t"]) if project.promise else Promise()
    found = count_again(together, table, np.arange(len(table)), promise)
    counted = f"k counts records of {join.parent}."  # which need not be households
    said = tuple(counted if line == "k counts households." else line for line in found.sentences)
    return replace(found, households=False, sentences=said)


def _joined(
    project: Project, masked: Mapping[str, Table], aside: Path, join: Join
) -> tuple[pl.DataFrame, list[str]]:
    """The cells of a child with those of its parent and of all tables above, and which these are."""
    given = {name: project.tables[name] for name in (join.child, join.parent)}
    cells = {name: _cells(aside, project, table) for name, table in given.items()}
    parent, known = cells[join.parent], list[str]()
    for higher in project.joins:
        if higher.child == join.parent:
            parent, known = _joined(project, masked, aside, higher)
    above = dict.fromkeys([*known, *key_columns(masked[join.parent])])
    columns = [name for name in above if name in parent.columns]
    return joined_cells(cells[join.child], parent, join, columns), columns


def _cells(aside: Path, project: Project, table: ProjectTable) -> pl.DataFrame:
    """What was written, as a stranger with the file finds it."""
    path = aside / table.target
    form = form_for(path, Form(""), like=project.source_of(table), read=table.read)
    return format_called(form.extension).cells(path, form)
