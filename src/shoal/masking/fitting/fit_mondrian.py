"""What Mondrian learns: the cuts of its regions."""

from __future__ import annotations

from typing import Any

from shoal._door import takes_frames
from shoal.masking.fitting.fit_recode import kept_hierarchies
from shoal.masking.protected_columns import protected_columns
from shoal.masking.recoding.mondrian import learned_cuts
from shoal.table import Table


@takes_frames
def fit_mondrian(table: Table, **options: Any) -> dict[str, Any]:
    """The cuts and the regions they end in, so that records of the next file fall into the same ones.

    Relaxed cuts part equal values, and members of households are cut inside classes of this file: these are
    cut anew.

    >>> from shoal import as_table
    >>> people = as_table({"age": [20, 25, 61, 67]}, roles={"quasi": "age"})
    >>> fit_mondrian(people, k=2)["cuts"][0]["members"]
    {'age': [[20, 25], [61, 67]]}
    """
    if not options.get("strict", True) or options.get("cuts") is not None or table.names("household"):
        return {}
    cuts = learned_cuts(table, **options)
    if cuts is None:
        return {}
    names = protected_columns(table, options.get("columns"), strata=options.get("strata"))
    kept = kept_hierarchies(table, options.get("hierarchies"), names)
    return {"cuts": [cuts]} | ({"hierarchies": kept} if kept else {})
