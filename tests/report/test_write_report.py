"""Reports as files."""

from __future__ import annotations

import pytest

from report.files import facts
from shoal import InvalidInput
from shoal.report import (
    write_report,
)

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_reports_are_written_whole(tmp_path):
    for name in ("a.html", "a.md", "a.json"):
        write_report(facts(), tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
        with pytest.raises(InvalidInput, match="exists already"):
            write_report(facts(), tmp_path / name)
    with pytest.raises(InvalidInput, match=r"ending in \.html, \.md or \.json"):
        write_report(facts(), tmp_path / "a.pdf")
    assert len(list(tmp_path.iterdir())) == 3
