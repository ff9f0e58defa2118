"""What the command line answers to the shell, beside 0 (done), 1 (unexpected) and 2 (bad input)."""

BROKEN = 3  # the promise is broken: nothing is in place
