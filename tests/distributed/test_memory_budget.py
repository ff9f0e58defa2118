import pytest

from shoal.distributed.memory_budget import LEAST, memory_budget
from shoal.errors import InvalidInput


@pytest.mark.parametrize(
    ("said", "meant"), [("4GB", 4e9), ("800mb", 8e8), ("1.5 G", 1.5e9), ("1TB", 1e12), (2_000_000_000, 2e9)]
)
def test_sizes_in_words_and_numbers(said, meant):
    assert memory_budget(said) == meant


def test_nothing_said_is_a_share_of_the_machine():
    assert memory_budget(None) >= LEAST


@pytest.mark.parametrize("said", ["four", "", "-4GB", "4PB", "10MB", 12])
def test_what_is_no_size_is_refused(said):
    with pytest.raises(InvalidInput, match="memory"):
        memory_budget(said)
