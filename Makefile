# The two commands of the README are `make play` and `make test`; both set up what they need.
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help play test test-slow test-cluster lint format bench setup docs clean

help:
	@echo "make play    play the game"
	@echo "make test    run all tests"
	@echo "make test-cluster  run the server's tests on PostgreSQL and Redis"
	@echo "make lint    check style and types"
	@echo "make bench   measure, as ratios to named yardsticks"
	@echo "make setup   only set up $(VENV)"

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml CMakeLists.txt scripts/setup
	@scripts/setup $(VENV)
	@touch $@

play: setup
	@$(BIN)/sumito play

test: setup
	$(BIN)/pytest -n auto -q

test-slow: setup
	$(BIN)/pytest -n auto -q -m slow

test-cluster: setup
	@scripts/test-cluster $(VENV)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .

bench: setup
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/server.py

docs: setup
	$(BIN)/python scripts/figures.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
