"""scikit-learn: any partitioner as a clusterer, any masker as a step of a pipeline (needs scikit-learn)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice
from shoal._shared.options import with_known_options
from shoal.partition import mdav, means
from shoal.table import Table, as_table
from shoal.types import Kind, Masker, Matrix, Order, Partitioner, Role

try:
    from sklearn.base import BaseEstimator, ClusterMixin, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError('shoal.sklearn needs scikit-learn 1.6: pip install "shoal[sklearn]".') from error

__all__ = ["MaskingTransformer", "PartitionClusterer"]


class PartitionClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Cluster records into groups of at least k with any partitioner.

    Parameters
    ----------
    k
        Smallest size of a group; it has no default because it is a promise.
    partition
        A partitioner, ``f(X, k) -> labels``.
    standardise
        Whether columns are divided by their standard deviation first.
    random_state
        Seed of partitioners that draw.

    Attributes
    ----------
    labels_
        The group of every record.
    n_clusters_, cluster_centers_
        Number of groups and the mean of each, in the units of X.
    n_features_in_, feature_names_in_
        As in every estimator of scikit-learn.

    Notes
    -----
    There is no `predict`: a group is made of the records that were there. Cost: that of the partitioner.

    Examples
    --------
    >>> PartitionClusterer(k=2).fit_predict([[1.0], [1.1], [8.0], [8.2], [8.1]]).tolist()
    [0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        k: int,
        *,
        partition: Partitioner = mdav,
        standardise: bool = True,
        random_state: Any = None,
    ) -> None:
        self.k = k
        self.partition = partition
        self.standardise = standardise
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> PartitionClusterer:
        """Group the records; y is not looked at."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        scale = X.std(axis=0) if self.standardise else np.ones(X.shape[1])
        scaled: Matrix = np.ascontiguousarray((X - X.mean(axis=0)) / np.where(scale > 0, scale, 1.0))
        rng = None if self.random_state is None else _generator(self.random_state)
        self.labels_ = with_known_options(self.partition, rng=rng)(scaled, self.k)
        self.cluster_centers_ = means(X, self.labels_)
        self.n_clusters_ = len(self.cluster_centers_)
        return self


class MaskingTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Mask records inside a pipeline with any masker.

    Parameters
    ----------
    masker
        A masker with its options frozen, ``partial(microaggregate, k=5)``, or a `Recipe`'s `run`.
    roles, kinds
        As in `as_table`; without roles every column is a quasi-identifier.
    when
        "always": whatever is transformed is masked. "fit": only the records a pipeline is fitted with, so
        that a model learns from masked records and is tried on true ones.
    random_state
        Seed of maskers that draw; a seed is a secret.

    Notes
    -----
    Masking looks at all records at once: the same record is masked otherwise in other company, and fewer than
    k records cannot be masked. With ``when="fit"`` never release what `transform` gives. An array gives an
    array, a frame a frame of the same library; `set_output` works. Cost: that of the masker.

    Examples
    --------
    >>> from functools import partial
    >>> from shoal import microaggregate
    >>> step = MaskingTransformer(partial(microaggregate, k=2))
    >>> step.fit_transform(np.array([[1.0], [3.0], [8.0], [10.0]])).ravel().tolist()
    [2.0, 2.0, 9.0, 9.0]
    """

    def __init__(
        self,
        masker: Masker,
        *,
        roles: Mapping[Role, Iterable[str] | str] | None = None,
        kinds: Mapping[str, Kind | Order] | None = None,
        when: Literal["always", "fit"] = "always",
        random_state: Any = None,
    ) -> None:
        self.masker = masker
        self.roles = roles
        self.kinds = kinds
        self.when = when
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> MaskingTransformer:
        """Note the columns; nothing else is learned."""
        check_choice("when", self.when, ("always", "fit"))
        self._checked(X, reset=True)
        return self

    def fit_transform(self, X: Any, y: Any = None, **given: Any) -> Any:
        """The masked records."""
        self.fit(X, y)
        return self._masked(self._checked(X, reset=False))

    def transform(self, X: Any) -> Any:
        """The masked records, or with ``when="fit"`` the records as they are."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return self._masked(X) if self.when == "always" else X

    def _checked(self, X: Any, reset: bool) -> Any:
        """The frame as it is, anything else as an array that scikit-learn accepts."""
        if _is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        return validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")

    def _masked(self, X: Any) -> Any:
        table = self._table(X)
        rng = None if self.random_state is None else _generator(self.random_state)
        masked = with_known_options(self.masker, rng=rng)(table)
        if _is_frame(X):
            return masked.frame
        columns = [
            masked.numbers(name) if masked.is_number(name) else masked.column(name) for name in masked.names()
        ]
        return np.stack(columns, axis=1)

    def _table(self, X: Any) -> Table:
        if not _is_frame(X):
            X = dict(zip(self.get_feature_names_out(), (column.tolist() for column in X.T), strict=True))
        table = as_table(X, kinds=self.kinds)
        roles: Any = {"quasi": table.names()} if self.roles is None else self.roles
        return as_table(table, roles=roles)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags


def _is_frame(X: Any) -> bool:
    return bool(nw.dependencies.is_into_dataframe(X))


def _generator(random_state: Any) -> np.random.Generator:
    """A generator of numpy from what scikit-learn calls a random state."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    drawn: NDArray[Any] = check_random_state(random_state).randint(2**31, size=4)
    return np.random.default_rng(drawn)
