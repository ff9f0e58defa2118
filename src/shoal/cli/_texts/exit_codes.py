"""What the command line answers to the shell, beside 0 (done), 1 (unexpected) and 2 (bad input)."""

BROKEN = 3  # the promise is broken: nothing is in place
INTERRUPTED = 130  # Ctrl-C: 128 and the number of the signal, as shells count
