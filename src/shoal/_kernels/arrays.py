"""The arrays kernels speak: records by columns; row positions or group numbers, in eight or four bytes."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.intp]
Slots: TypeAlias = NDArray[np.int32]
