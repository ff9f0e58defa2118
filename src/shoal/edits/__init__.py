"""Edit rules: what must hold inside a record (totals, limits, zeros that stay zero)."""

from shoal.edits.check_edits import EditCheck, check_edits
from shoal.edits.edit_rule import EditRule, read_edit

__all__ = ["EditCheck", "EditRule", "check_edits", "read_edit"]
