# The two commands of the README. Each makes what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo studio test test-spark test-lowest fast fuzz faults lint docs notebooks papers clean

demo: $(VENV)/installed
	$(BIN)/shoal demo

# The workbench in your browser, on a file of made-up people in the folder demo/.
studio: $(VENV)/installed
	$(BIN)/pip install --quiet --editable ".[studio]"
	mkdir -p demo
	$(BIN)/shoal studio demo --made-up

test: lint docs
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

# While you work: lint and the tests that are quick, in less than two minutes.
fast: $(VENV)/installed-dev
	$(BIN)/ruff check
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal -m "not slow and not spark" tests

lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/installed-dev
	$(BIN)/sphinx-build -W -q -b html -d .doctrees docs site

# The notebooks of the docs, run again; what they show is kept in them.
notebooks: $(VENV)/installed-dev
	$(BIN)/python docs/make_notebooks.py

# The same jobs on Spark, two threads of this machine: needs Java 17 and pyspark (some 450 MB).
test-spark: $(VENV)/installed-dev
	$(BIN)/pip install --quiet --editable ".[spark]"
	$(BIN)/pytest -m spark tests/distributed

# Random tables, maskers and formats in several processes; what is written is counted by a stranger.
MINUTES ?= 10
WORKERS ?= 2
fuzz: $(VENV)/installed-dev
	$(BIN)/python tests/fuzz/long_run.py --minutes $(MINUTES) --workers $(WORKERS)

# The tests with the oldest versions that pyproject.toml claims (LOWEST_TESTS=tests/io for a part of them).
LOWEST ?= .venv-lowest
LOWEST_TESTS ?= tests
LOWEST_COMMANDS := $(addprefix tests/cli/test_,commands.py arguments.py lists.py hierarchy.py)
test-lowest: $(LOWEST)/installed
	PYTHONPATH=src $(LOWEST)/bin/python -m pytest -n 2 --dist worksteal -W default -m "not slow and not spark" $(LOWEST_TESTS)
	PYTHONPATH=src $(LOWEST)/bin/python -m pytest -n 0 -W default -m "not spark" $(LOWEST_COMMANDS)

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
	rm -rf $(VENV) $(LOWEST) site .doctrees jupyter_execute docs/reference/*.rst docs/gallery demo .pytest_cache .mypy_cache .ruff_cache

# every signal fifty times at every command that writes
faults: $(VENV)/installed-dev
	SHOAL_FAULTS=50 $(BIN)/pytest tests/cli/test_faults.py
