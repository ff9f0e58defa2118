"""What is said of a budget, and when nothing is worth a word."""

from __future__ import annotations

import time
import warnings

import pytest

from shoal.errors import TimeWarning
from shoal.partition._anneal.time_warnings import (
    warn_if_compiled,
    warn_if_late,
    warn_no_search,
    warn_not_reached,
)


def test_a_little_late_is_not_worth_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_late("best", time.monotonic() - 10.4, 10.0)
        warn_if_compiled("best", 1.9, 1.0)
        warn_if_compiled("best", 5.9, 60.0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: warn_if_late("best", time.monotonic() - 12, 10.0),
            r"best took 12\.0 seconds instead of 10:",
        ),
        (lambda: warn_if_compiled("best", 6.1, 60.0), r"compiled for 6\.1 seconds before its 60 .*warmup"),
        (lambda: warn_no_search("best"), "no time to search: .* Give more seconds"),
        (lambda: warn_not_reached("lower_bound", 0.25), "time for 25 % of the records"),
    ],
)
def test_what_is_said(call, sentence):
    with pytest.warns(TimeWarning, match=sentence):
        call()
