#!/usr/bin/env bash
# Carries out the steps of docker/Dockerfile without a container engine: in a bare Debian root,
# made by debootstrap, removed afterwards. Then it starts both services of compose.yaml there.
#
#   sudo docker/check.sh        on Debian or Ubuntu with debootstrap; takes some minutes
#
# The root stands for the Dockerfile's base image: Debian and a Python with its venv module. What
# is copied into it is the last commit.
# Package mirror, proxies and certificates are this machine's own.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'check: %s\n' "$*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "needs root, for debootstrap and chroot"
command -v debootstrap >/dev/null || fail "needs debootstrap (apt-get install debootstrap)"

root=$(mktemp -d) && chmod 755 "$root"
folder=/
user=root
environment=(PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin)
for name in http_proxy https_proxy no_proxy SSL_CERT_FILE PIP_CERT PIP_INDEX_URL UV_DEFAULT_INDEX; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done

clean_up() {
    local mount
    for mount in dev proc; do
        mountpoint -q "$root/$mount" && umount --recursive --lazy "$root/$mount"
    done
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

# Sets `enter`: the words before a command that has to run in the root as the Dockerfile's user, in
# its folder, with its environment. Each of them hands over to the next, so one process remains.
prepare() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    enter=(chroot "$root" setpriv --reuid "$user" --regid "$(group_of "$user")" --init-groups
        env -i "${environment[@]}" HOME="$(home_of "$user")"
        sh -c 'cd "$1" && shift && exec "$@"' sh "$folder")
}
inside() {
    prepare
    "${enter[@]}" "$@"
}
home_of() { awk -F: -v user="$1" '$1 == user { print $6 }' "$root/etc/passwd"; }
group_of() { awk -F: -v user="$1" '$1 == user { print $4 }' "$root/etc/passwd"; }

make_root() {
    local suite=$1 mirror
    # shellcheck disable=SC2016 # expanded by apt-get
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" \
        'Component: main' 'Created-By: Packages' | head -n 1)
    debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv \
        "$suite" "$root" ${mirror:+"$mirror"} >/dev/null
    apt-config dump | grep -E '^Acquire::(.*[Pp]roxy|Check-)' >"$root/etc/apt/apt.conf.d/90host" ||
        true
    cp --dereference /etc/resolv.conf /etc/hosts "$root/etc/"
    cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"
    mount -t proc proc "$root/proc"
    mount --rbind --make-rslave /dev "$root/dev"
}

# The Dockerfile, one instruction a line, without comments.
instructions() {
    sed -e '/^ *#/d' -e '/^ *$/d' "$project/docker/Dockerfile" |
        sed -e ':more' -e '/\\$/{N;s/\\\n */ /;b more' -e '}'
}

carry_out() {
    local word=$1 rest=$2
    say "$word $rest"
    case $word in
        FROM) make_root "${rest##*-}" ;;
        WORKDIR) folder=$rest && mkdir -p "$root$rest" ;;
        COPY)
            [ "$rest" = ". ." ] || fail "only 'COPY . .' is known here, not: $rest"
            git -C "$project" archive HEAD | tar -C "$root$folder" -x
            ;;
        ENV) environment+=("$rest") ;;
        RUN)
            if ! inside sh -c "$rest"; then
                tail -n 20 "$root$folder/.venv/browser.log" >&2 || true
                fail "the step failed"
            fi
            ;;
        USER) user=$rest ;;
        CMD) echo "(a default for compose.yaml; its service is started below)" ;;
        *) fail "no rule for the instruction $word" ;;
    esac
}

check_webapps() {
    say "service webapps, as $user"
    prepare
    "${enter[@]}" .venv/bin/python -m webapps serve --bind 0.0.0.0 --port 0 \
        >"$root/serve.log" 2>&1 &
    local server=$! port
    until port=$(grep -oE ':[0-9]+/' "$root/serve.log" | tr -d ':/') && [ -n "$port" ]; do
        kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$root/serve.log")"
        sleep 0.1
    done
    inside .venv/bin/python -c "
import urllib.request
page = urllib.request.urlopen('http://127.0.0.1:$port/').read().decode()
assert 'Refunds' in page, page
print('front page served,', len(page), 'characters')"
    kill "$server"
}

check_runner() {
    say "service runner, as $user: the oracle on the tasks of the subset smoke"
    inside .venv/bin/python -m runner --agent oracle --schedule persistent --tasks smoke \
        --out runs/check
}

while read -r word rest <&3; do
    carry_out "$word" "$rest"
done 3< <(instructions)
say "set-up a second time"
time user=root inside scripts/setup.sh requirements.txt
check_webapps
check_runner
say "every step passed"
