# The two commands of the README. Each makes what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test fast fuzz lint docs clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

test: lint docs
	$(BIN)/pytest -n 2 --dist worksteal

# While you work: lint and the tests that are quick, in less than two minutes.
fast: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

# Random tables, maskers and formats; what is written is counted by a stranger.
MINUTES ?= 10
fuzz: $(VENV)/installed-dev
	SHOAL_FUZZ_MINUTES=$(MINUTES) $(BIN)/pytest tests/fuzz

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/pip install --quiet --editable ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) site demo .pytest_cache .mypy_cache .ruff_cache
