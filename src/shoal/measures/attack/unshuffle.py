"""Intruder: takes the order of the released rows for that of the persons."""

from __future__ import annotations

import numpy as np

from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed
from shoal.measures.coded_pair import code_pair
from shoal.models.row_classes import row_classes
from shoal.types import Labels


def unshuffle(scene: Scene) -> Finding:
    """Take the i-th written row for the i-th person, from the front or from the back.

    The coin takes any row. Right if the row is that person's, or one that looks the same.
    """
    if scene.written is None:
        raise NotApplicable("It needs the released file as it was written, in its own order.")
    if len(scene.written) != len(scene):
        raise InvalidInput(
            f"The written file has {len(scene.written)} records and the masked one {len(scene)}; give the "
            "same release."
        )
    own, written = _in_one_numbering(scene)
    orders = (written, written[::-1])
    right = max((own == order for order in orders), key=lambda same: int(same.sum()))
    sizes = np.bincount(own, minlength=int(max(own.max(), written.max())) + 1)
    again = np.bincount(written, minlength=len(sizes))
    n = len(own)
    coin = float((sizes * again).sum()) / n**2
    error = float(np.sqrt(max(coin * (1 - coin), 1 / n) / n))
    return Finding(
        "unshuffle",
        "Order of the rows",
        "the order of the persons in the original file",
        "rows in their old place",
        float(right.mean()),
        coin,
        error,
        n,
        "the rows were written in their old order" if right.all() else "the rows were mixed",
        most_exposed(right) if right.all() else (),
    )


def _in_one_numbering(scene: Scene) -> tuple[Labels, Labels]:
    """Released records as classes in both orders, over the columns that both tables have."""
    assert scene.written is not None
    names = [name for name in scene.masked.names() if name in scene.written.names()]
    if not names:
        raise NotApplicable("The written file shares no column with the masked one.")
    pairs = [code_pair(scene.masked, scene.written, name)[:2] for name in names]
    n = len(scene)
    classes = row_classes(np.column_stack([np.concatenate(pair) for pair in pairs]))
    return classes[:n], classes[n:]
