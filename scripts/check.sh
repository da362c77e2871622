#!/usr/bin/env bash
# Everything that CI runs, in CI's order: the quick judges first.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; "$@"; }
step ruff format --check .
step ruff check .
step lint-imports
step mypy
step sinbin lint stacks --fail-on warning
# The first run of a machine installs or builds the engine here, where its progress is seen.
engine_tests=()
step sinbin engine || code=$?
if [ "${code:-0}" -eq 2 ]; then
  printf '\n!! no Pulumi CLI can be had here: the tests that need the engine are LEFT OUT\n'
  engine_tests=(-m "not engine")
elif [ "${code:-0}" -ne 0 ]; then
  exit "$code"
fi
step pytest -n 2 --dist loadgroup ${engine_tests[@]+"${engine_tests[@]}"}
