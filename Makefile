# make demo | test | check need Python 3.11+ and a package index that pip can reach; nothing else.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-slow test-all check ontologies bench clean

demo: $(STAMP)
	$(BIN)/ontocrawl demo --out demo

test: $(STAMP)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m "not slow" $(PYTEST)

test-slow: $(STAMP)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup -m slow $(PYTEST)

test-all: $(STAMP)
	$(BIN)/python -m pytest -q -n auto --dist loadgroup $(PYTEST)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

ontologies: $(STAMP)
	$(BIN)/python -m tools.curated

bench: $(STAMP)
	$(BIN)/python -m benchmarks.frontier
	$(BIN)/python -m benchmarks.choice --json docs/benchmarks/choice.json
	$(BIN)/python -m benchmarks.strategies --variants --json docs/benchmarks/strategies.json
	$(BIN)/python -m benchmarks.circle --json docs/benchmarks/circle.json
	$(BIN)/python -m benchmarks.readers --json docs/benchmarks/readers.json
	$(BIN)/python -m benchmarks.terms --json docs/benchmarks/terms.json
	$(BIN)/python -m benchmarks.lattice --full --json docs/benchmarks/lattice.json
	$(BIN)/python -m benchmarks.hierarchy --json docs/benchmarks/hierarchy.json
	$(BIN)/python -m benchmarks.learning --json docs/benchmarks/learning.json --docs docs
	$(BIN)/python -m benchmarks.similarity --json docs/benchmarks/similarity.json
	$(BIN)/python -m benchmarks.pagerank --json docs/benchmarks/pagerank.json
	$(BIN)/python -m benchmarks.queries --neo4j --json docs/benchmarks/queries.json
	$(BIN)/python -m benchmarks.graph --neo4j --json docs/benchmarks/graph.json

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found. Set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c constraints.txt
	touch $(STAMP)

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .neo4j
