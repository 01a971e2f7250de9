# The two commands of the README are `make play` and `make test`; both set up what they need.
VENV := .venv
BIN := $(VENV)/bin

CORE := $(shell find core -name "*.hpp" -o -name "*.cpp")
KERNEL_SOURCES := $(filter core/kernel/% core/eval/% core/search/% core/review/% core/wasm/%,$(CORE))
NATIVE := build/native

.PHONY: golden help play serve web kernel kernel-store kernel-compare test test-slow test-native test-threads \
	javascript test-debug test-extras test-library test-programs test-wheel test-cluster lint format bench setup \
	docs docs-test figures stubs types clean

help:
	@echo "make play    play on this machine"
	@echo "make serve   play over the network, too"
	@echo "make test    run all tests"
	@echo "make web     build the page"
	@echo "make test-cluster  run the server's tests on PostgreSQL and Redis"
	@echo "make lint    check style and types"
	@echo "make bench   measure, as ratios to named yardsticks"
	@echo "make setup   only set up $(VENV)"
	@echo "also: test-slow, test-native (the kernel under sanitizers), test-threads, test-debug, test-extras, test-library, javascript (the npm packages), format, docs (the site, in $(SITE)), docs-test, figures, stubs, types (the page's protocol), clean"

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml CMakeLists.txt scripts/setup \
		$(filter-out core/tests/% core/wasm/%,$(CORE))
	@scripts/setup $(VENV)
	@touch $@

# The page, built into the package when something it is made of has changed. It needs no more than
# Python, Node.js and the stored kernel, so that `make play` is quick on a fresh machine.
STATIC := src/sumito/server/static
PAGE := $(STATIC)/index.html
NOTEBOOK := src/sumito/notebook/static/widget.js
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -path web/src/domain/catalogues -prune -o \
	-name dist -prune -o -type f -print) $(wildcard src/sumito/data/*) \
	$(wildcard src/sumito/teaching/*.json src/sumito/teaching/texts/*.json) \
	$(wildcard src/sumito/locale/*/LC_MESSAGES/page.po) \
	$(KERNEL_SOURCES) scripts/web scripts/build_wasm.py scripts/page_texts.py LICENSES/wasi-libc.txt LICENSES/nunito.txt

web: $(PAGE) $(NOTEBOOK)

$(PAGE): $(PAGE_SOURCES)
	@scripts/web page $(VENV)

$(NOTEBOOK): $(PAGE)
	@scripts/web notebook $(VENV)

# The kernel for the page; the repository stores what its sources compile to.
kernel:
	@scripts/web kernel $(VENV)

# The npm packages, in dist/.
javascript:
	@scripts/web packages $(VENV)

# Compile the kernel for the page again, and store it or compare it with what is stored.
kernel-store: setup
	@$(BIN)/python scripts/build_wasm.py --store

kernel-compare: setup
	@$(BIN)/python scripts/build_wasm.py --compare

# A board in the browser, for games on this machine; `serve` is for games over the network, too.
# `make play OPTIONS="--no-browser --port 0"` passes options on.
play: $(PAGE)
	@PYTHONPATH=src $${PYTHON:-python3} -m sumito.cli.static_server play $(OPTIONS)

serve: setup web
	@$(BIN)/sumito play

# Everything that a change must pass. The kernel's own tests under sanitizers take longer to compile
# than all this to run: `make test-native`, `make test-threads`, `make test-debug`.
test:
	@# Compiling, npm and apt at the same time: each waits for something else.
	@$(MAKE) --no-print-directory -j3 setup web test-programs
	@$(BIN)/python scripts/run_tests.py $(VENV)

# What tests use besides; without them those tests are skipped, and the summary says so.
test-programs:
	-@scripts/browser
	-@scripts/test-cluster --install

test-slow: setup
	$(BIN)/pytest -n auto --dist worksteal -q -m "slow or network_bound"

test-native: setup
	@$(BIN)/cmake -S . -B $(NATIVE) -DSUMITO_NATIVE=ON -DSUMITO_SANITIZE=address,undefined -DSUMITO_PYTHON=OFF \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo
	@$(BIN)/cmake --build $(NATIVE) --parallel 2
	@$(BIN)/ctest --test-dir $(NATIVE) --output-on-failure

# The parts that share memory between threads, under the thread sanitizer.
test-threads: setup
	@$(BIN)/cmake -S . -B build/threads -DSUMITO_NATIVE=ON -DSUMITO_SANITIZE=thread \
		-DSUMITO_PYTHON=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo
	@$(BIN)/cmake --build build/threads --parallel 2 --target threads_test
	@build/threads/threads_test

# Search, tree search and environments on a module that was built without optimisation.
test-debug: setup
	@scripts/test-debug $(VENV) build/debug

# What needs PyTorch, OpenSpiel or a notebook's kernel, in an environment that has them.
test-extras: setup web
	@scripts/test-extras $(VENV) build/extras

# Rules and engine with the extra [cli] alone, as the library jobs of CI have them.
test-library:
	@[ -x build/library/bin/python ] || $${PYTHON:-python3} -m venv build/library
	@# In a folder of its own, or each set-up would compile everything for another environment.
	@build/library/bin/python -m pip install --quiet --disable-pip-version-check \
		--config-settings=build-dir=build/library/kernel ".[cli,test]"
	@build/library/bin/python -m pytest -q -n auto -o testpaths=tests --ignore tests/server \
		--ignore tests/web -p no:cacheprovider

# Build the packages and try the wheel in an environment of its own.
test-wheel: setup web
	@scripts/test-wheel $(VENV)

test-cluster: setup
	@scripts/test-cluster $(VENV)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@scripts/web check $(VENV)
	$(BIN)/clang-format --dry-run -Werror $(CORE)

format: setup
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .
	@[ ! -d web/node_modules ] || (cd web && npm run --silent format)
	$(BIN)/clang-format -i $(CORE)

# The types of the kernel's Python face, from the module itself.
stubs: setup
	$(BIN)/python -m nanobind.stubgen -q -m sumito.kernel._native -o src/sumito/kernel/_native.pyi

# The page's types, from the structs of the wire.
types: setup
	$(BIN)/python scripts/protocol.py

# What Python and the page must agree on, as Python has it.
golden: setup
	$(BIN)/python scripts/golden.py

bench: setup
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/engine.py
	$(BIN)/python bench/network.py
	$(BIN)/python bench/server.py
	$(BIN)/python bench/archive.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/wasm.py
	$(BIN)/python bench/first_minute.py
	$(BIN)/python bench/env.py

# The documentation site, warnings as errors; docs-test also follows its links and runs the notebook.
SITE := build/site

docs: setup
	@scripts/docs $(VENV) $(SITE)

docs-test: docs
	@$(BIN)/python scripts/links.py $(SITE)
	$(BIN)/pytest -q -n0 tests/test_docs.py docs

# The figures of docs/, and photographs of the page.
figures: setup web
	$(BIN)/python scripts/figures.py
	@scripts/browser
	$(BIN)/python scripts/screenshots.py

clean:
	rm -rf $(VENV) build dist web/node_modules web/kernel/dist src/sumito/server/static src/sumito/notebook/static web/board-package/dist artefacts .pytest_cache .mypy_cache .ruff_cache .hypothesis
