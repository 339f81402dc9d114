# Everything sets itself up: `make play` and `make test` work on a fresh machine with Python and a C++ compiler.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(wildcard core/*.cpp core/*.hpp)
SANITIZERS := address,undefined

.PHONY: play test bench lint types core-tests pytest sanitize wheel-test clean

play: $(VENV)/.built
	@$(BIN)/noughts play $(GAME)

$(VENV)/.created:
	@tools/check-build-tools $(PYTHON)
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade pip
	@touch $@

# The package itself, built in place; no build isolation, so that a rebuild takes seconds.
$(VENV)/.built: $(VENV)/.created pyproject.toml CMakeLists.txt $(CORE)
	@echo "building noughts ..."
	@$(BIN)/pip install --quiet "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja
	@$(BIN)/pip install --quiet --no-build-isolation -C cmake.define.NOUGHTS_NATIVE=ON -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.built
	@$(BIN)/pip install --quiet --group dev
	@touch $@
