# The two commands a newcomer needs are `make demo` and `make test`; `make venv` is what both stand on.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
# What is installed: all that the tests need too; for a server LOCK=requirements-serve.lock, and requirements-scale.lock beside it for PostgreSQL and Redis.
LOCK ?= requirements.lock
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
# A lock names all, and only authres has no wheel: setuptools of the build's lock makes it.
LOCKED := --require-hashes --no-deps --no-build-isolation --only-binary=:all: --no-binary=authres

.PHONY: venv demo try check test suite bench year kills phrases machine fuzz guide lock images clean

venv: $(STAMP)

$(STAMP): $(LOCK) requirements-build.lock pyproject.toml
	@$(PYTHON) deploy/before.py
	@test ! -e $(VENV)/.slim || test '$(LOCK)' != requirements.lock || rm -rf $(VENV)
	$(BIN)/python -m ensurepip >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	$(INSTALL) $(LOCKED) -r requirements-build.lock
ifeq ($(LOCK),requirements.lock)
	$(INSTALL) $(LOCKED) -r $(LOCK)
	$(INSTALL) --no-deps --no-build-isolation -e .
else
	$(INSTALL) $(LOCKED) --no-compile $(addprefix -r ,$(LOCK))
	$(INSTALL) --no-deps --no-build-isolation -e .
	$(BIN)/python deploy/slim.py
	@touch $(VENV)/.slim
endif
	@touch $(STAMP)

demo: venv
	$(BIN)/pbem demo

try: venv
	$(BIN)/pbem try

check: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The checks beside the whole suite. RING=one is what a change can break, in minutes. RING=all has the campaigns too, and holds the engine to its coverage
# by its own tests and cases, in the lengths of the first ring (measuring doubles their time). RING=full makes the campaigns as long as
# they can be. What the tests start keeps its bytecode.
ENGINE_TESTS := tests/engine tests/cases $(wildcard tests/games/*/engine)
RING ?= one
export RING
unexport PYTHONDONTWRITEBYTECODE

test:
	$(MAKE) --no-print-directory --jobs=2 check suite

suite: venv
ifneq ($(RING),one)
	RING=one $(BIN)/pytest --cov --cov-report=term:skip-covered --cov-fail-under=98 $(ENGINE_TESTS)
endif
	$(BIN)/pytest

bench: venv $(VENV)/diplomacy
	$(BIN)/python -m bench $(if $(JSON),--json $(JSON))

# What adjudication is measured beside, in a Python of its own.
$(VENV)/diplomacy: bench/diplomacy.lock | $(STAMP)
	$(BIN)/python -m venv --clear $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Two hundred tables for a year on a clock that jumps: hours. TABLES=20 and DAYS=90 make it shorter.
year: venv
	$(BIN)/python -u -m bench.year $(if $(TABLES),--tables $(TABLES)) $(if $(DAYS),--days $(DAYS))

# The same tests as in the suite, at greater length.
kills: venv
ifeq ($(FROM),outside)
	RING=full PBEM_KILLS_FROM_OUTSIDE=$(or $(POINTS),500) $(BIN)/pytest -n 0 tests/house/test_kills_from_outside.py
else
	RING=full PBEM_KILLS=$(or $(POINTS),1000) $(BIN)/pytest -n 0 tests/desk/whole/test_kills.py
endif

phrases: venv
	PBEM_PHRASES=all $(BIN)/pytest tests/games/reading

# The pages for operators and newcomers, followed on a fresh Debian 12 and 13 and Ubuntu 26.04: needs root, debootstrap and the network; some
# ten minutes and more. Ubuntu's suite needs the package ubuntu-keyring (Debian 13 has it); SUITE=resolute follows one alone.
machine: venv
	PBEM_MACHINE=1 $(BIN)/pytest -n 0 tests/deploy/test_fresh_machine.py $(if $(SUITE),-k $(SUITE))

fuzz: venv
	$(BIN)/python -m tests.hostile.fuzz --minutes $(or $(MINUTES),10)

# Needs uv on PATH; the locks hold names, versions and hashes, and no address. What runs, and what builds, are parts of the whole.
COMPILE := uv pip compile --quiet --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-annotate --no-strip-extras

# The tables of words in docs/players.md and docs/game-masters.md, from told.words and gm.words of pbem/grammar.
guide: $(STAMP)
	$(BIN)/python -m tests.guide

lock:
	$(COMPILE) --extra demo --extra scale --extra test pyproject.toml -o requirements.lock
	$(COMPILE) -c requirements.lock pyproject.toml -o requirements-serve.lock
	printf 'asyncpg\nredis\n' | $(COMPILE) -c requirements.lock - -o requirements-scale.lock
	printf 'hatchling\nsetuptools\n' | $(COMPILE) -c requirements.lock - -o requirements-build.lock
	printf 'diplomacy==1.1.2\n' | $(COMPILE) -c requirements.lock - -o bench/diplomacy.lock

# Needs docker and the network: looks up what the images' names stand for today, and writes them down by digest.
images:
	deploy/pin-images.sh > deploy/local/images.env.part && mv deploy/local/images.env.part deploy/local/images.env

clean:
	rm -rf $(VENV) demo-out .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
