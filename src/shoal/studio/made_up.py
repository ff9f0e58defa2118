"""A file of people who do not exist, to try the studio with."""

from __future__ import annotations

from pathlib import Path

from shoal.studio.paths_below import below

MADE_UP = "made-up-people.csv"


def write_made_up(folder: Path) -> Path:
    """Write the file unless it is there; where it lies.

    >>> import tempfile
    >>> write_made_up(Path(tempfile.mkdtemp())).name
    'made-up-people.csv'
    """
    from shoal.datasets import make_census
    from shoal.io import write_table

    target = below(folder, MADE_UP)
    if not target.exists():
        write_table(make_census(1000, rng=0), target, identifiers=True, shuffle=False)
    return target
