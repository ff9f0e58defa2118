# The two commands of the README. Each makes what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-lowest fast fuzz faults lint docs papers clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

test: lint docs
	$(BIN)/pytest -n 2 --dist worksteal

# While you work: lint and the tests that are quick, in less than two minutes.
fast: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/installed-dev
	$(BIN)/mkdocs build --strict --quiet

# Random tables, maskers and formats; what is written is counted by a stranger.
MINUTES ?= 10
fuzz: $(VENV)/installed-dev
	SHOAL_FUZZ_MINUTES=$(MINUTES) $(BIN)/pytest tests/fuzz

# The tests with the oldest versions that pyproject.toml claims (LOWEST_TESTS=tests/io for a part of them).
LOWEST ?= .venv-lowest
LOWEST_TESTS ?= tests
test-lowest: $(LOWEST)/installed
	PYTHONPATH=src $(LOWEST)/bin/python -m pytest -n 2 --dist worksteal -W default -m "not slow" $(LOWEST_TESTS)

$(LOWEST)/installed: pyproject.toml
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/pip install --quiet uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable ".[test]"
	touch $@

# Every table and figure of the sources again: make papers, make papers ONLY=000/7, make papers QUICK=1
papers: $(VENV)/installed-dev
	$(BIN)/python benchmarks/papers/make.py $(ONLY) $(if $(QUICK),--quick)

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/pip install --quiet --editable ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) site demo .pytest_cache .mypy_cache .ruff_cache

# every signal fifty times at every command that writes
faults: $(VENV)/installed-dev
	SHOAL_FAULTS=50 $(BIN)/pytest tests/cli/test_faults.py
