# `make demo` shows the main job, `make test` runs everything that CI runs. Both set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One venv for uv itself keeps the project's own environment exactly what uv.lock says.
UV := .uv/bin/uv

# The generated Azure SDK takes seconds to compile: keep its bytecode even where a machine says otherwise.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup test check demo docs clean

setup: $(VENV)/.synced

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit("sinbin needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "· setting up uv"
	@$(PYTHON) -m venv .uv && .uv/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.7"

$(VENV)/.synced: pyproject.toml uv.lock | $(UV)
	@echo "· installing the project and its pinned dependencies"
	@$(UV) sync --quiet --frozen --all-extras --python $(PYTHON)
	@touch $@

test: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash scripts/check.sh

demo: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python scripts/demo.py

docs: setup
	@$(BIN)/python scripts/docs.py

clean:
	rm -rf $(VENV) .uv .sinbin .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
