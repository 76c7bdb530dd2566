# Two commands do all the set-up: `make play` and `make test`. Both start from a bare checkout with Python 3.11+.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.current
BACKROOM := $(VENV)/bin/backroom
BENCH_VENV := .venv-bench
BENCH_STAMP := $(BENCH_VENV)/.current
BENCH_NPM := $(BENCH_VENV)/boardgame_io
BOARDGAME_IO := boardgame.io@0.50.2

.PHONY: play test test-all checked shots setup lint types warm bench clean

play: setup
	$(BACKROOM) serve

# The tests start many processes, and each would compile the same modules again where Python may not keep them.
unexport PYTHONDONTWRITEBYTECODE

# The games are compiled first, on all cores, so that no two processes that test them compile the same. A process takes
# its half of the tests in their order and then some of the other's: one of them starts a browser, once.
PYTEST := $(VENV)/bin/python -m pytest --numprocesses auto --dist worksteal

test: checked
	$(PYTEST) -m "not long"

test-all: checked
	$(PYTEST)

# mypy has one core busy for as long as the games take to compile on the other.
checked: setup
	@$(MAKE) --no-print-directory --jobs=3 lint types warm

warm: setup
	$(BACKROOM) warm

# Every kind of page at 360 and 1400 px, by day and night, as pictures in the folder shots; GAMES="medici catham": of these.
shots: setup
	PYTHONPATH=tests $(VENV)/bin/python -W ignore -m browser.shots shots $(GAMES)

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Backroom needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Backroom needs into $(VENV) (once) ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --progress-bar on -r requirements.lock
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $(STAMP)

lint: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: setup
	$(VENV)/bin/mypy

bench: setup $(BENCH_STAMP)
	$(VENV)/bin/python -m benchmarks $(BENCH)

# What the benchmark compares with has an environment of its own. A system that cannot be installed here is reported
# as such in the table, so a failure does not stop the benchmark.
$(BENCH_STAMP): requirements-bench.lock
	@test -x $(BENCH_VENV)/bin/python || $(PYTHON) -m venv $(BENCH_VENV)
	@echo "Installing what the benchmark compares with into $(BENCH_VENV) (once) ..."
	@$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --progress-bar on \
		-r requirements-bench.lock && touch $(BENCH_STAMP) || \
		echo "Not all could be installed; the table will say which."
	@mkdir -p $(BENCH_NPM)
	@npm install --prefix $(BENCH_NPM) --no-audit --no-fund --silent $(BOARDGAME_IO) || \
		echo "boardgame.io could not be installed with npm; the table will say so."

clean:
	rm -rf $(VENV) .venv-bench .mypy_cache .pytest_cache .ruff_cache .hypothesis
