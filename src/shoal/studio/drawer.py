"""The drawer: the plan as a recipe, as Python and as a command, so that nothing is only in the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from shoal.errors import ShoalError
from shoal.studio.paths_below import folder_of
from shoal.studio.plan import hierarchies_in, recipe_in
from shoal.studio.project_folder import protected_name
from shoal.studio.session import Session

NO_STEP = "# Add a step on the page Protect; the same then stands here as text."


def drawer(session: Session) -> list[tuple[str, str, str]]:
    """(id, title, text) of every way to say what was done."""
    try:
        recipe = recipe_in(session.plan)
    except ShoalError as error:
        return [("recipe", "Recipe", f"# {error}"), ("python", "Python", ""), ("command", "Command line", "")]
    if recipe is None:
        texts = (NO_STEP,) * 3
    else:
        path = Path(session.plan["source"])
        source, target = path.name, protected_name(path)
        recipe = replace(recipe, hierarchies=hierarchies_in(session.plan, folder_of(path).name))
        texts = (recipe.to_toml(), recipe.to_python(source, target), recipe.to_command(source, target))
    titles = (("recipe", "Recipe"), ("python", "Python"), ("command", "Command line"))
    return [(*title, text) for title, text in zip(titles, texts, strict=True)]
