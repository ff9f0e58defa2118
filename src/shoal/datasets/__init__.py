"""Files to try methods on: small printed ones, generators, and the reference files of the literature."""

from shoal.datasets.census import make_census
from shoal.datasets.listing import DatasetInfo, list_datasets
from shoal.datasets.patients import make_patients
from shoal.datasets.reference import read_reference, reference_names
from shoal.datasets.small import load_points, load_sme
from shoal.datasets.synthetic import make_clustered, make_scattered

__all__ = [
    "DatasetInfo",
    "list_datasets",
    "load_points",
    "load_sme",
    "make_census",
    "make_clustered",
    "make_patients",
    "make_scattered",
    "read_reference",
    "reference_names",
]
