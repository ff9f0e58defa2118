"""The made-up hospital file is what its page says."""

import numpy as np
import pytest

import shoal
from shoal.datasets import make_patients


def test_same_seed_same_file():
    assert make_patients(200, rng=3) == make_patients(200, rng=3)
    assert make_patients(200, rng=3) != make_patients(200, rng=4)


def test_a_ward_is_plausible():
    table = make_patients(5000, rng=1)
    diagnosis, sex = np.asarray(table.column("diagnosis")), np.asarray(table.column("sex"))
    age = np.asarray(table.column("age"))
    assert (sex[diagnosis == "O80"] == "female").all()
    assert (sex[diagnosis == "C61"] == "male").all()
    assert age[diagnosis == "O80"].mean() < 40 < 70 < age[diagnosis == "I50.0"].mean()
    assert len(set(table.column("patient"))) == 5000
    assert 50 < table.missing()["postcode"] < 150
    assert all(code is None or (len(code) == 5 and code[0] == "0") for code in table.column("postcode"))


def test_too_few_is_one_sentence():
    with pytest.raises(shoal.InvalidInput, match="n"):
        make_patients(0)
