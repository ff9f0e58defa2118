"""The menu of engines: who moves the records of files larger than memory."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from shoal._check import check_choice
from shoal.distributed.engines.engine import Engine
from shoal.errors import InvalidInput

ENGINES = ("polars", "dask", "spark")
NEEDS = {
    "polars": (),
    "dask": ("dask", "distributed", "pandas", "pyarrow"),
    "spark": ("pyspark", "pandas", "pyarrow"),
}


def opened_engine(
    name: str, scheduler: str | None, memory: int, folder: Path
) -> AbstractContextManager[Engine]:
    """The engine of that name for the length of a block; its library is asked for if it is not there.

    >>> with opened_engine("polars", None, 10**9, Path()) as engine:
    ...     print(engine.name)
    polars
    """
    check_choice("engine", name, ENGINES)
    if any(find_spec(library) is None for library in NEEDS[name]):
        raise InvalidInput(f'The engine {name} is not installed; run pip install "shoal[{name}]".')
    module = import_module(f"shoal.distributed.engines.{name}_engine")
    found: AbstractContextManager[Engine] = module.opened(scheduler, memory, folder)
    return found
