"""What mask, run, demo and evolve share: run a recipe, release the file, show the figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from shoal.cli import console
from shoal.cli._texts.column_list import show_columns
from shoal.cli._texts.exit_codes import BROKEN
from shoal.cli._texts.report_pages import Reporting
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import Opening, Writing
from shoal.errors import PromiseBroken
from shoal.io import Address
from shoal.measures.attack.panel import Panel
from shoal.measures.description.figure_words import in_words
from shoal.measures.evaluate import Combine
from shoal.models.promise import Promise
from shoal.partition import Certified
from shoal.search import FoundRecoding
from shoal.table import Table
from shoal.types import Callback, Progress
from shoal.workflow.edits_kept import edits_in_words
from shoal.workflow.pram_outcome import PramOutcome, pram_outcome
from shoal.workflow.recipe import Recipe
from shoal.workflow.release import Released, check_target_of, release

NO_PAGES = Reporting()


def protect(
    file: Path | Address,
    table: Table,
    recipe: Recipe,
    writing: Writing,
    *inputs: Path,
    save_fitted: Path | None = None,
    reporting: Reporting = NO_PAGES,
    opening: Opening | None = None,
    same_households: bool = False,
) -> None:
    """Run a recipe on a table and release what it gives; if asked, keep what it learned."""
    check_target_of(writing.target(file, *inputs))
    reporting.check(writing.force, [path for path in (file, *inputs) if isinstance(path, Path)])
    refuse_existing(writing.force, save_fitted, inputs=[file, *inputs])
    if not writing.as_json:
        show_columns(recipe.describe(table), recipe.kinds)
    found: list[FoundRecoding | Certified] = []
    learned = None
    searching = recipe.steps[-1]["method"] == "recode_to_k"  # which ends with the best so far, if stopped
    with console.progress_bar("protecting", stoppable=searching) as callback:
        heard = _hearing(callback, found)
        if save_fitted is None:
            masked = recipe.run(table, rng=writing.seed, callback=heard)
        else:
            masked, learned = recipe.fit(table, rng=writing.seed, callback=heard)
    original, promise = recipe.describe(table), recipe.promised
    release_and_show(
        file,
        original,
        masked,
        promise,
        writing,
        *inputs,
        reporting=reporting,
        recipe=recipe,
        found=found,
        combine=_optimised(recipe),
        opening=opening,
        same_households=same_households,
    )
    if save_fitted is not None and learned is not None:
        write_text(save_fitted, learned.to_toml(), writing.force)
        if not writing.as_json:
            console.say(f"What was learned is in {save_fitted}: " + " ".join(learned.learned))


def _hearing(callback: Callback, found: list[FoundRecoding | Certified]) -> Callback:
    """The callback, which also keeps the recoding that a search ends with, and what is proven of groups."""

    def heard(progress: Progress) -> bool | None:
        if isinstance(progress.best, (FoundRecoding, Certified)) and progress.message in (
            "found",
            "certified",
        ):
            found.append(progress.best)
        return callback(progress)

    return heard


def _optimised(recipe: Recipe) -> Combine:
    """How the score was made that a search inside the recipe minimised; the mean where there is none."""
    for step in recipe.steps:
        search = step.get("matrices")
        name = search.get("method") if isinstance(search, dict) else search
        if name in ("evolve_pram", "breed_pram"):
            fitness = search.get("fitness", "max") if isinstance(search, dict) else "max"
            return "mean" if fitness == "mean" else "max"
    return "mean"


def release_and_show(
    file: Path | Address,
    original: Table,
    masked: Table,
    promise: Promise,
    writing: Writing,
    *inputs: Path,
    reporting: Reporting = NO_PAGES,
    recipe: Recipe | None = None,
    found: Sequence[FoundRecoding | Certified] = (),
    combine: Combine = "mean",
    opening: Opening | None = None,
    same_households: bool = False,
) -> None:
    """Release a masked table, then show its figures; a broken promise ends with exit code 3."""
    target, why_not = writing.target(file, *inputs, opening=opening), ""
    target = replace(target, same_households=same_households)
    with console.progress_bar("evaluating") as callback:
        try:
            done = release(
                original, masked, promise, target, combine=combine, rng=writing.seed, callback=callback
            )
        except PromiseBroken as broken:
            done, why_not = broken.released, str(broken)
    panel = reporting.run_panel(original, masked, writing.seed)
    drawn = [] if recipe is None else pram_outcome(original, masked, recipe)
    edits = [] if recipe is None else edits_in_words(original, masked, recipe.edits)
    searched = _last_recoding(found)
    if writing.as_json:
        told: dict[str, Any] = {"pram": [outcome.to_dict() for outcome in drawn]} if drawn else {}
        told |= _search_facts(searched)
        told |= {"edits": edits} if edits else {}
        told |= {"attack": panel.to_dict()} if panel else {}
        print(json.dumps(done.to_dict() | told, indent=2))
    else:
        _show(done, writing, panel, original, masked)
        _show_drawn(drawn)
        for said in (*edits, *searched):
            console.say(str(said))
    if done.kept or done.anyway:
        reporting.write(
            original,
            masked,
            evaluation=done.evaluation,
            verdict=done.verdict,
            recipe=recipe,
            panel=panel,
            file=file,
            force=writing.force,
            quiet=writing.as_json,
        )
    if why_not:
        console.complain(why_not)
    if not done.kept and not done.anyway:
        raise typer.Exit(BROKEN)


def _last_recoding(found: Sequence[FoundRecoding | Certified]) -> list[FoundRecoding | Certified]:
    """What searches found: of recodings the last one, and every certificate."""
    recodings = [one for one in found if isinstance(one, FoundRecoding)]
    return [*recodings[-1:], *(one for one in found if isinstance(one, Certified))]


def _search_facts(searched: Sequence[FoundRecoding | Certified]) -> dict[str, Any]:
    """The recoding and what is proven of groups, for JSON: without tables and labels."""
    recodings = [one.to_dict() for one in searched if isinstance(one, FoundRecoding)]
    proven = [
        {"sse": one.sse, "bound": one.bound, "gap": one.gap} for one in searched if isinstance(one, Certified)
    ]
    return ({"recoding": recodings[0]} if recodings else {}) | ({"certified": proven} if proven else {})


def _show_drawn(drawn: list[PramOutcome]) -> None:
    for outcome in drawn:
        console.say(f"{outcome.column}: {in_words(outcome.changed)} % of the cells changed.")
        console.show_table("", (outcome.column, "before", "expected", "drawn"), outcome.rows(), numbers=3)


def _show_totals(original: Table, masked: Table) -> None:
    """Do published totals still come out? Only where sampling weights are known."""
    from shoal.report.office_facts import total_facts

    forms = {"column": "", "category": "", "before": ",.0f", "after": ",.0f", "change": "z.1f"}
    rows = [
        [format(row[name], form) for name, form in forms.items()] for row in total_facts(original, masked)
    ]
    if rows:
        header = ("weighted total", "category", "before", "after", "change (%)")
        console.show_table("Totals of the population", header, rows, numbers=3)


def _show(done: Released, writing: Writing, panel: Panel | None, original: Table, masked: Table) -> None:
    """The headline first, then the figures, then what was written."""
    console.show_evaluation(
        done.evaluation,
        done.headline,
        good=done.kept,
        intruder=None if panel is None else panel.sentence,
        details=writing.details,
    )
    if writing.details:
        _show_totals(original, masked)
    for note in done.verdict.notes:
        console.say(note)
    if done.suppressed:
        console.say(f"{done.suppressed} records are suppressed as a whole; they form one class of their own.")
    if done.path is not None:
        console.say(
            f"{done.verdict.records} records written to {writing.output}; counted there once more: "
            f"k = {done.reached}."
        )
    elif writing.output is None:
        console.say("Nothing was written; add -o OUT to write the protected file.")
