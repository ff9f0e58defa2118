"""Merged cells are said, whatever program made the file: only the first of them has the value."""

from __future__ import annotations

import base64
import warnings
import zlib

import pytest

from shoal.errors import InputWarning
from shoal.io import read_table
from shoal.io._spreadsheet.merged_cells import merged_cells

pytest.importorskip("fastexcel", reason="spreadsheets need the extra `files`")
odf = pytest.importorskip("odf", reason="OpenDocument is written with the extra `files`")

# A sheet "B" without merged cells and a sheet "A & Ö" with A2:A4, as xlwt 1.3 writes them, packed.
OLD_EXCEL = (
    "eNrtWE1oE0EU/mY2/zTppqaFVqihYNTai3jxUlcL2pOlelFE0NQGkZZUggftQas1R0HwpHgp9OKl6sUf/EFvCkJFQUEQEsWTJ0"
    "Ghhzbrm7ezNo05NKDBlvmWefP2zXs7b+e9efvzZj5ZmrnXVUYNdsNCxY0iVCUT1KL+iQ0ad13F+n2EmmuwphCNUCBDQTyOvw6r"
    "GKp4lyFxN/CCKPCZ2jGcwdBEPpduIgbYh6xQPvSLAOWexC1qCXSyX21MTzLdwPQO6z5huoclV5n2k25JHMW8M9S7S+fxEdnDYw"
    "miAg/Y5iNLdqAdL1UeX7wmPN0g9hZOZ8f/z4HuQAtmQZEbzOVzhex4CSkK4Sx+umngh79Xn6eNvLlyAZIvrJSH68ivywAwBfeE"
    "UIlYpPL6yvICPFBEHJuC6oRinc6k3y+iA2rQ8krxOeqzp3LE5WOqMPNGtlds5DindwvRUbQyn+Qkt6lUL97+/vbAyLBznCVTXL"
    "y9Er9Z+QQXl5QFGSd+j3i0ly22M73MV93IfBfTFLlLfWa4XTP7p1nnCo9maJ6djHfOlip+K/HFbwcfdhe/ONuInxssT6bmPjgz"
    "6KE1GSV7dUyjT/SJmzcUHjl+L3Qx+MS084/CEJG29t3Vz7FWLCHGbNJ72Mk23FeqVDiW0YxVDTCVa3hVZd1VVXfsnfmro/RFjf"
    "5TmkOw/iTTEOsrTVmj+Yy8lzpeF2RMr3pMX9eqo21VaVusrVb8K9moe7aW4456cTcwMDAwMDAwWLcQ+vXT0i+jQf2SG9b/dZao"
    "VcxvknWLQ5ig4yx9lu5DnvoCzjeUPx0ICv9aYpU2/v9ChcM0ewFjGGE/xhrOX/pIEdX3s2pD++9toUbnrzTi5z+e/xcSEO8l"
)


@pytest.fixture
def old_excel(tmp_path):
    (tmp_path / "a.xls").write_bytes(zlib.decompress(base64.b64decode(OLD_EXCEL)))
    return tmp_path / "a.xls"


def test_old_excel(old_excel):
    with pytest.warns(InputWarning, match=r"Sheet 'A & Ö' has merged cells .* \(A2:A4\)"):
        table = read_table(old_excel, sheet="A & Ö")
    assert table.frame.rows() == [(30, 1), (None, 2), (None, 3)]
    assert merged_cells(old_excel, "B") == []


def test_old_excel_that_is_cut_off_or_changed_says_nothing(old_excel, tmp_path):
    """The reader refuses a broken file or reads what is left; looking for merged cells never fails."""
    raw = old_excel.read_bytes()
    for place in range(0, len(raw), 7):
        for broken in (raw[:place], raw[:place] + b"\xff\xff\xff\xff" + raw[place + 4 :]):
            (tmp_path / "b.xls").write_bytes(broken)
            assert isinstance(merged_cells(tmp_path / "b.xls", "A & Ö"), list)


def opendocument(path, **sheets):
    """A spreadsheet; a cell is a value, or a value with how many rows and columns it spans."""
    from odf import opendocument, table, text

    book = opendocument.OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        sheet = table.Table(name=name)
        for cells in rows:
            row = table.TableRow()
            for cell in cells:
                value, down, right = cell if isinstance(cell, tuple) else (cell, 1, 1)
                made = (
                    table.CoveredTableCell()
                    if value is None
                    else table.TableCell(
                        valuetype="string", numberrowsspanned=down, numbercolumnsspanned=right
                    )
                )
                if value is not None:
                    made.addElement(text.P(text=value))
                row.addElement(made)
            sheet.addElement(row)
        book.spreadsheet.addElement(sheet)
    book.save(str(path))
    return path


def test_opendocument(tmp_path):
    path = opendocument(
        tmp_path / "a.ods",
        B=[["x"], ["b"]],
        C=[["age", "town", "n"], [("a", 2, 1), "b", "c"], [None, "b", "c"], ["a", ("b", 1, 2), None]],
    )
    with pytest.warns(InputWarning, match=r"Sheet 'C' has merged cells .* \(A2:A3, B4:C4\)"):
        table = read_table(path, sheet="C")
    assert table.frame["age"].to_list() == ["a", None, "a"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_table(path, sheet="B")) == 1
