# What bin/demo and bin/test share. Sourced, not run; the caller has set `root` and `set -euo pipefail`.

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

have_cjk_font() { command -v fc-list >/dev/null && [ -n "$(fc-list :lang=ja | head -n 1)" ]; }
have_pango() { compgen -G '/usr/lib*/libpangoft2-1.0.so.0' >/dev/null || compgen -G '/usr/lib/*/libpangoft2-1.0.so.0' >/dev/null; }

# apt_install PACKAGE…: 0 when installed; otherwise says so plainly and returns 1.
apt_install() {
    say "Installing with apt: $*"
    local log
    log=$(mktemp)
    if apt-get update -q >"$log" 2>&1 &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    say "apt could not install: $*. Its last words:"
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
}

# Prints the first Python that is new enough, if possible one that has venv. The system's own comes first: what
# version managers build is often slower.
find_python() {
    local needs name
    for needs in 'import ensurepip, venv' ''; do
        for name in /usr/bin/python3 python3 python3.11 python3.12 python3.13 python; do
            if command -v "$name" >/dev/null &&
                "$name" -c "import sys; ${needs:-pass}; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
                command -v "$name"
                return 0
            fi
        done
    done
    return 1
}

# ensure_venv FILE…: .venv with these requirement files, installed again only when one of them changed.
# Modules are compiled when they are first imported, and kept: where that is switched off, each process would
# compile all of them.
ensure_venv() {
    local python stamp wanted
    unset PYTHONDONTWRITEBYTECODE
    stamp="$root/.venv/.installed-$(basename "$1" .txt)"
    if ! "$root/.venv/bin/python" -c '' 2>/dev/null; then
        python=$(find_python) || {
            can_apt && apt_install python3 python3-venv || true
            python=$(find_python) || fail "Umaoka needs Python 3.11 or newer; none was found. Install it (python3 and its venv module) and try again."
        }
        if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            { can_apt && apt_install python3-venv && "$python" -c 'import ensurepip, venv' 2>/dev/null; } ||
                fail "Python's venv module is missing. Install it (on Debian and Ubuntu: apt install python3-venv) and try again."
        fi
        say "Making the virtual environment .venv with $("$python" --version)"
        "$python" -m venv --clear "$root/.venv"
    fi
    wanted=$(cat "$root"/requirements*.txt | sha256sum)
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
        say "Installing the pinned requirements of $(basename "$1") (once, until they change)"
        "$root/.venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check -r "$1" ||
            fail "The requirements could not be installed. Is there a network? Correct what pip reports above and try again."
        printf '%s\n' "$wanted" >"$stamp"
    fi
}

# set_aside_if_older FILE: renames an SQLite database whose migrations this version does not have.
set_aside_if_older() {
    local kept part
    [ -e "$1" ] || return 0
    "$python" - "$1" <<'PYTHON' || return 0
import pathlib, sqlite3, sys
applied = sqlite3.connect(sys.argv[1]).execute("SELECT app, name FROM django_migrations WHERE app IN ('league', 'players')")
sys.exit(all(pathlib.Path(app, "migrations", f"{name}.py").exists() for app, name in applied))
PYTHON
    kept=${1%.sqlite3}-until-$(date +%Y-%m-%d-%H%M%S).sqlite3
    for part in "" -wal -shm; do
        [ ! -e "$1$part" ] || mv "$1$part" "$kept$part"
    done
    say "$1 was made by an earlier version of Umaoka. It is kept as $kept; a new one begins."
}
