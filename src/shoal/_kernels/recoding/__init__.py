"""Counting and rearranging classes of records that share labels of hierarchies."""
