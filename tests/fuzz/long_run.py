"""Many cases in several processes for some minutes; failures are collected by where they happen.

python tests/fuzz/long_run.py --minutes 10 --workers 4

The last line says how many cases were tried, how fast, and what came of them; every case that failed is
written to a file (`--failures`) and can be tried again with `--again FILE`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import queue
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cases as the_cases
import odd_tables
import steps
from cases import BrokenPromise, Case, cases, folder_for_cases, try_case
from hypothesis import HealthCheck, Phase, given, settings

ROUND = 200  # cases between two reports of a process
MOST_FAILURES = 25  # different ones; then a process stops
GRACE = 45  # seconds after the end that the case at hand may take; longer is said to hang
SAID_EVERY = 15.0  # seconds between two lines of progress


def work(minutes: float, answers: Any) -> None:
    """Try cases until the time is over; say what came of every round."""
    end = time.monotonic() + 60 * minutes
    seen: set[str] = set()
    with folder_for_cases() as place:
        answers.put(("place", os.getpid(), place))
        while time.monotonic() < end and len(seen) < MOST_FAILURES:
            outcomes, found = _round(Path(place), end)
            fresh = {sign: text for sign, text in found.items() if sign not in seen}
            answers.put(("round", os.getpid(), (outcomes, fresh)))
            seen |= found.keys()
    answers.put(("done", os.getpid(), None))


def _round(folder: Path, end: float) -> tuple[Counter[str], dict[str, str]]:
    outcomes: Counter[str] = Counter()
    found: dict[str, str] = {}

    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases())
    def tried(case: Case) -> None:
        if time.monotonic() > end:
            return
        (folder / "at_hand").write_text(repr(case), encoding="utf-8")
        try:
            outcomes[try_case(case, folder)] += 1
        except Exception as error:
            outcomes["broken" if isinstance(error, BrokenPromise) else "tracebacks"] += 1
            found.setdefault(_signature(error), repr(case))

    tried()
    return outcomes, found


def _signature(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = next((f for f in reversed(frames) if "shoal" in f.filename), frames[-1])
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {str(error)[:100]}"


def try_again(path: Path) -> int:
    """The cases of a file of failures, one after the other."""
    known = {name: value for room in (the_cases, odd_tables, steps) for name, value in vars(room).items()}
    failed = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("Case("):
            continue
        with folder_for_cases() as place:
            try:
                print(try_case(eval(line, known), Path(place)))
            except Exception:
                failed += 1
                traceback.print_exc()
    print(f"{failed} still fail")
    return min(failed, 1)


class Tally:
    """What the processes said so far; failures are written as they come."""

    def __init__(self, failures: Path) -> None:
        self.outcomes: Counter[str] = Counter()
        self.found: dict[str, str] = {}
        self.failures, self.started, self.said = failures, time.monotonic(), 0.0
        failures.write_text("", encoding="utf-8")

    def add(self, outcomes: Counter[str], found: dict[str, str]) -> None:
        """One round of one process."""
        self.outcomes += outcomes
        for sign, case in found.items():
            if sign not in self.found:
                self.found[sign] = case
                print(f"\n{sign}\n    {case}", flush=True)
                with self.failures.open("a", encoding="utf-8") as stream:
                    stream.write(f"# {sign!a}\n{case}\n")
        if time.monotonic() - self.said > SAID_EVERY:
            self.said = time.monotonic()
            print(self, flush=True)

    def __str__(self) -> str:
        count, seconds = self.outcomes.total(), time.monotonic() - self.started
        bad = {name: self.outcomes[name] for name in ("broken", "tracebacks", "hung")}
        said = {name: self.outcomes[name] for name in ("written", "said", "refused")}
        where = f"; failing cases in {self.failures}" if any(bad.values()) else ""
        return (
            f"{count} cases in {seconds:.0f} s ({count / seconds:.1f} a second): "
            f"{bad['broken']} broken promises, {bad['tracebacks']} tracebacks, {bad['hung']} hung; "
            f"{said['written']} files counted, {said['said']} refusals in a sentence, "
            f"{said['refused']} refusals by the gate{where}"
        )


def gather(team: Iterable[Any], answers: Any, tally: Tally, end: float) -> None:
    """Add up what the processes say until all are done, have died or hang."""
    at_work = {process.pid: process for process in team}
    places: dict[int, str] = {}
    while at_work:
        try:
            what, pid, said = answers.get(timeout=5)
        except queue.Empty:
            for pid, process in list(at_work.items()):
                late = time.monotonic() > end + GRACE
                if late or not process.is_alive():
                    process.kill()
                    at_hand = Path(places.get(pid, "."), "at_hand")
                    case = at_hand.read_text(encoding="utf-8") if at_hand.exists() else "no case begun"
                    reason = "hung" if late else f"died ({process.exitcode})"
                    tally.add(Counter(hung=1), {f"process {pid} {reason}": case})
                    del at_work[pid]
            continue
        if what == "place":
            places[pid] = said
        elif what == "round":
            tally.add(*said)
        else:
            at_work.pop(pid, None)


def main() -> int:
    """Start the processes, add up what they say, list the failures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures.txt"))
    parser.add_argument("--again", type=Path, help="a file of failures to try again")
    asked = parser.parse_args()
    if asked.again:
        return try_again(asked.again)
    # of a dozen records threads cost more than they do
    os.environ.update(OMP_NUM_THREADS="1", POLARS_MAX_THREADS="1", NUMBA_NUM_THREADS="1")
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    end = time.monotonic() + 60 * asked.minutes
    tally = Tally(asked.failures)
    team = [context.Process(target=work, args=(asked.minutes, answers)) for _ in range(asked.workers)]
    for process in team:
        process.start()
    gather(team, answers, tally, end)
    for process in team:
        process.join(10)
    print(tally, flush=True)
    return 1 if tally.found else 0


if __name__ == "__main__":
    sys.exit(main())
