"""Group-bys that keep within memory: the files are read as often as their table of groups needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

FEW = 1000  # records that tell how wide all are
# What the streaming group-by of polars takes, measured on 3 to 96 million records of 2 to 10 columns:
AT_HAND = 60_000  # groups; where there are more, records wait until the end, however few groups there are
BESIDE_RECORD, BESIDE_GROUP = 24, 40  # bytes beside the key, which a record has once and a group twice
BESIDE_DISTINCT, COPIES = 24, 5  # bytes beside a cell, and times the cell, where different values are counted
READING = 100_000_000  # bytes that lie beside the table
RECORDS = "__shoal_records"


def table_room(bytes_there: int) -> int:
    """Bytes for a table of groups: what is read lies beside it, and what was before is not all given back.

    >>> table_room(3_700_000_000)
    1800000000
    """
    return max(bytes_there - READING, READING) // 2


def parts_needed(
    frame: pl.LazyFrame, by: Sequence[str], bytes_there: int, *, distinct: Sequence[str] = ()
) -> int:
    """In how many parts, each of whole groups, records can be grouped within so many bytes.

    `distinct` are columns whose different values are counted in every group.

    >>> parts_needed(pl.LazyFrame({"age": range(1000)}), ["age"], 100_000_000)
    1
    """
    few = frame.select(by).head(FEW).collect()
    width = few.estimated_size() / max(few.height, 1)
    held = frame.select(distinct).head(FEW).collect() if distinct else few.select()
    waiting = held.width * BESIDE_DISTINCT + COPIES * held.estimated_size() / max(held.height, 1)
    records = int(frame.select(pl.len()).collect(engine="streaming").item())

    def bytes_of(records: float, groups: float) -> float:
        apart = records * max(1 - AT_HAND / max(groups, 1), 0) * (width + BESIDE_RECORD)
        return apart + groups * (2 * width + BESIDE_GROUP) + records * waiting

    if bytes_of(records, records) <= bytes_there:
        return 1
    groups = int(frame.select(pl.struct(by).hash().approx_n_unique()).collect(engine="streaming").item())
    parts = 1
    while parts < records and bytes_of(records / parts, groups / parts) > bytes_there:
        parts += 1
    return parts


def part_of(frame: pl.LazyFrame, by: Sequence[str], part: int, parts: int) -> pl.LazyFrame:
    """The records of one part: groups lie whole in one of them.

    >>> people = pl.LazyFrame({"age": [1, 2, 1, 3]})
    >>> sum(part_of(people, ["age"], part, 2).collect().height for part in range(2))
    4
    """
    return frame if parts == 1 else frame.filter(pl.struct(by).hash() % parts == part)


def group_counts(frame: pl.LazyFrame, by: Sequence[str], bytes_there: int) -> Iterator[pl.DataFrame]:
    """How often every combination occurs, a part after the other.

    >>> people = pl.LazyFrame({"age": [1, 2, 1]})
    >>> pl.concat(group_counts(people, ["age"], 10**9)).sort("age").rows()
    [(1, 2), (2, 1)]
    """
    parts = parts_needed(frame, by, table_room(bytes_there))
    for part in range(parts):
        own = part_of(frame, by, part, parts)
        yield own.group_by(by).len(name=RECORDS).collect(engine="streaming")
