"""Files: read_table, write_table, and how a csv file is written."""

from shoal.io.csv import CsvFormat, detect_csv
from shoal.io.paths import is_csv
from shoal.io.read import read_table
from shoal.io.write import write_table

__all__ = ["CsvFormat", "detect_csv", "is_csv", "read_table", "write_table"]
