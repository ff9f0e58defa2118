"""How a confidential column is spread inside the classes: the shares of the values that occur there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.models.classes import Classes
from shoal.types import Labels, Matrix


@dataclass(frozen=True, eq=False)
class ValueShares:
    """Every value of every class: its class, its code and its share there, the frequent ones first."""

    owner: Labels
    codes: NDArray[np.intp]
    shares: Matrix
    count: int  # of classes

    def largest(self) -> Matrix:
        """The share of the most frequent value of every class, 0 where nothing is known."""
        found = np.zeros(self.count)
        np.maximum.at(found, self.owner, self.shares)
        return found


def value_shares(classes: Classes, name: str) -> ValueShares:
    """The shares of the values of a confidential column in every class, missing ones left out.

    >>> from shoal.models import hidden_column
    >>> ill = hidden_column(np.array([0, 1, 1, 1]), "nominal")
    >>> found = value_shares(Classes(np.array([0, 0, 1, 1]), {"ill": ill}), "ill")
    >>> found.owner.tolist(), found.shares.tolist()
    ([0, 0, 1], [0.5, 0.5, 1.0])
    """
    codes = classes.hidden[name].codes
    seen = codes >= 0
    width = int(codes.max(initial=0)) + 1
    pairs, counts = np.unique(classes.labels[seen] * width + codes[seen], return_counts=True)
    owner, values = np.divmod(pairs, width)
    shares = counts / np.bincount(owner, weights=counts, minlength=classes.count)[owner]
    order = np.lexsort((values, -shares, owner))
    return ValueShares(owner[order], values[order], shares[order], classes.count)


def known_shares(classes: Classes, name: str) -> Matrix:
    """The shares of the values in the whole file, missing ones left out."""
    shares = classes.hidden[name].shares[:-1]
    return np.asarray(shares / max(float(shares.sum()), 1e-300))
