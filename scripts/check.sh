#!/usr/bin/env bash
# Everything that CI runs, in CI's order: the quick judges first.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; "$@"; }
step ruff format --check .
step ruff check .
step lint-imports
step mypy
step pytest -n 2 --dist loadgroup
