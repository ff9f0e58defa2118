"""What the worker can be asked: plain functions `f(desk, tell, **given)` of plain values, on a menu."""

from shoal.studio.answers.compare_files import compare_files
from shoal.studio.answers.compare_two import compare_two
from shoal.studio.answers.count_risk import count_columns, count_risk
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.estimate_loss import estimate_loss
from shoal.studio.answers.explore_grid import explore_grid
from shoal.studio.answers.look_at_hierarchy import keep_hierarchy, look_at_hierarchy
from shoal.studio.answers.look_at_order import look_at_order
from shoal.studio.answers.look_at_step import look_at_step
from shoal.studio.answers.open_source import look_at_columns, open_source, show_rows
from shoal.studio.answers.release_linked import release_linked
from shoal.studio.answers.riskiest_records import riskiest_records
from shoal.studio.answers.run_steps import reach_goal, run_steps
from shoal.studio.answers.write_release import write_release

ANSWERS = (
    open_source,
    look_at_columns,
    show_rows,
    count_risk,
    count_columns,
    riskiest_records,
    look_at_hierarchy,
    keep_hierarchy,
    look_at_order,
    run_steps,
    estimate_loss,
    look_at_step,
    reach_goal,
    explore_grid,
    compare_files,
    compare_two,
    write_release,
    release_linked,
)

__all__ = ["ANSWERS", "Desk"]
