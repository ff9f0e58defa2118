"""How many threads are worth starting."""

import os

SHARE = 1 << 19  # numbers a thread should have to read, or starting it takes longer


def useful_threads(numbers: int) -> int:
    """As many as there are processors, unless there is too little to read for so many."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, numbers // SHARE))
