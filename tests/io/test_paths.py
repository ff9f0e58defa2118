"""Names of files: extensions that are known, files and folders that are not there."""

import pytest

from shoal.errors import InvalidInput
from shoal.io import detect_csv, read_table, write_table
from shoal.table import as_table


@pytest.mark.parametrize("name", ["a.docx", "a", "a.gz", ".csv2"])
def test_an_unknown_extension_lists_the_known(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"is not known; known are \.csv, .*\.parquet.*\.sav"):
        write_table(as_table({"a": [1]}), tmp_path / name)
    (tmp_path / name).write_text("a\n1\n")
    with pytest.raises(InvalidInput, match="is not known"):
        read_table(tmp_path / name)


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "census.csv").write_text("a\n1\n")
    with pytest.raises(InvalidInput, match=r"no file '.*cencus.csv'. Did you mean 'census.csv'\?"):
        read_table(tmp_path / "cencus.csv")
    with pytest.raises(InvalidInput, match="There is no file"):
        detect_csv(tmp_path / "nowhere" / "census.csv")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(InvalidInput, match="is a folder"):
        read_table(tmp_path)
    with pytest.raises(InvalidInput, match="is a folder"):
        write_table(as_table({"a": [1]}), _folder(tmp_path))
    with pytest.raises(InvalidInput, match=r"folder .*new does not exist"):
        write_table(as_table({"a": [1]}), tmp_path / "new" / "a.csv")


def _folder(tmp_path):
    folder = tmp_path / "a.csv"
    folder.mkdir()
    return folder
