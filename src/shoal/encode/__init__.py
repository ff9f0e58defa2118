"""Encoding: a table becomes a matrix with meaningful distances; nothing is ever decoded."""

from shoal.encode.encode_table import Scale, encode, encode_pair, quasi_columns
from shoal.encode.fill_missing import fill_missing

__all__ = ["Scale", "encode", "encode_pair", "fill_missing", "quasi_columns"]
