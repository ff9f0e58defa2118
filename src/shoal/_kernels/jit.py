"""The one way shoal compiles kernels: `jit` for what Python calls, `kernel_only` for what only kernels call.

No parallel loops: numba's default thread pool ends the process when two threads enter it at once, and does
not survive a fork. No fast-math: two sums of the same numbers must be equal to the last bit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

INTERPRETED = 50_000  # numbers that Python reads in a tenth of a second; compiling takes longer

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def jit(function: Kernel) -> Kernel:
    """Compile at the first call and keep the result on disk; other threads may run meanwhile.

    Numba's cache does not notice a change in a kernel of another file that this one calls, so the name of
    the file it writes carries a fingerprint of them all.
    """
    function.__qualname__ += f"-{_fingerprint(function.__module__.partition('._kernels.')[2]):08x}"
    try:
        return cast(Kernel, numba.njit(function, cache=True, nogil=True))
    except RuntimeError:  # no folder to write to: compile again in every session
        return cast(Kernel, numba.njit(function, nogil=True))


@cache
def _fingerprint(name: str) -> int:
    """Checksum of a kernel file and of the kernel files it imports."""
    path = Path(__file__).parent / f"{name.replace('.', '/')}.py"
    source = path.read_bytes() if path.exists() else b""
    imported = sorted(set(re.findall(r"from shoal\._kernels\.([\w.]+) import", source.decode())))
    return zlib.crc32(repr([_fingerprint(other) for other in imported]).encode(), zlib.crc32(source))


def is_cached(kernel: Callable[..., Any]) -> bool:
    """Is compiled code of the kernel on disk? True also where none can be kept."""
    folder = cast(Any, kernel).stats.cache_path
    return folder is None or any(Path(folder).glob(f"*.{kernel.__qualname__}-*.nbi"))


def interpreted_if_small(kernel: Kernel, numbers: int) -> Kernel:
    """The kernel as plain Python where a small file would wait for its compilation: the same result, sooner.

    Once it is compiled, in this process or on disk, that is taken. Not for kernels whose whole numbers wrap.
    """
    if numbers > INTERPRETED or cast(Any, kernel).signatures or is_cached(kernel):
        return kernel
    return cast(Kernel, cast(Any, kernel).py_func)


class _KernelOnly:
    """A compiled function without a door to Python, which takes long to compile."""

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        self.function = function
        no_door: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": not inline}
        self.compiled: Any = numba.njit(nogil=True, forceinline=inline, **no_door)(function)
        template = self.compiled.get_call_template
        self.compiled.get_call_template = lambda args, kws: template(tuple(map(_eight_bytes, args)), kws)
        self._numba_type_ = self.compiled._numba_type_  # what a kernel that names this object sees

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def _eight_bytes(kind: Any) -> Any:
    """One kind of whole numbers for all callers: numba would compile anew for four bytes, or a plain 0."""
    if isinstance(kind, numba.types.IntegerLiteral) or kind == numba.types.int32:
        return numba.types.int64
    return kind


def kernel_only(function: Kernel) -> Kernel:
    """Compile for other kernels; called from Python it runs as plain Python."""
    return cast(Kernel, _KernelOnly(function, inline=False))


def inline(function: Kernel) -> Kernel:
    """The same, copied into every caller: for a few lines that are called millions of times.

    It can make no arrays, nor can what it calls; so numba does not count who holds which, which takes longer
    than the few lines do.
    """
    return cast(Kernel, _KernelOnly(function, inline=True))
