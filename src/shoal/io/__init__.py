"""Files and databases: read_table, write_table, and how a file is written."""

from shoal.io.address import Address, source_of
from shoal.io.csv import CsvFormat, detect_csv
from shoal.io.draft import Draft, check_draft, drafted
from shoal.io.form import Form
from shoal.io.formats import FORMATS, Format
from shoal.io.paths import is_csv
from shoal.io.read import read_table
from shoal.io.write import form_for, frame_to_release, write_table

__all__ = [
    "FORMATS",
    "Address",
    "CsvFormat",
    "Draft",
    "Form",
    "Format",
    "check_draft",
    "detect_csv",
    "drafted",
    "form_for",
    "frame_to_release",
    "is_csv",
    "read_table",
    "source_of",
    "write_table",
]
