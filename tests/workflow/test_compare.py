"""compare: the right figures, the best marked, the slow and the unsuitable skipped with a word."""

from __future__ import annotations

import csv
import io
import json
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from shoal import as_table
from shoal.datasets import load_sme, make_scattered
from shoal.encode import encode, fill_missing
from shoal.errors import InvalidInput, NotApplicable, TimeWarning
from shoal.evolve import tournament
from shoal.partition import exhaustive, genetic, mdav, sizes, sse, two_step
from shoal.types import Progress
from shoal.workflow.compare import HEADER, Comparison, Trial, compare, name_of

X = np.random.default_rng(0).normal(size=(40, 2))
quick = partial(genetic, population=10, generations=30)


def in_file_order(X, k):
    return np.minimum(np.arange(len(X)) // k, len(X) // k - 1)


def alone(X, k):
    return np.arange(len(X))


def hopeless(X, k):
    time.sleep(0.01 * len(X))
    return mdav(X, k)


def hungry(X, k):
    raise MemoryError


def without_seconds(comparison):
    return [{**row, "seconds": None} for row in comparison.to_dict()["trials"]]


def test_figures_are_those_of_the_labels():
    found = compare(X, [3, 7], partitioners=[in_file_order, mdav])
    assert found.records == 40
    assert [(trial.k, trial.method) for trial in found.trials] == [
        *[(3, "mdav"), (3, "in_file_order"), (7, "mdav"), (7, "in_file_order")]
    ]
    total = ((X - X.mean(axis=0)) ** 2).sum()
    for trial in found.trials:
        labels = {"mdav": mdav, "in_file_order": in_file_order}[trial.method](X, trial.k)
        assert trial.loss == pytest.approx(100 * sse(X, labels) / total)
        assert trial.groups == labels.max() + 1
        assert (trial.smallest, trial.largest) == (sizes(labels).min(), sizes(labels).max())
        assert trial.seconds >= 0
        assert trial.best == (trial.method == "mdav")
    assert found.best(3) == "mdav"
    assert found.best(4) is None


def test_a_table_is_encoded_with_its_missing_cells_filled():
    table = as_table(
        {"age": [20, 22, None, 63, 64, 30], "town": list("aababb"), "pay": [1, 2, 3, 4, 5, 6]},
        roles={"quasi": ["age", "town"]},
    )
    encoded = fill_missing(encode(table))
    expected = compare(encoded, 2, partitioners=[mdav]).trials[0].loss
    assert compare(table, 2, partitioners=[mdav]).trials[0].loss == expected
    assert compare(table, 2, partitioners=[mdav], columns=["pay"]).trials[0].loss != expected
    assert compare(table, 2, partitioners=[mdav], scale="range").trials[0].loss != expected


def test_equal_methods_are_both_best():
    found = compare(X, 3, partitioners=[mdav, partial(mdav, leftovers="group"), in_file_order])
    assert [trial.best for trial in found.trials] == [True, True, False]


def test_constant_files_lose_nothing():
    assert compare(np.ones((9, 2)), 3, partitioners=[mdav]).trials[0].loss == 0


def test_the_whole_menu_runs_on_a_small_file():
    found = compare(load_sme(), 3, rng=1)
    names = [trial.method for trial in found.trials]
    assert {"mdav", "genetic", "two_step", "exhaustive"} <= set(names)
    assert found.best(3) is not None
    ran = [trial for trial in found.trials if not trial.skipped]
    assert min(trial.loss for trial in ran) == next(t.loss for t in ran if t.method == "exhaustive")


def test_an_unsuitable_method_is_skipped_with_its_reason():
    found = compare(X, 3, partitioners=[exhaustive, alone, hungry, mdav])
    assert found.best(3) == "mdav"
    assert found.skipped() == [
        "exhaustive, k = 3: Exhaustive search is for at most 20 records, got 40; use two_step instead.",
        "alone, k = 3: It returned a group of fewer than k = 3 records; do not use it.",
        "hungry, k = 3: There is not enough memory.",
    ]


def test_a_slow_method_is_skipped_instead_of_hanging():
    records = make_scattered(100_000, rng=1)
    found = compare(records, 3, partitioners=[hopeless], seconds=1)
    assert found.skipped() == ["hopeless, k = 3: It would take longer than the limit of 1 s."]
    assert found.best(3) is None


def test_same_rng_same_losses_whatever_the_workers():
    run = partial(compare, X, [3, 4], partitioners=[quick, partial(two_step, fine=quick), mdav], rng=5)
    first = without_seconds(run())
    assert first == without_seconds(run())
    with ThreadPoolExecutor(2) as pool:
        assert first == without_seconds(run(workers=pool.map))
    assert first != without_seconds(run(rng=6))


def test_the_callback_sees_progress_and_changes_nothing():
    run = partial(compare, X, [3, 4], partitioners=[quick, mdav], rng=5)
    seen = []
    assert without_seconds(run(callback=seen.append)) == without_seconds(run())
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert "generation 3 of 30" in seen[3].message
    assert len(seen[0].best.trials) == 0
    assert len(seen[-1].best.trials) == 4


def test_the_callback_stops_between_methods_with_what_is_finished():
    found = compare(
        X, 3, partitioners=[mdav, in_file_order, exhaustive], callback=lambda p: len(p.best.trials) == 2
    )
    assert {trial.method for trial in found.trials} == {"mdav", "in_file_order"}


def test_the_callback_stops_inside_a_method_and_drops_its_half_result():
    found = compare(
        X, 3, partitioners=[mdav, quick, exhaustive], callback=lambda p: "generation 5" in p.message
    )
    assert [trial.method for trial in found.trials] == ["mdav"]


def test_with_other_workers_the_callback_is_called_after_every_trial():
    seen = []
    with ThreadPoolExecutor(2) as pool:
        compare(X, 3, partitioners=[mdav, quick], workers=pool.map, callback=seen.append)
    assert [progress.fraction for progress in seen] == [0.5, 1.0]


def test_a_generator_of_partitioners_is_used_for_every_k():
    found = compare(X, iter([3, 4, 3]), partitioners=(method for method in (mdav, in_file_order)))
    assert len(found.trials) == 4


def test_json_csv_and_text_tell_the_same():
    found = compare(X, [3, 5], partitioners=[mdav, in_file_order, exhaustive])
    rows = json.loads(found.to_json())["trials"]
    assert rows == found.to_dict()["trials"]
    table = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["method"] for row in table] == [row["method"] for row in rows]
    assert float(table[0]["loss"]) == rows[0]["loss"]
    assert table[0]["best"] == "True"
    assert table[2]["loss"] == ""
    assert len(found.rows()) == 4
    assert all(len(row) == len(HEADER) for row in found.rows())


def test_text_and_page():
    trials = (
        Trial(3, "mdav", 5.6922, 4.8363, 360, 3, 3, 0.0123, best=True),
        Trial(3, "<b>", 61.0, 5.25, 100, 3, 5, 12.5),
        Trial(3, "exhaustive", skipped="Too large."),
    )
    assert str(Comparison(1080, trials)).splitlines() == [
        "1080 records",
        "k  method   loss %  after search %  groups  smallest  largest  seconds  best",
        "3  mdav     5.6922          4.8363     360         3        3    0.012     *",
        "3  <b>     61.0000          5.2500     100         3        5   12.500",
        "skipped exhaustive, k = 3: Too large.",
    ]
    page = Comparison(1080, trials)._repr_html_()
    assert "<td>&lt;b&gt;</td>" in page
    assert "<p>skipped exhaustive, k = 3: Too large.</p>" in page


def test_names_show_options_but_no_seed():
    assert name_of(mdav) == "mdav"
    assert name_of(partial(genetic, rng=12345)) == "genetic"
    nested = partial(
        two_step, fine=partial(genetic, selection=partial(tournament, size=4), rng=12345), macro=12
    )
    assert name_of(nested) == "two_step(fine=genetic(selection=tournament(size=4)), macro=12)"


@pytest.mark.parametrize(
    ("ks", "options", "sentence"),
    [
        (0, {}, "`k` must be an integer from 2 to 40"),
        ([3, 41], {}, "`k` must be an integer from 2 to 40"),
        ("3", {}, "`k` must be an integer from 2 to 40"),
        (None, {}, "`k` must be an integer from 2 to 40"),
        ([], {}, "nothing to compare"),
        (3, {"partitioners": []}, "nothing to compare"),
        (3, {"seconds": -1}, "`seconds` must be a number at least 0"),
    ],
)
def test_wrong_calls_are_one_sentence(ks, options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        compare(X, ks, **options)


def test_a_mistake_in_a_partitioner_is_not_hidden():
    def broken(X, k):
        raise TypeError("a bug")

    with pytest.raises(TypeError, match="a bug"):
        compare(X, 3, partitioners=[broken])


def test_not_applicable_is_skipped_after_samples_too():
    def never(X, k):
        raise NotApplicable("Not for this file.")

    assert compare(np.zeros((500, 1)), 3, partitioners=[never]).skipped() == [
        "never, k = 3: Not for this file."
    ]


def test_seconds_are_handed_on_unless_frozen():
    heard = []

    def patient(records, k, *, seconds=60.0):
        heard.append(seconds)
        return mdav(records, k)

    compare(X, 3, partitioners=[patient, partial(patient, seconds=1)], seconds=2)
    assert heard == [2, 1]


def test_a_search_by_the_clock_compiles_before_its_clock_starts():
    """What it compiles depends on the file and the seconds, so it is begun once and stopped at once."""
    compiled = []

    def search(records, k, *, seconds=60.0, callback=None):
        if (len(records), seconds) not in compiled:
            time.sleep(0.3)
            warnings.warn("compiling takes long", TimeWarning, stacklevel=2)
        compiled.append((len(records), seconds))
        if callback is not None and callback(Progress(0.5, "")):
            return in_file_order(records, k)
        return mdav(records, k)

    records = make_scattered(200, rng=1)
    trial = compare(records, 3, partitioners=[search], seconds=2).trials[0]
    assert compiled == [(200, 2), (200, 2)]
    assert trial.seconds < 0.3
    assert trial.groups == 66
    assert trial.loss == pytest.approx(compare(records, 3, partitioners=[mdav]).trials[0].loss)


def test_a_short_method_runs_twice_alike_so_that_loading_does_not_count():
    drawn = []

    def drawing(records, k, *, rng=None):
        drawn.append((len(records), rng.random()))
        return in_file_order(records, k)

    compare(X[:12], 3, partitioners=[drawing], rng=1)
    assert [n for n, _ in drawn] == [6, 12, 12], "a few records first, then the file twice"
    assert len({number for _, number in drawn}) == 1
