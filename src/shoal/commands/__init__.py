"""The commands of the command line: each is read, call, write."""
