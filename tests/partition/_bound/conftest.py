"""Code for the bound is compiled before any test of it looks at the clock."""

from __future__ import annotations

import pytest

from shoal.partition.lower_bound import compile_columns


@pytest.fixture(autouse=True, scope="session")
def compiled():
    compile_columns()
