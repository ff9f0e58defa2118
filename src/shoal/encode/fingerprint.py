"""A keyed hash of a table, to know it again."""

from __future__ import annotations

import hashlib

import numpy as np

from shoal.encode.categories import categorise
from shoal.table import Table

EXACT = 2.0**53  # whole numbers beyond it are not all floats


def fingerprint(table: Table, key: bytes) -> str:
    """A keyed hash of everything in the table: names, kinds, roles, orders, hierarchies and values.

    >>> from shoal import as_table
    >>> one, two = as_table({"age": [20, 30]}), as_table({"age": [30, 20]})
    >>> fingerprint(one, b"a") == fingerprint(one, b"a"), fingerprint(one, b"a") == fingerprint(two, b"a")
    (True, False)
    """
    digest = hashlib.blake2b(key=key)
    for attribute in table.attributes:
        paths = getattr(attribute.hierarchy, "paths", attribute.hierarchy)
        head = (attribute.name, attribute.kind, attribute.role, attribute.order, paths)
        digest.update(f"{head!r} {len(table)}".encode())
        digest.update(_bytes(table, attribute.name))
    return digest.hexdigest()


def _bytes(table: Table, name: str) -> bytes:
    """The values of a column, exactly."""
    if table.attribute(name).kind == "numeric":
        values = table.column(name)
        whole = table.is_integer(name)
        if not whole or not (np.abs(values) >= EXACT).any():
            return bytes([whole]) + np.where(np.isnan(values), np.nan, values).tobytes()
    codes, categories = categorise(table, name)
    return codes.tobytes() + repr(categories).encode()
