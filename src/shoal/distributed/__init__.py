"""Files larger than memory: the same jobs over an engine's lazy frames."""

from shoal.distributed.check_files import FilesVerdict, check_files
from shoal.distributed.engines import ENGINES
from shoal.distributed.mask_files import mask_files
from shoal.distributed.released_files import ColumnKept, ReleasedFiles

__all__ = ["ENGINES", "ColumnKept", "FilesVerdict", "ReleasedFiles", "check_files", "mask_files"]
