"""What can go wrong, as a small tree.

    ShoalError                 everything shoal raises on purpose
    ├── InvalidInput           the question cannot be answered as asked: fix the call or the file
    ├── NotApplicable          a method or measure has nothing to say about this table
    ├── Infeasible             the promise (k records in every group) cannot be kept with these records
    ├── Stopped                a callback asked to stop before there was any result
    └── PromiseBroken          the file that was made breaks its promise, so it was not released

Every message is one sentence that says what is wrong, what was got and what to do. Messages name
columns and row positions, never a value of the file. `InputWarning`, `SizeWarning`,
`TimeWarning` and `PrivacyWarning` are said, not raised.
"""

from typing import Any


class ShoalError(Exception):
    """Base of everything shoal raises on purpose."""


class InvalidInput(ShoalError, ValueError):
    """The call or the file is wrong; the sentence says how to mend it."""


class NotApplicable(ShoalError):
    """A method or measure has nothing to say about this table; the sentence says why."""


class Infeasible(ShoalError):
    """The protection asked for cannot be reached with these records."""


class PromiseBroken(ShoalError):
    """The file that was made breaks its promise, so nothing was released; `.released` has the figures."""

    def __init__(self, sentence: str, released: Any = None) -> None:
        super().__init__(sentence)
        self.released = released


class Stopped(ShoalError):
    """A callback asked to stop before there was a result worth keeping; nothing was changed."""

    def __init__(
        self, sentence: str = "Stopped as asked before there was a result; nothing was changed."
    ) -> None:
        super().__init__(sentence)


class InputWarning(UserWarning):
    """The file was read, but a column may not be what it was taken for; the sentence says which."""


class SizeWarning(UserWarning):
    """The file is so large that it was treated in another way; the sentence says how."""


class TimeWarning(UserWarning):
    """The work took longer than it was given, or was not begun; the sentence says why."""


class PrivacyWarning(UserWarning):
    """The result is what was asked for, but protects less than one may think; the sentence says where."""
