"""How long this site takes to build, from nothing and without a network, and how large it is.

Run `python benchmarks/speed/site.py` (a minute or two), with a folder behind it to keep the site there. The
row goes to site.csv beside this script.
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
COMMAND = (sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html")

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        site = Path(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/site")
        subprocess.run([*COMMAND, "-d", f"{folder}/doctrees", str(DOCS), str(site)], check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        pages = len(list(site.rglob("*.html")))
        megabytes = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 1e6
    with HERE.joinpath("site.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["pages", "megabytes", "processor_seconds"])
        rows.writerow([pages, f"{megabytes:.1f}", f"{used.ru_utime + used.ru_stime:.0f}"])
