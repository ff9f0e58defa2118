"""What several test files share."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import settings

from shoal.cli import main
from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.errors import InvalidInput
from shoal.table import Table

# machines are busy at times: no test asserts seconds; what lands is not decided by a draw: CI has a fixed one
settings.register_profile("shoal", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("shoal")


# what `make fast` leaves out: whole pages, paper tables, proofs, evolution and what waits for a clock
SLOW = (
    "src",
    "tests/cli",
    "tests/graph/topics/test_sentence_topics.py",
    "tests/papers",
    "tests/search",
    "tests/partition/_bound",
    "tests/partition/test_best.py",
    "tests/partition/test_blockwise.py",
    "tests/partition/test_genetic.py",
    "tests/partition/test_kmeans.py",
    "tests/partition/test_lower_bound.py",
    "tests/partition/test_md.py",
    "tests/partition/test_memory.py",
    "tests/report",
    "tests/studio/screens",
    "tests/studio/test_explorer.py",
    "tests/studio/test_fuzz.py",
    "tests/studio/test_killed.py",
    "tests/studio/test_large.py",
    "tests/studio/test_pages.py",
    "tests/test_documents.py",
    "tests/test_evolution_pictures.py",
    "tests/test_frames_at_the_door.py",
    "tests/test_gallery.py",
    "tests/test_randomness.py",
    "tests/test_tutorial.py",
    "tests/workflow",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(config.rootpath / part) for part in SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def reference() -> Callable[[str], Table]:
    """A reference file by name; the test is skipped where the file is not on the machine."""

    def read(name: str) -> Table:
        try:
            return read_reference(name)
        except InvalidInput as error:
            pytest.skip(str(error))

    return read


@pytest.fixture
def reference_matrix(reference: Callable[[str], Table]) -> Callable[[str], np.ndarray]:
    """The quasi-identifiers of a reference file as z-scores (standard deviation with n-1)."""
    return lambda name: encode(reference(name))


@pytest.fixture
def command(tmp_path, monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """Run a command of shoal in an empty folder; gives exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["shoal", *arguments])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run
