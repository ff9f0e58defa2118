"""Two calls at once: results in order, each on a thread of its own, errors of either told."""

from __future__ import annotations

import threading

import pytest

from shoal._kernels.threads import two_at_once


def test_results_come_in_order_from_two_threads():
    meet = threading.Barrier(2, timeout=10)  # neither goes on before the other is there

    def step(task):
        meet.wait()
        return task, threading.get_ident()

    with two_at_once() as both:
        for _ in range(3):
            (first, here), (second, there) = both(step, iter("ab"))
            assert (first, second, here) == ("a", "b", threading.get_ident())
            assert there != here


@pytest.mark.parametrize("wrong", [0, 1])
def test_an_error_of_either_is_told(wrong):
    def step(task):
        if task == wrong:
            raise ValueError(task)

    with pytest.raises(ValueError, match=str(wrong)), two_at_once() as both:
        both(step, (0, 1))
