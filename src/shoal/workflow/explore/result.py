"""What an exploration found: candidates, the front of those no other beats, and the one to take."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from shoal._check import check_count, check_number
from shoal._shared.display import Shown
from shoal.errors import Infeasible, InvalidInput, NotApplicable
from shoal.measures.evaluate import Evaluation
from shoal.models.promise import Promise
from shoal.workflow.explore.cache import evaluation_from
from shoal.workflow.recipe import Recipe

if TYPE_CHECKING:
    import polars as pl

MOST_ROWS, MOST_NOTES = 20, 5  # that are printed: what a screen shows at once
HEADER = ("recipe", "k", "loss", "risk", "score", "seconds", "front")


@dataclass(frozen=True)
class Candidate(Shown):
    """One recipe: what it cost and brought, or why it failed or cannot be compared.

    `left_out` are columns with cells nobody can read, so that no loss is sure of them; `front` is whether no
    other candidate has both less loss and less risk; `seconds` is the time of masking alone. `promised` is
    what its recipe promises, or for one without k what the others do at least; where it is not `kept` the
    candidate is shown, but never on the front and never recommended.
    """

    recipe: Recipe
    evaluation: Evaluation | None = None
    seconds: float | None = None
    left_out: tuple[str, ...] = ()
    failed: str = ""
    doubt: str = ""
    front: bool = False
    promised: Promise = field(default_factory=Promise)
    kept: bool = True

    @property
    def name(self) -> str:
        """The name of the recipe."""
        return self.recipe.name

    @property
    def loss(self) -> float | None:
        """Information loss, 0 to 100."""
        return None if self.evaluation is None else self.evaluation.information_loss

    @property
    def risk(self) -> float | None:
        """Disclosure risk, 0 to 100."""
        return None if self.evaluation is None else self.evaluation.disclosure_risk

    @property
    def score(self) -> float | None:
        """Loss and risk in one figure, 0 to 100."""
        return None if self.evaluation is None else self.evaluation.score

    @property
    def k(self) -> int | None:
        """How many records look alike at least."""
        return None if self.evaluation is None else self.evaluation.k

    @property
    def compared(self) -> bool:
        """Whether its loss and risk can be put beside those of the others."""
        return not self.doubt and self.score is not None

    def __str__(self) -> str:
        if self.failed:
            return f"{self.name}: {self.failed}"
        said = [f"{name} {cell}" for name, cell in zip(HEADER[1:6], _cells(self)[1:6], strict=True) if cell]
        praise = "No other has both less loss and less risk." if self.front else ""
        why = self.doubt or _broken(self) or praise
        return f"{self.name}: {', '.join(said)}" + (f"\n{why}" if why else "")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        figures = {name: getattr(self, name) for name in ("k", "loss", "risk", "score", "seconds", "front")}
        judged = None if self.evaluation is None else self.evaluation.to_dict()
        notes: dict[str, Any] = {"left_out": list(self.left_out), "failed": self.failed, "doubt": self.doubt}
        notes |= {"promise": self.promised.to_dict(), "kept": self.kept}
        return {"name": self.name, **figures, **notes, "recipe": self.recipe.to_dict(), "evaluation": judged}


@dataclass(frozen=True, repr=False)
class Exploration:
    """Candidates in the order of their recipes; `planned` says how many there would be.

    Printed it is a table of at most `MOST_ROWS` candidates, the front first; `frame` has them all.

    Examples
    --------
    >>> from shoal import explore
    >>> from shoal.datasets import load_sme
    >>> found = explore(load_sme(), {"mdav": {"k": [3, 5]}})
    >>> found.recommend(risk=80).name, found.complete
    ('mdav, k = 3', True)
    """

    records: int
    planned: int
    candidates: tuple[Candidate, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether every recipe was run."""
        return len(self.candidates) == self.planned

    @property
    def front(self) -> tuple[Candidate, ...]:
        """The candidates that no other beats in both loss and risk, least loss first."""
        found = [candidate for candidate in self.candidates if candidate.front]
        return tuple(sorted(found, key=lambda candidate: (candidate.loss or 0.0, candidate.risk or 0.0)))

    def recommend(self, *, risk: float | None = None, k: int | None = None) -> Candidate:
        """The candidate to take: the least loss with at most this risk, or the best score if none is given.

        Only candidates that keep their promise count; with `k` only those where k records look alike.
        `rule_in_words` says the same.
        """
        limit = None if risk is None else check_number("risk", risk, 0, 100)
        least = None if k is None else check_count("k", k)
        compared = [candidate for candidate in self.candidates if candidate.compared]
        if not compared:
            raise NotApplicable("No recipe gave a loss and a risk that can be compared; look at the reasons.")
        kept = [c for c in compared if c.kept]
        if not kept:
            raise Infeasible("No recipe keeps its promise; try missing=together, or ask for less.")
        fitting = [c for c in kept if least is None or (c.k or 0) >= least]
        if not fitting:
            most = max(c.k or 0 for c in kept)
            raise Infeasible(f"No recipe makes {least} records look alike, at most {most}; ask for less.")
        if limit is None:
            return min(fitting, key=lambda c: (c.score or 0.0, c.risk or 0.0))
        safe = [c for c in fitting if (c.risk or 0.0) <= limit]
        if not safe:
            closest = min(fitting, key=lambda c: c.risk or 0.0)
            raise Infeasible(
                f"No recipe has a disclosure risk of at most {limit:g}; the lowest is {closest.risk:.3f} "
                f"({closest.name}); allow more risk or explore stronger protection."
            )
        return min(safe, key=lambda c: (c.loss or 0.0, c.risk or 0.0))

    @property
    def frame(self) -> pl.DataFrame:
        """One row per recipe: name, options, k, loss, risk, score, seconds, front, failed and doubt."""
        import polars as pl

        numbers = dict.fromkeys(("loss", "risk", "score", "seconds"), pl.Float64)
        schema = {"name": pl.String, "options": pl.String, "k": pl.Int64, **numbers, "front": pl.Boolean}
        rows = [
            {name: c.to_dict()[name] for name in (*schema, "failed", "doubt") if name != "options"}
            | {"options": json.dumps(c.recipe.steps)}
            for c in self.candidates
        ]
        return pl.DataFrame(rows, schema={**schema, "failed": pl.String, "doubt": pl.String})

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of a table as text, in the order of `HEADER`, for whoever draws one; only what ran."""
        return [_cells(candidate) for candidate in self.candidates if not candidate.failed]

    def notes(self) -> list[str]:
        """A sentence for every candidate that failed, cannot be compared, or breaks its promise."""
        said = [(c.name, c.failed or c.doubt or _broken(c)) for c in self.candidates]
        return [f"{name}: {why}" for name, why in said if why]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        candidates = [candidate.to_dict() for candidate in self.candidates]
        return {"records": self.records, "planned": self.planned, "candidates": candidates}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_csv(self) -> str:
        """The frame as csv text."""
        return self.frame.write_csv()

    @classmethod
    def from_json(cls, text: str) -> Exploration:
        """The exploration that `to_json` wrote."""
        try:
            content = json.loads(text)
            found = [_candidate_from(entry) for entry in content["candidates"]]
            return arrange(int(content["records"]), int(content["planned"]), found)
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput("This is no exploration as `to_json` writes it; explore again.") from error

    def __repr__(self) -> str:
        return (
            f"Exploration of {self.records} records: {len(self.candidates)} of {self.planned} recipes run, "
            f"{len(self.front)} on the front"
        )

    def __str__(self) -> str:
        rows, left_out = self._shown()
        table = [HEADER, *rows]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
        lines = [_line(row, widths) for row in table]
        notes = [f"note {note}" for note in self.notes()[:MOST_NOTES]]
        return "\n".join([f"{self.records} records", *lines, *notes, *left_out])

    def _repr_html_(self) -> str:
        rows, left_out = self._shown()
        head = "".join(f"<th scope='col'>{name}</th>" for name in HEADER)
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        notes = "".join(f"<p>{escape(note)}</p>" for note in (*self.notes()[:MOST_NOTES], *left_out))
        return f"<p>{self.records} records</p><table><tr>{head}</tr>{body}</table>{notes}"

    def _shown(self) -> tuple[list[tuple[str, ...]], list[str]]:
        """The rows to print, the front first where not all have room, and a sentence about the others."""
        ran = [candidate for candidate in self.candidates if not candidate.failed]
        if len(ran) > MOST_ROWS:
            ran = sorted(ran, key=lambda c: (not c.front, not c.compared, not c.kept, c.score or 0.0))
        rows, notes = [_cells(c) for c in ran[:MOST_ROWS]], len(self.notes())
        more = [f"{len(ran) - MOST_ROWS} more candidates are in `frame`"] if len(ran) > MOST_ROWS else []
        return rows, more + ([f"{notes - MOST_NOTES} more in `notes()`"] if notes > MOST_NOTES else [])


def rule_in_words(*, risk: float | None = None, k: int | None = None) -> str:
    """The rule of `Exploration.recommend` in words.

    >>> rule_in_words(risk=20)
    'the least information loss with a disclosure risk of at most 20'
    """
    company = "" if k is None else f" among those where at least {k} records look alike"
    if risk is None:
        return f"the best score (loss and risk in one figure){company}"
    return f"the least information loss with a disclosure risk of at most {risk:g}{company}"


def arrange(records: int, planned: int, candidates: Sequence[Candidate]) -> Exploration:
    """Say who cannot be compared, and mark the front among the others."""
    common = _common_basis(candidates)
    judged = [replace(c, doubt=_doubt(c, common)) for c in candidates]
    best = pareto_front([(c.loss or 0.0, c.risk or 0.0) if c.compared and c.kept else None for c in judged])
    marked = [replace(c, front=at in best) for at, c in enumerate(judged)]
    return Exploration(records, planned, tuple(marked))


def pareto_front(points: Iterable[tuple[float, float] | None]) -> set[int]:
    """Positions of the points that no other beats: none is as low in both and lower in one.

    >>> sorted(pareto_front([(1, 9), (5, 5), (6, 6), (5, 5), None]))
    [0, 1, 3]
    """
    known = sorted((*point, at) for at, point in enumerate(points) if point is not None)
    front: set[int] = set()
    least, twin = float("inf"), (float("nan"), float("nan"))
    for loss, risk, at in known:
        if risk < least or (loss, risk) == twin:
            front.add(at)
            least, twin = risk, (loss, risk)
    return front


Basis = tuple[Any, ...]


def _broken(candidate: Candidate) -> str:
    """Why a candidate is never recommended."""
    if candidate.kept or candidate.evaluation is None:
        return ""
    asked = ", ".join(f"{name} = {value}" for name, value in candidate.promised.to_dict().items())
    return f"It breaks its promise ({asked}; k = {candidate.k} is reached), so it is never recommended."


def _basis(candidate: Candidate) -> Basis | None:
    """What loss and risk rest on: columns and measures."""
    judged = candidate.evaluation
    if judged is None or judged.score is None:
        return None
    losses = _scored(judged.loss, judged.loss_weights)
    risks = _scored(judged.risk, judged.risk_weights)
    return candidate.left_out, losses, risks, judged.keys, judged.combine


def _scored(figures: Mapping[str, float], weights: Mapping[str, float]) -> tuple[str, ...]:
    """The measures that count; how much each does may differ with the columns that were changed."""
    return tuple(sorted(name for name in figures if weights.get(name, 0.0) > 1e-9)) or tuple(sorted(figures))


def _common_basis(candidates: Sequence[Candidate]) -> Basis | None:
    """The basis that leaves out fewest columns, with the most measures, that most candidates share."""
    found = Counter(basis for c in candidates if (basis := _basis(c)) is not None)
    return min(
        found, key=lambda basis: (len(basis[0]), -len(basis[1]) - len(basis[2]), -found[basis]), default=None
    )


def _doubt(candidate: Candidate, common: Basis | None) -> str:
    if candidate.evaluation is None:
        return ""
    mine = _basis(candidate)
    if mine is None:
        return "No loss or no risk could be measured, so it cannot be compared."
    if mine == common:
        return ""
    if candidate.left_out:
        names = ", ".join(candidate.left_out)
        return f"Nobody can read all cells of {names}, so it cannot be compared with the others."
    return "Other measures or columns count in its loss or risk, so it cannot be compared with the others."


def _candidate_from(entry: Mapping[str, Any]) -> Candidate:
    judged = entry["evaluation"]
    return Candidate(
        Recipe.from_dict(entry["recipe"]),
        None if judged is None else evaluation_from(judged),
        entry["seconds"],
        tuple(entry["left_out"]),
        entry["failed"],
        promised=Promise.from_dict(entry.get("promise", {})),
        kept=bool(entry.get("kept", True)),
    )


def _cells(candidate: Candidate) -> tuple[str, ...]:
    figures = [candidate.loss, candidate.risk, candidate.score, candidate.seconds]
    texts = ["" if value is None else f"{value:.1f}" for value in figures]
    mark = "*" if candidate.front else "?" if candidate.doubt else "" if candidate.kept else "broken"
    return (candidate.name, "" if candidate.k is None else str(candidate.k), *texts, mark)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
    return "  ".join([first.strip().ljust(widths[0]), *rest]).rstrip()
