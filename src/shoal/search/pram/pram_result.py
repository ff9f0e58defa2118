"""The PRAM matrices that a search found, with what they are expected to give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from shoal._shared.display import Shown
from shoal.evolve import Generation, Reason
from shoal.search.files.file_fitness import Figures
from shoal.search.pram.equations import Equation
from shoal.types import Matrix


@dataclass(frozen=True, eq=False)
class PramMatrices(Mapping[str, Matrix], Shown):
    """A matrix by column name, as `pram(matrices=...)` takes them, and how they were found.

    `figures` are the expected loss and risk, `score` what was minimised, `history` has the best, mean and
    worst score of every generation, `stopped` says what ended the search, and `equation` is that of
    `breed_pram`, None else.

    Examples
    --------
    >>> import numpy as np
    >>> figures = Figures(0, 0, 0, 0, 100, 40, 0.0, 80.0)
    >>> found = PramMatrices({"sex": np.eye(2)}, figures, 40.0, (), "callback")
    >>> len(found), found["sex"].tolist()
    (1, [[1.0, 0.0], [0.0, 1.0]])
    >>> print(found)
    PRAM matrices for sex, expected score 40.0: the mean of information loss 0.0 and disclosure risk 80.0
    """

    matrices: Mapping[str, Matrix]
    figures: Figures
    score: float
    history: tuple[Generation, ...] = field(repr=False)
    stopped: Reason
    equation: Equation | None = None

    def __getitem__(self, name: str) -> Matrix:
        return self.matrices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.matrices)

    def __len__(self) -> int:
        return len(self.matrices)

    def __str__(self) -> str:
        loss, risk = self.figures.information_loss, self.figures.disclosure_risk
        larger = "the larger of " if abs(self.score - max(loss, risk)) < 1e-9 else "the mean of "
        text = f"PRAM matrices for {', '.join(self.matrices)}, expected score {self.score:.1f}: "
        text += f"{larger}information loss {loss:.1f} and disclosure risk {risk:.1f}"
        return text if self.equation is None else f"{text}\n  {self.equation}"
