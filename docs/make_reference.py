"""Write a page of the reference for every room, from what the room says is public (`__all__`)."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import shoal

# The order in which a user meets the rooms; a room that is not named here comes after these.
FIRST = ("shoal", "shoal.io", "shoal.hierarchy", "shoal.masking", "shoal.partition", "shoal.models")


def rooms() -> list[str]:
    """Every public package or module that says what it offers."""
    found = ["shoal"]
    for module in pkgutil.walk_packages(shoal.__path__, "shoal."):
        public = not any(part.startswith("_") for part in module.name.split("."))
        if public and module.name != "shoal.cli" and hasattr(importlib.import_module(module.name), "__all__"):
            found.append(module.name)
    return sorted(found, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))


def homes() -> dict[int, str]:
    """Where each public thing is described in full: the first room that offers it, shoal itself last."""
    found: dict[int, str] = {}
    for room in [*rooms()[1:], "shoal"]:
        module = importlib.import_module(room)
        for name in module.__all__:
            found.setdefault(id(getattr(module, name)), f"{room}.{name}")
    return found


def page(room: str, full: dict[int, str]) -> str:
    """One room: a table of its names with their first sentences, then those at home there in full."""
    module = importlib.import_module(room)
    said = inspect.cleandoc(module.__doc__ or "").split("\n\n")[0].replace("`", "``")
    things = {name: getattr(module, name) for name in sorted(module.__all__, key=str.lower)}
    described = {name: thing for name, thing in things.items() if _has_words(thing)}
    lines = [room, "=" * len(room), "", said, "", ".. list-table::", "   :widths: 30 70", ""]
    for name, thing in described.items():
        lines += [f"   * - :py:obj:`{name} <{full[id(thing)]}>`", f"     - {_first_sentence(thing)}"]
    others = [name for name in things if name not in described]
    if others:
        lines += ["", "Menus and types: " + ", ".join(f"``{name}``" for name in others) + "."]
    for name, thing in described.items():
        if full[id(thing)] == f"{room}.{name}":
            lines += ["", name, "-" * len(name), "", f".. py:currentmodule:: {room}", ""]
            lines += [f".. auto{'class' if inspect.isclass(thing) else 'function'}:: {name}"]
            lines += ["   :members:"] if inspect.isclass(thing) else []
    return "\n".join(lines) + "\n"


def _has_words(thing: object) -> bool:
    return inspect.isclass(thing) or inspect.isroutine(thing)


def _first_sentence(thing: object) -> str:
    words = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")
    return words.replace("``", "`").replace("`", "``").replace("*", "\\*").replace("|", "\\|")


def write(folder: Path) -> None:
    """Pages that have not changed are left alone, so that a second build is quick."""
    folder.mkdir(exist_ok=True)
    full = homes()
    for room in rooms():
        target, text = folder / f"{room}.rst", page(room, full)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parent / "reference")
