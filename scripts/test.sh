#!/bin/sh
# Every check, cheapest first; stops at the first that fails. Arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."
PATH="$PWD/.venv/bin:$PATH"

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

step ruff check .
step ruff format --check .
step mypy
step lint-imports
step python -m pytest "$@"
