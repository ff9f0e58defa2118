"""Recipes: what was done to a file, as text that can be kept, shown, sent and run again."""

from __future__ import annotations

import json
import tomllib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal._shared.display import Shown
from shoal._shared.options import sub_progress, with_known_options
from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, with_hierarchies
from shoal.masking import join_suppressed
from shoal.masking.fitting import kept_hierarchies
from shoal.models.population_counts import population_of
from shoal.models.promise import Promise
from shoal.table import ROLES, Table, as_table
from shoal.types import Callback, Kind, Order, RandomState, Role
from shoal.workflow.edits_kept import check_rules, with_totals, with_zeros
from shoal.workflow.fit_steps import fit_steps, with_unknown_values
from shoal.workflow.recipe_texts import command_line, python_script, toml_key, toml_value
from shoal.workflow.registry import (
    STEPS,
    bind_method,
    find_method,
    options_of,
    renewed,
    with_promise,
)

FITTED = "# A fitted recipe: `shoal apply NEXT_FILE THIS_FILE -o OUT` treats another file alike."


@dataclass(frozen=True)
class Recipe(Shown):
    """Roles of the columns and the maskers to apply, in order, all by name.

    Parameters
    ----------
    name
        What to call it.
    roles
        Column names by role, as in `as_table`.
    steps
        One mapping per masker: ``{"method": "microaggregate", "k": 5}``. An option that is itself a method is
        a name, or a mapping with its options: ``"partition": {"method": "mdav", "leftovers": "nearest"}``.
    kinds
        Kinds by column name where the inferred one is wrong, as in `as_table`.
    promise
        What the release keeps, a `Promise` or a mapping such as ``{"k": 5}``. Steps that take k get it from
        there unless they say otherwise; without one the recipe promises the largest k of its steps. Records
        that are suppressed as a whole keep it too: further ones join them, see `join_suppressed`.
    hierarchies
        How columns generalise, by name, as `shoal.hierarchy.as_hierarchy` takes it: a csv file by name, or
        e.g. ``{"age": {"widths": [5, 10]}}``. Maskers and everything that evaluates the file use them.
    edits
        What must hold inside a record, as `shoal.edits.read_edit` takes it: zeros that stay zero are kept by
        the steps that can, totals are summed anew after the last one, the rest is counted.

    Notes
    -----
    Unknown names and options are refused when the recipe is made. A seed is a secret and never part of a
    recipe: give `rng` to `run`.

    Examples
    --------
    >>> recipe = Recipe("ages", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
    >>> recipe.run(as_table({"age": [20, 22, 61, 63]})).frame["age"].to_list()
    [21.0, 21.0, 62.0, 62.0]
    >>> Recipe.from_toml(recipe.to_toml()) == recipe
    True
    """

    name: str
    roles: Mapping[Role, Sequence[str]]
    steps: Sequence[Mapping[str, Any]]
    kinds: Mapping[str, Kind | Order] = field(default_factory=dict)
    promise: Promise = field(default_factory=Promise)
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    edits: Sequence[str] = ()

    def __post_init__(self) -> None:
        for role, members in self.roles.items():
            check_choice("role", role, ROLES)
            if isinstance(members, str) or not all(isinstance(name, str) for name in members):
                raise InvalidInput(f"The role {role} of a recipe needs a list of column names.")
        if not self.steps:
            raise InvalidInput('The recipe has no steps; add one, e.g. {"method": "microaggregate", "k": 5}.')
        if not isinstance(self.promise, Promise):
            object.__setattr__(self, "promise", Promise.from_dict(self.promise))
        people = population_of(self.promise.others)
        if people is not None and not isinstance(people, str):
            raise InvalidInput("A recipe names the population table by its file, as text it can keep.")
        object.__setattr__(self, "edits", check_rules(self.edits))
        object.__setattr__(self, "steps", [renewed(step) for step in self.steps])
        for step in self.bound_steps():
            bind_method(step, STEPS)
        object.__setattr__(self, "roles", {role: list(names) for role, names in self.roles.items()})
        object.__setattr__(self, "hierarchies", {name: _plain(h) for name, h in self.hierarchies.items()})

    @property
    def promised(self) -> Promise:
        """What is promised: what the recipe says, else the largest k of its steps, else nothing."""
        k = max((step["k"] for step in self.steps if "k" in step and _whole_records(step)), default=None)
        return self.promise or Promise(k=k)

    def bound_steps(self) -> list[dict[str, Any]]:
        """The steps as they are run: k, l and t come from the promise, zeros from the edits."""
        promised = [with_promise(step, self.promise) for step in self.steps]
        known = [options_of(find_method(step["method"], STEPS)) for step in promised]
        pairs = zip(promised, known, strict=True)
        quasi = self.roles.get("quasi")
        return [with_zeros(step, self.edits, options, quasi) for step, options in pairs]

    def describe(self, table: Table) -> Table:
        """The table with the roles, kinds and hierarchies of the recipe."""
        described = as_table(table, roles=self.roles or None, kinds=self.kinds)
        return with_hierarchies(described, self.hierarchies)

    def _apart(self, table: Table) -> Table:
        """The table described; households of a size apart where they shall hide as wholes."""
        described = self.describe(table)
        if self.promised.whole_households is None:
            return described
        from shoal.workflow.by_household_size import by_household_size

        return by_household_size(described, self.promised.class_size)

    @takes_frames
    def run(self, table: Table, *, rng: RandomState = None, callback: Callback | None = None) -> Table:
        """Give the table these roles and apply the steps; the same rng gives the same file."""
        masked = deque(self._walk(table, rng, callback), maxlen=1).pop()
        return self._finished(self.describe(table), masked)

    @takes_frames
    def steps_of(
        self, table: Table, *, rng: RandomState = None, callback: Callback | None = None
    ) -> tuple[Table, ...]:
        """The table after every step; the last one is what `run` gives.

        Every step draws from a stream of its own, so that with one seed the first tables of a recipe stay the
        same when steps are added behind them.
        """
        *before, last = self._walk(table, rng, callback)
        return (*before, self._finished(self.describe(table), last))

    def _walk(self, table: Table, rng: RandomState, callback: Callback | None) -> Iterator[Table]:
        masked = self._apart(table)
        streams = np.random.default_rng(rng).spawn(len(self.steps))
        for position, (step, stream) in enumerate(zip(self.bound_steps(), streams, strict=True)):
            report = sub_progress(callback, position, len(self.steps))
            masked = with_known_options(bind_method(step, STEPS), rng=stream, callback=report)(masked)
            yield masked.select(table.names()) if masked.names() != table.names() else masked

    @takes_frames
    def fit(
        self,
        table: Table,
        *,
        keep_centres: bool = False,
        rng: RandomState = None,
        callback: Callback | None = None,
    ) -> tuple[Table, Fitted]:
        """Run the recipe and keep what its steps learned, for the next file: thresholds, matrices, moments.

        `keep_centres` also keeps the centres of microaggregated groups, which records of the next file join.
        """
        first = self._apart(table)
        masked, steps, learned = fit_steps(
            self.bound_steps(), first, keep_centres=keep_centres, rng=rng, callback=callback
        )
        grown = {a.name: self.hierarchies.get(a.name, a.hierarchy) for a in first.attributes if a.hierarchy}
        kept = replace(
            self,
            steps=steps,
            kinds=_kinds_of_numbers(first) | dict(self.kinds),
            hierarchies=kept_hierarchies(first, grown, list(grown)),
        )
        return self._finished(self.describe(table), masked.select(table.names())), Fitted(kept, learned)

    def _finished(self, original: Table, masked: Table) -> Table:
        """The masked table with its totals summed anew, and the class of suppressed records large enough."""
        return join_suppressed(with_totals(original, masked, self.edits), promise=self.promised)

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dicts and lists."""
        kinds = {"kinds": dict(self.kinds)} if self.kinds else {}
        promise = {"promise": self.promise.to_dict()} if self.promise else {}
        grown = {"hierarchies": dict(self.hierarchies)} if self.hierarchies else {}
        edits = {"edits": list(self.edits)} if self.edits else {}
        head: dict[str, Any] = {"name": self.name, **edits, "roles": dict(self.roles)}
        head |= {**kinds, **promise, **grown}
        return {**head, "steps": list(self.steps)}

    def to_json(self) -> str:
        """The recipe as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        return self.to_toml()

    def to_toml(self) -> str:
        """The recipe as TOML text."""
        lines = [f"name = {toml_value(self.name)}"]
        lines += [f"edits = {toml_value(self.edits)}"] if self.edits else []
        for section in ("roles", "kinds", "promise", "hierarchies"):
            entries = self.to_dict().get(section, {})
            lines += ["", f"[{section}]"] if entries else []
            lines += [f"{toml_key(key)} = {toml_value(value)}" for key, value in entries.items()]
        for step in self.steps:
            lines += [
                "",
                "[[steps]]",
                *(f"{toml_key(key)} = {toml_value(value)}" for key, value in step.items()),
            ]
        return "\n".join(lines) + "\n"

    def to_python(self, source: str = "original.csv", target: str = "protected.csv") -> str:
        """A script that does the same with these files, and releases only what keeps the promise."""
        return python_script(self, source, target)

    def to_command(
        self, source: str = "original.csv", target: str = "protected.csv", recipe: str = "recipe.toml"
    ) -> str:
        """The command that does the same, for a POSIX shell; a recipe file says what options cannot."""
        return command_line(self, source, target, recipe)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Recipe:
        """A recipe from plain dicts and lists."""
        known = ("name", "roles", "steps", "kinds", "promise", "hierarchies", "edits")
        check_names(content, known, what="entry of a recipe")
        if not isinstance(content.get("steps"), Sequence) or isinstance(content["steps"], str):
            raise InvalidInput("A recipe needs a list of steps; write one [[steps]] table per masker.")
        return cls(
            content.get("name", "recipe"),
            content.get("roles", {}),
            content["steps"],
            content.get("kinds", {}),
            content.get("promise", {}),
            content.get("hierarchies", {}),
            content.get("edits", ()),
        )

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """A recipe from JSON text."""
        try:
            content = json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidInput(f"The recipe is not JSON (line {error.lineno}): {error.msg}.") from error
        if not isinstance(content, Mapping):
            raise InvalidInput("The recipe must be a JSON object with name, roles and steps.")
        return cls.from_dict(content)

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        """A recipe from TOML text."""
        try:
            return cls.from_dict(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"The recipe is not TOML: {error}.") from error

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """A recipe from a .toml or .json file."""
        path = Path(path)
        suffix = check_choice("recipe file type", path.suffix.lower(), (".toml", ".json"))
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput(f"The recipe {path.name!r} cannot be read: {error.strerror}.") from error
        found = cls.from_toml(text) if suffix == ".toml" else cls.from_json(text)
        others = {
            model: {o: beside(path.parent, v) if o == "population" else v for o, v in given.items()}
            for model, given in found.promise.others.items()
        }
        grown = {n: beside(path.parent, h) for n, h in found.hierarchies.items()}
        return replace(found, hierarchies=grown, promise=replace(found.promise, others=others))


@dataclass(frozen=True)
class Fitted(Shown):
    """A recipe whose computed options have become values, and what each step learned, in words.

    Examples
    --------
    >>> recipe = Recipe("ages", {"quasi": ["age"]}, [{"method": "top_code", "quantile": 0.5}])
    >>> masked, fitted = recipe.fit(as_table({"age": [20, 30, 90]}))
    >>> fitted.learned
    ('top_code keeps its threshold.',)
    >>> fitted.apply(as_table({"age": [70, 25]})).frame["age"].to_list()
    [30, 25]
    """

    recipe: Recipe
    learned: tuple[str, ...] = ()

    @takes_frames
    def apply(
        self,
        table: Table,
        *,
        unknown: Literal["refuse", "top"] = "refuse",
        rng: RandomState = None,
        callback: Callback | None = None,
    ) -> Table:
        """Treat another file like the one the recipe was fitted on; check the promise on it as on any other.

        A value that a kept hierarchy does not name is refused by column and row, or with unknown="top"
        released as the label that covers all.
        """
        return self.recipe_for(table, unknown).run(table, rng=rng, callback=callback)

    def recipe_for(self, table: Table, unknown: Literal["refuse", "top"] = "refuse") -> Recipe:
        """The recipe for this file: with unknown="top" its hierarchies and cuts know the values of it."""
        check_choice("unknown", unknown, ("refuse", "top"))
        if unknown == "refuse":
            return self.recipe
        steps = with_unknown_values(
            [{"hierarchies": self.recipe.hierarchies}, *self.recipe.steps], as_table(table)
        )
        return replace(self.recipe, steps=steps[1:], hierarchies=steps[0]["hierarchies"])

    def __str__(self) -> str:
        return self.to_toml()

    def to_toml(self) -> str:
        """The fitted recipe as TOML text; it holds no record and no seed."""
        notes = "".join(f"# {line}\n" for line in self.learned)
        return f"{FITTED}\n{notes}\n{self.recipe.to_toml()}"

    @classmethod
    def read(cls, path: str | Path) -> Fitted:
        """A fitted recipe from a .toml file; a plain recipe is one that learned nothing."""
        recipe = Recipe.read(path)
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        return cls(recipe, tuple(line[2:] for line in lines if line.startswith("# ") and line != FITTED))


def _kinds_of_numbers(table: Table) -> dict[str, Any]:
    """What the numbers that are protected were taken for: the next file may hold more or fewer of them."""
    return {a.name: a.kind for a in table.attributes if a.role == "quasi" and table.is_number(a.name)}


def _plain(hierarchy: Any) -> Any:
    """A hierarchy as a recipe can hold it."""
    if isinstance(hierarchy, Hierarchy):
        return {"rows": [list(path) for path in hierarchy.paths]}
    return str(hierarchy) if isinstance(hierarchy, Path) else hierarchy


def beside(folder: Path, hierarchy: Any) -> Any:
    """The name of a csv file that lies beside the recipe, not where the program runs."""
    if isinstance(hierarchy, str) and not Path(hierarchy).exists() and (folder / hierarchy).exists():
        return str(folder / hierarchy)
    return hierarchy


def _whole_records(step: Mapping[str, Any]) -> bool:
    """Whether the k of a step counts all records and whole ones, not a part or columns masked apart."""
    apart = step["method"] == "individual_ranking" or len(step.get("groups") or ()) > 1
    return not apart and step.get("where") is None
