"""The screens, in the order a person meets them: one file each, put on the menu here."""

from shoal.studio.screens.columns_screen import COLUMNS
from shoal.studio.screens.compare_screen import COMPARE
from shoal.studio.screens.explore_screen import EXPLORE
from shoal.studio.screens.file_screen import FILE
from shoal.studio.screens.hierarchy_screen import HIERARCHY
from shoal.studio.screens.linked_screen import LINKED
from shoal.studio.screens.order_screen import ORDER
from shoal.studio.screens.protect_screen import PROTECT
from shoal.studio.screens.release_screen import RELEASE
from shoal.studio.screens.risk_screen import RISK
from shoal.studio.screens.screen import KEEP, Screen
from shoal.studio.screens.step_screen import STEP

SCREENS: tuple[Screen, ...] = (
    FILE,
    LINKED,
    COLUMNS,
    ORDER,
    RISK,
    PROTECT,
    HIERARCHY,
    STEP,
    EXPLORE,
    COMPARE,
    RELEASE,
)

__all__ = ["KEEP", "SCREENS", "Screen"]
