"""Encoding: a table becomes a matrix with meaningful distances; nothing is ever decoded."""

from shoal.encode.encode_gaps import encode_gaps
from shoal.encode.encode_table import Scale, encode, encode_pair, quasi_columns
from shoal.encode.fill_missing import fill_missing
from shoal.encode.look_alikes import look_alikes

__all__ = ["Scale", "encode", "encode_gaps", "encode_pair", "fill_missing", "look_alikes", "quasi_columns"]
