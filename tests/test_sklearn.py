"""scikit-learn: check_estimator over partitioners, pipelines, data frames out, model quality after."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

pytest.importorskip("sklearn", minversion="1.6", reason="the adapter needs the extra `sklearn`")

from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from shoal import add_noise, as_table, evaluate, microaggregate, suppress_to_k
from shoal.errors import InvalidInput
from shoal.partition import blockwise, hac, kmeans, local_search, mdav, mst, two_step, v_mdav
from shoal.sklearn import MaskingTransformer, PartitionClusterer

# One check finds three blobs of some seventeen records again: groups of ten do, groups of three are finer.
SHARED = pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")


def failures(estimator, expected=()):
    results = check_estimator(estimator, on_fail=None)
    return {r["check_name"] for r in results if r["status"] == "failed"} - set(expected)


@SHARED
@pytest.mark.parametrize("partition", [mdav, local_search, kmeans], ids=lambda f: f.__name__)
def test_the_clusterer_passes_check_estimator(partition):
    assert failures(PartitionClusterer(k=10, partition=partition, random_state=1)) == set()


@pytest.mark.parametrize(
    "partition", [mdav, v_mdav, local_search, mst, hac, kmeans, two_step, blockwise], ids=lambda f: f.__name__
)
def test_any_partitioner_clusters(partition):
    X, _ = make_blobs(60, random_state=1)
    clusterer = PartitionClusterer(k=3, partition=partition, random_state=1).fit(X)
    sizes = np.bincount(clusterer.labels_)
    assert sizes.min() >= 3
    assert clusterer.n_clusters_ == len(sizes) == len(clusterer.cluster_centers_)
    assert np.allclose(clusterer.cluster_centers_[0], X[clusterer.labels_ == 0].mean(axis=0))
    again = clone(clusterer).fit_predict(X)
    assert (again == clusterer.labels_).all()


def test_columns_in_other_units_do_not_matter_unless_asked():
    X, _ = make_blobs(60, random_state=1)
    stretched = X * [1, 1000]
    labels = PartitionClusterer(k=3).fit_predict(X)
    assert (PartitionClusterer(k=3).fit_predict(stretched) == labels).all()
    assert (PartitionClusterer(k=3, standardise=False).fit_predict(stretched) != labels).any()


def test_k_is_a_promise_without_a_default():
    with pytest.raises(TypeError):
        PartitionClusterer()
    with pytest.raises(InvalidInput, match="`k` must be an integer from 2 to 5"):
        PartitionClusterer(k=9).fit(np.arange(10.0).reshape(5, 2))


@SHARED
@pytest.mark.parametrize("masker", [partial(microaggregate, k=2), partial(suppress_to_k, k=2)])
def test_the_transformer_but_for_single_records(masker):
    """A record alone cannot be masked, and is masked otherwise in other company: one check asks for that."""
    left = failures(MaskingTransformer(masker), ["check_methods_subset_invariance"])
    assert left <= {"check_methods_sample_order_invariance"}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_a_frame_gives_a_frame_of_its_library(library):
    frame = library({"age": [20, 22, 61, 63], "town": ["a", "a", "b", "b"]})
    step = MaskingTransformer(partial(microaggregate, k=2), roles={"quasi": ["age"]})
    masked = step.fit_transform(frame)
    assert type(masked) is type(frame)
    assert list(masked["age"]) == [21.0, 21.0, 62.0, 62.0]
    assert list(masked["town"]) == ["a", "a", "b", "b"]
    assert list(step.get_feature_names_out()) == ["age", "town"]
    assert list(frame["age"]) == [20, 22, 61, 63]


def test_pandas_output_keeps_the_index():
    X = np.array([[1.0, 5.0], [3.0, 5.0], [8.0, 6.0], [10.0, 6.0]])
    step = MaskingTransformer(partial(microaggregate, k=2)).set_output(transform="pandas")
    assert list(step.fit_transform(X).columns) == ["x0", "x1"]
    frame = pd.DataFrame(X, columns=["a", "b"], index=list("wxyz"))
    masked = step.fit_transform(frame)
    assert list(masked.index) == list("wxyz")
    assert masked["a"].to_list() == [2.0, 2.0, 9.0, 9.0]
    polars = MaskingTransformer(partial(microaggregate, k=2)).set_output(transform="polars")
    assert isinstance(polars.fit_transform(X), pl.DataFrame)


def test_a_pipeline_learns_from_masked_records():
    X, y = make_blobs(200, centers=2, cluster_std=3.0, random_state=1)
    plain = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y).mean()
    for when in ("always", "fit"):
        masking = MaskingTransformer(partial(microaggregate, k=5), when=when)
        score = cross_val_score(make_pipeline(masking, StandardScaler(), LogisticRegression()), X, y).mean()
        assert score > plain - 0.1


def test_when_fit_only_the_records_learned_from_are_masked():
    X = np.array([[1.0], [3.0], [8.0], [10.0]])
    step = MaskingTransformer(partial(microaggregate, k=2), when="fit")
    assert step.fit_transform(X).ravel().tolist() == [2.0, 2.0, 9.0, 9.0]
    assert step.transform(X) is X or (step.transform(X) == X).all()
    with pytest.raises(InvalidInput, match="`when` must be one of 'always', 'fit'"):
        MaskingTransformer(partial(microaggregate, k=2), when="never").fit(X)


def test_texts_and_kinds_in_a_pipeline():
    frame = pd.DataFrame({"level": ["low", "low", "high", "middle"] * 5, "age": range(20)})
    kinds = {"level": ["low", "middle", "high"]}
    masking = MaskingTransformer(partial(microaggregate, k=4), kinds=kinds)
    encoded = make_pipeline(masking, OneHotEncoder(sparse_output=False)).fit_transform(frame)
    assert np.unique(encoded, axis=0, return_counts=True)[1].min() >= 4


def test_a_seed_repeats_a_masker_that_draws():
    X = np.arange(20.0).reshape(10, 2)
    noisy = MaskingTransformer(partial(add_noise, amount=0.5), random_state=3)
    assert (noisy.fit_transform(X) == noisy.fit_transform(X)).all()
    assert (noisy.fit_transform(X) != clone(noisy).set_params(random_state=4).fit_transform(X)).any()
    assert noisy.set_params(random_state=np.random.RandomState(3)).fit_transform(X).shape == X.shape


def test_what_a_step_gives_is_what_evaluate_judges():
    frame = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) ** 2})
    masked = MaskingTransformer(partial(microaggregate, k=4)).fit_transform(frame)
    roles = {"quasi": ["a", "b"]}
    assert evaluate(as_table(frame, roles=roles), as_table(masked, roles=roles)).k >= 4
