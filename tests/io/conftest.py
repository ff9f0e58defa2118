"""What the tests of reading share."""

from __future__ import annotations

import pytest


@pytest.fixture
def file(tmp_path):
    """Write text or bytes to a csv file and give back its path."""

    def write(content, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
