#!/bin/sh
# Writes requirements.txt and requirements-dev.txt anew. No package index is named in them.
# Arguments go to uv, for example: scripts/lock.sh --upgrade
set -eu
cd "$(dirname "$0")/.."

compile() {
    output=$1
    shift
    .venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate \
        --custom-compile-command 'make lock' pyproject.toml --output-file "$output" "$@"
}

compile requirements-dev.txt --extra dev "$@"
# The same versions for those who only run.
compile requirements.txt --constraint requirements-dev.txt "$@"
