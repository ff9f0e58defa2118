"""What several test files share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

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


ROOT = Path(__file__).parents[1]
# what `make fast` leaves out: what compiles long, whole pages, paper tables, proofs, evolution, what waits
SLOW = (
    "src",
    "tests/_kernels/spatial",
    "tests/cli",
    "tests/fuzz",
    "tests/graph/topics/test_sentence_topics.py",
    "tests/masking/recoding/test_mondrian.py",
    "tests/measures/test_record_linkage.py",
    "tests/papers",
    "tests/search",
    "tests/partition/_bound",
    "tests/partition/_tour",
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
    "tests/test_display.py",
    "tests/test_documents.py",
    "tests/test_evolution_pictures.py",
    "tests/test_frames_at_the_door.py",
    "tests/test_gallery.py",
    "tests/test_once.py",
    "tests/test_randomness.py",
    "tests/test_tutorial.py",
    "tests/workflow",
)


@cache
def is_slow(path: Path) -> bool:
    return any(path.is_relative_to(ROOT / part) for part in SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What `make fast` leaves out is not read either: reading all tests is a tenth of the whole."""
    return True if config.option.markexpr.startswith("not slow") and is_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_slow(item.path):
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
