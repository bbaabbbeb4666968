# make demo | test | check need Python 3.11+ and a package index that pip can reach; nothing else.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
BIN := $(VENV)/bin
# what is installed: the package as users have it; what the tests need; what checking and building need
FOR_USERS := $(VENV)/.installed-user
FOR_TESTS := $(VENV)/.installed-test
FOR_CHECKS := $(VENV)/.installed-dev
VENV_SPARK ?= .venv-spark
FOR_SPARK := $(VENV_SPARK)/.installed
# What is imported is compiled then, by half the time of an installation.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c $(CONSTRAINTS) -e

# Many tests start programs, which would be compiled again each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow test-all test-spark check install ontologies bench clean

demo: $(FOR_USERS)
	$(BIN)/ontocrawl demo --out demo

test: $(FOR_TESTS)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m "not slow" $(PYTEST)

test-slow: $(FOR_TESTS)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m slow --durations=25 $(PYTEST)

test-all: $(FOR_TESTS)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup $(PYTEST)

# In an environment of its own, because the extra spark is 500 MB; it needs Java 17 or newer.
test-spark: $(FOR_SPARK)
	$(VENV_SPARK)/bin/python -m pytest -q tests/ontocrawl/archives/test_archive_spark.py tests/ontocrawl/test_crawl_rounds_spark.py $(PYTEST)

check: $(FOR_CHECKS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

install: $(FOR_CHECKS)

ontologies: $(FOR_TESTS)
	$(BIN)/python -m tools.curated

bench: $(FOR_TESTS)
	$(BIN)/python -m benchmarks.frontier --json docs/benchmarks/frontier.json
	$(BIN)/python -m benchmarks.clients --json docs/benchmarks/clients.json
	$(BIN)/python -m benchmarks.kills --json docs/benchmarks/kills.json
	$(BIN)/python -m benchmarks.nasty_web --json docs/benchmarks/nasty_web.json
	$(BIN)/python -m benchmarks.rounds --json docs/benchmarks/rounds.json
	$(BIN)/python -m benchmarks.prior --json docs/benchmarks/prior.json
	$(BIN)/python -m benchmarks.freshness --json docs/benchmarks/freshness.json
	$(BIN)/python -m benchmarks.judge --json docs/benchmarks/judge.json
	$(BIN)/python -m benchmarks.class_topics --json docs/benchmarks/class_topics.json
	$(BIN)/python -m benchmarks.strategies --variants --json docs/benchmarks/strategies.json
	$(BIN)/python -m benchmarks.archive_rank --json docs/benchmarks/archive_rank.json
	$(BIN)/python -m benchmarks.crawl --json docs/benchmarks/crawl.json
	$(BIN)/python -m benchmarks.near_duplicates --json docs/benchmarks/near_duplicates.json
	$(BIN)/python -m benchmarks.readers --json docs/benchmarks/readers.json
	$(BIN)/python -m benchmarks.terms --json docs/benchmarks/terms.json
	$(BIN)/python -m benchmarks.lattice --full --json docs/benchmarks/lattice.json
	$(BIN)/python -m benchmarks.hierarchy --json docs/benchmarks/hierarchy.json
	$(BIN)/python -m benchmarks.learning --json docs/benchmarks/learning.json --docs docs
	$(BIN)/python -m benchmarks.similarity --json docs/benchmarks/similarity.json
	$(BIN)/python -m benchmarks.pagerank --json docs/benchmarks/pagerank.json
	$(BIN)/python -m benchmarks.queries --neo4j --json docs/benchmarks/queries.json
	$(BIN)/python -m benchmarks.graph --neo4j --json docs/benchmarks/graph.json
	$(BIN)/python -m benchmarks.explorer --json docs/benchmarks/explorer.json

$(FOR_USERS): pyproject.toml $(CONSTRAINTS)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found. Set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV), which takes some minutes the first time"
	$(INSTALL) .
	touch $@

$(FOR_TESTS): $(FOR_USERS)
	$(INSTALL) '.[test]'
	touch $@

$(FOR_CHECKS): $(FOR_TESTS)
	$(INSTALL) '.[dev]'
	touch $@

$(FOR_SPARK): pyproject.toml $(CONSTRAINTS)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found. Set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(VENV_SPARK)/bin/python || $(PYTHON) -m venv $(VENV_SPARK)
	$(VENV_SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -c $(CONSTRAINTS) -e '.[spark]' \
	  pytest pytest-timeout pytest-xdist hypothesis
	touch $@

clean:
	rm -rf $(VENV) $(VENV_SPARK) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .neo4j
