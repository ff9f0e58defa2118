from contextlib import suppress

import pytest

from shoal.distributed.work_folder import PREFIX, remove_left_over, work_folder
from shoal.errors import InputWarning


def test_a_running_job_keeps_its_folder_and_a_dead_one_does_not(tmp_path):
    with work_folder(tmp_path) as mine:
        with work_folder(tmp_path) as other:
            assert mine != other
        assert mine.exists()
        assert not other.exists()
    (tmp_path / f"{PREFIX}dead").mkdir()
    (tmp_path / f"{PREFIX}dead" / "record.parquet").write_text("x")
    with pytest.warns(InputWarning, match="is removed"):
        remove_left_over(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_error_inside_removes_it_too(tmp_path):
    with suppress(ZeroDivisionError), work_folder(tmp_path) as folder:
        (folder / "a").mkdir()
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
