#!/bin/sh
# Sets everything up: a virtual environment from a lock file, then a browser.
# Safe to repeat; the second time it only checks that nothing changed.
#
#   scripts/setup.sh [LOCK]     LOCK: requirements-dev.txt (default) or requirements.txt
#
# PYTHON=/path/to/python chooses the interpreter.
set -eu
cd "$(dirname "$0")/.."

lock=${1:-requirements-dev.txt}
python=.venv/bin/python
stamp=.venv/setup-stamp
log=.venv/browser.log
here=$(pwd -P)
# The folder is part of the key: a virtual environment cannot be moved.
key="$(cat scripts/setup.sh "$lock" | cksum) $here"

say() { printf 'setup: %s\n' "$*"; }
fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

is_set_up() {
    [ -f "$stamp" ] && [ "$(sed -n 1p "$stamp")" = "$key" ] &&
        [ -x "$(sed -n 2p "$stamp")" ] && "$python" -c '' 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}

apt_install() {
    command -v apt-get >/dev/null && as_root apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null && is_recent "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed and was not found; install it, or set PYTHON=/path/to/it"
}

make_environment() {
    if grep -qF "$here/.venv" .venv/bin/activate 2>/dev/null && is_recent "$python" &&
        "$python" -m pip --version >/dev/null 2>&1; then
        return
    fi
    base=$(find_python)
    if ! "$base" -c 'import ensurepip, venv' 2>/dev/null; then
        package=$("$base" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        say "trying to install the system package $package"
        apt_install "$package" ||
            fail "$base lacks its venv module; install the system package $package, then repeat"
    fi
    say "making .venv with $base"
    "$base" -m venv --clear .venv
}

install_packages() {
    if ! [ -x .venv/bin/uv ]; then
        say "installing uv into .venv"
        # The dev lock names the one version of uv, with its hashes.
        awk '/^[^ #]/ { wanted = /^uv==/ } wanted' requirements-dev.txt >.venv/uv.txt
        "$python" -m pip install --quiet --disable-pip-version-check --require-hashes \
            -r .venv/uv.txt
    fi
    say "installing the packages of $lock"
    .venv/bin/uv pip install --quiet --python "$python" --require-hashes -r "$lock"
}

driver_starts() { "$python" -m playwright --version >>"$log" 2>&1; }

# Playwright brings a Node.js that needs a library which minimal systems lack.
prepare_driver() {
    driver_starts && return
    say "trying to install the system package libatomic1"
    apt_install libatomic1 && driver_starts && return
    fail "Playwright does not start: on Debian or Ubuntu, apt-get install libatomic1, then repeat;" \
        "details are in $log"
}

# Prints the path of the browser that runs will use, if there is one that starts.
working_browser() { PYTHONPATH=. "$python" scripts/find_browser.py 2>>"$log"; }

download_browser() {
    say "downloading Playwright's Chromium"
    "$python" -m playwright install chromium >>"$log" 2>&1 || return 1
    if command -v apt-get >/dev/null && ! working_browser >/dev/null; then
        say "installing the system libraries Chromium needs"
        as_root "$here/$python" -m playwright install-deps chromium >>"$log" 2>&1
    fi
}

find_browser() {
    working_browser && return
    download_browser >&2 && working_browser && return
    say "no download; trying to install the system package chromium" >&2
    apt_install chromium >&2 && working_browser && return
    fail "no browser that starts: install Chrome or Chromium (on Debian or Ubuntu: apt-get install chromium)," \
        "then repeat; details are in $log"
}

if is_set_up; then
    exit 0
fi
make_environment
install_packages
: >"$log"
prepare_driver
browser=$(find_browser)
printf '%s\n%s\n' "$key" "$browser" >"$stamp"
say "ready, with $browser"
