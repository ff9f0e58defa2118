import pytest

from shoal.distributed.rate import Rate, Stopped


def test_progress_counts_over_all_stages_and_can_stop():
    heard = []
    rate = Rate(100, lambda p: heard.append(p) or len(heard) > 4)
    rate.begin(0, 2, "grouped")
    rate(50)
    rate(50)
    rate.begin(1, 2, "shuffled")
    assert [p.fraction for p in heard] == [0, 0.25, 0.5, 0.5]
    assert heard[1].message.startswith("step 1 of 2, 50 of 100 records grouped, ")
    assert heard[1].message.endswith("left in this step")
    with pytest.raises(Stopped):
        rate(100)


def test_without_a_callback_nothing_is_said():
    Rate(10, None)(5)
