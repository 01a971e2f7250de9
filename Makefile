# The two commands of the README are `make play` and `make test`; both set up what they need.
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help play web test test-slow test-cluster lint format bench setup docs clean

help:
	@echo "make play    play the game"
	@echo "make test    run all tests"
	@echo "make web     build the page"
	@echo "make test-cluster  run the server's tests on PostgreSQL and Redis"
	@echo "make lint    check style and types"
	@echo "make bench   measure, as ratios to named yardsticks"
	@echo "make setup   only set up $(VENV)"

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml CMakeLists.txt scripts/setup
	@scripts/setup $(VENV)
	@touch $@

# The page, built into the package; only when something it is made of has changed.
PAGE := src/sumito/server/static/index.html
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -path web/src/words -prune -o \
	-type f -print) $(wildcard src/sumito/locale/*/LC_MESSAGES/page.po) scripts/web scripts/words.py

web: $(PAGE)

$(PAGE): $(PAGE_SOURCES) | $(VENV)/ready
	@scripts/web build $(VENV)

play: setup web
	@$(BIN)/sumito play

test: setup web
	$(BIN)/pytest -n auto -q

test-slow: setup
	$(BIN)/pytest -n auto -q -m slow

test-cluster: setup
	@scripts/test-cluster $(VENV)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@scripts/web check $(VENV)

format: setup
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .
	@[ ! -d web/node_modules ] || (cd web && npm run --silent format)

bench: setup
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/server.py

docs: setup
	$(BIN)/python scripts/figures.py

clean:
	rm -rf $(VENV) build dist web/node_modules src/sumito/server/static artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis
