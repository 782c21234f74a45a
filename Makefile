# `make demo` and `make test` do all the set-up themselves.

PYTHON ?= python3
BIN := .venv/bin
LOCK := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate

.DEFAULT_GOAL := help
.PHONY: help demo install test fuzz trees chaos check unit format docs pictures lock holes clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

demo: .venv/.installed ## run everything with synthetic notes until Ctrl-C, and print the page's address
	@$(BIN)/aspectra demo

install: .venv/.installed ## make .venv with what serves and ingests

# Each of hundreds of processes would compile our modules anew.
unexport PYTHONDONTWRITEBYTECODE

# Tests with a service wait much of their time, and in that time those without go on beside them. Tests that share what is
# dear to make, a stack above all, are a group that one process runs (xdist_group); these come first, and of the others one
# at a time goes to whoever is free.
JOBS ?= $(if $(filter-out 1,$(shell nproc)),2)
SERVICES := engine or browser

test: .venv/.develop check ## run every check and every test: those with services in JOBS processes, the others in one beside them
	@report=$$(mktemp); \
	$(BIN)/pytest --quiet -m "not ($(SERVICES))" >$$report 2>&1 & units=$$!; \
	$(BIN)/pytest --durations 20 -m "$(SERVICES)" $(if $(JOBS),--numprocesses $(JOBS) --dist loadgroup --no-loadscope-reorder); services=$$?; \
	echo "With these ran the tests that start no service; their report:"; \
	wait $$units; units=$$?; cat $$report; rm $$report; \
	exit $$((services || units))

fuzz: .venv/.develop ## ask the page 20,000 hostile requests, and 20,000 as every role for two purposes, over a real engine
	@FUZZ=20000 $(BIN)/pytest tests/engine/test_fuzz.py tests/engine/test_purposes.py

trees: .venv/.develop ## compare more than 2,000 random queries with a look at every passage; TREES=223 a round
	@TREES=$(or $(TREES),223) $(BIN)/pytest tests/engine/test_trees.py tests/engine/test_trees_changing.py

check: .venv/.develop ## format, lint, types, imports between packages
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

unit: .venv/.develop ## run the tests that start no service
	@$(BIN)/pytest -m "not engine and not browser"

chaos: .venv/.develop ## kill, freeze and wipe everything at random for MINUTES=5 under load; SEED=7 repeats a run
	@$(BIN)/python -m tests.chaos --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED)) $(if $(LEDGER),--ledger $(LEDGER))

format: .venv/.develop ## format the code and mend what ruff can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: .venv/.develop ## write the generated parts of docs/
	@$(BIN)/python -m aspectra.docs

pictures: .venv/.develop ## take README's five pictures anew, of the demo's notes
	@$(BIN)/python -m tests.browser.pictures docs

lock: .venv/.develop ## lock the dependencies anew
	@$(BIN)/$(LOCK) --extra local --extra build --extra postgresql --output-file requirements.lock
	@$(BIN)/$(LOCK) --extra dev --constraint requirements.lock --output-file requirements-dev.lock

holes: .venv/.develop ## look up known holes of what is locked (OSV: wants the Internet); ends with status 1 where there is one
	@$(BIN)/uvx --from 'pip-audit>=2.10' pip-audit --strict --vulnerability-service osv --disable-pip --require-hashes \
		--requirement requirements.lock

clean: ## remove .venv and what the tools leave
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Aspectra needs Python 3.11 or later; name one: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/pip requirements.lock pyproject.toml
	@echo "Installing (once)."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.develop: .venv/.installed requirements-dev.lock
	@echo "Installing what the tests need (once)."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.lock
	@touch $@
