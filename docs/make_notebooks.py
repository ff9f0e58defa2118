"""Run docs/notebooks and keep what they show. Run: python docs/make_notebooks.py [NAME ...]"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent / "notebooks"
LONGEST = 300  # seconds of a cell: a machine that has compiled nothing yet


def executed(path: Path, folder: Path) -> Any:
    """The notebook, run from its first cell in a kernel of its own that works in the folder."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=LONGEST, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(cwd=str(folder))
    return notebook


def kept(notebook: Any) -> Any:
    """The notebook with the outputs worth keeping: no bar that is gone, no warning with a path, no times."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output["data"]["text/plain"] = "a picture"
        cell["outputs"] = [o for o in cell.get("outputs", []) if _worth(o)] if "outputs" in cell else []
        if cell.cell_type != "code":
            del cell["outputs"]
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def _worth(output: Any) -> bool:
    if output.output_type == "stream":
        return bool(output.name == "stdout")
    return output.output_type == "execute_result"


if __name__ == "__main__":
    import tempfile

    for path in sorted(FOLDER.glob("*.ipynb")):
        if path.stem in (sys.argv[1:] or [path.stem]):
            with tempfile.TemporaryDirectory() as folder:
                nbformat.write(kept(executed(path, Path(folder))), path)
