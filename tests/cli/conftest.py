"""What the tests of the commands share."""

from __future__ import annotations

import pytest

from cli.files import FILE


@pytest.fixture
def shoal(command, tmp_path):
    """Run a command in an empty folder that holds people.csv; gives exit code, output and errors."""
    (tmp_path / "people.csv").write_text(FILE)
    return command
