#!/bin/sh
# Sets up what the Makefile's targets need of the machine, and says in one line
# what is missing where it may not (not root, and sudo asks for a password).
#
#   lab/tools/setup.sh venv DIR       a virtual environment with a Python >= 3.10
#   lab/tools/setup.sh build PYTHON   a C compiler and the headers of PYTHON
#   lab/tools/setup.sh services [PYTHON]
#                                 what tests use beside Python (SERVICES, below);
#                                 a missing one is an error only with CI=true
#   lab/tools/setup.sh rendering PYTHON
#                                 for the demo: if possible a browser
#   lab/tools/setup.sh fuzzing        Clang with its sanitisers
set -eu

PYTHONS="python3 python3.14 python3.13 python3.12 python3.11 python3.10"
SERVICES="browser java postgresql redis"
ROOT=$(cd "$(dirname "$0")/../.." && pwd)

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# --- The system's package manager ---------------------------------------------

manager() {
    for name in apt-get dnf apk brew; do
        if have "$name"; then
            echo "$name"
            return
        fi
    done
}

# The packages for a need; several lines are alternatives, the best first.
packages() {
    version=${2:-3}
    case "$(manager):$1" in
        apt-get:python) echo "python3 python3-venv python3-dev" ;;
        apt-get:venv) echo "python$version-venv" ;;
        apt-get:headers) echo "python$version-dev" ;;
        apt-get:compiler) echo "gcc libc6-dev" ;;
        apt-get:browser) printf '%s\n' chromium-headless-shell chromium ;;
        apt-get:clang) echo "clang libclang-rt-dev" ;;
        apt-get:java) printf '%s\n' default-jre-headless openjdk-21-jre-headless openjdk-17-jre-headless ;;
        apt-get:postgresql) echo "postgresql" ;;
        apt-get:redis) echo "redis-server" ;;
        dnf:python) echo "python3 python3-devel" ;;
        dnf:headers) printf '%s\n' "python$version-devel" python3-devel ;;
        dnf:compiler) echo "gcc" ;;
        dnf:browser) printf '%s\n' chromium-headless chromium ;;
        dnf:clang) echo "clang compiler-rt" ;;
        dnf:java) printf '%s\n' java-latest-openjdk-headless java-21-openjdk-headless java-17-openjdk-headless ;;
        dnf:postgresql) echo "postgresql-server" ;;
        dnf:redis) printf '%s\n' valkey redis ;;
        apk:python) echo "python3 python3-dev" ;;
        apk:headers) echo "python3-dev" ;;
        apk:compiler) echo "gcc musl-dev" ;;
        apk:browser) echo "chromium" ;;
        apk:clang) echo "clang compiler-rt" ;;
        apk:postgresql) echo "postgresql" ;;
        apk:java) printf '%s\n' openjdk21-jre-headless openjdk17-jre-headless ;;
        apk:redis) echo "redis" ;;
        brew:python) echo "python@3.13" ;;
        brew:postgresql) echo "postgresql@17" ;;
        brew:redis) echo "redis" ;;
    esac
}

run_manager() {
    case "$(manager)" in
        apt-get)
            $root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
                -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
            ;;
        dnf) $root dnf -q -y "$@" ;;
        apk) $root apk -q --no-cache "$@" ;;
        brew) brew "$@" ;;
    esac
}

add_packages() {
    case "$(manager)" in
        apt-get) run_manager install -y --no-install-recommends "$@" ;;
        apk) run_manager add "$@" ;;
        *) run_manager install "$@" ;;
    esac
}

may_install() {
    root=""
    if [ "$(id -u)" = 0 ] || [ "$(manager)" = brew ]; then
        return 0
    fi
    root="sudo -n"
    have sudo && sudo -n true 2>/dev/null
}

# Installs the packages for a need; fails where it may not or there are none.
install() {
    choices=$(packages "$@")
    if [ -z "$choices" ] || ! may_install; then
        return 1
    fi
    if try_each; then
        return 0
    fi
    # Package lists of a fresh machine are empty or old.
    if [ "$(manager)" = apt-get ] && run_manager update; then
        try_each
    else
        return 1
    fi
}

try_each() {
    while read -r line; do
        say "installing: $line"
        # shellcheck disable=SC2086  # a line is a list of packages
        if add_packages $line </dev/null >"$log" 2>&1; then
            return 0
        fi
    done <<END
$choices
END
    return 1
}

# The line of the log that says best what went wrong.
complaint() { grep -E '^(E|Error|ERROR): ' "$log" | tail -n 1 | grep . || tail -n 1 "$log"; }

# missing WHAT NEED [VERSION]: one line, with the command that would help.
missing() {
    what=$1
    shift
    line=$(packages "$@" | head -n 1)
    case "$(manager):$line" in
        *:) say "missing: $what" ;;
        apk:*) say "missing: $what (as root: apk add $line)" ;;
        brew:*) say "missing: $what (brew install $line)" ;;
        *) say "missing: $what (as root: $(manager) install $line)" ;;
    esac
    if [ -s "$log" ]; then
        say "  the last attempt: $(complaint)"
    fi
}

# --- Python and the virtual environment ---------------------------------------

runs() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import venv, ensurepip' >/dev/null 2>&1; }
has_headers() {
    "$1" -c 'import os, sys, sysconfig
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
sys.exit(not os.path.exists(header))' >/dev/null 2>&1
}
is_complete() { runs "$1" && has_venv "$1" && has_headers "$1"; }
version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# The first Python that passes the given test.
first_python() {
    for name in ${PYTHON:-$PYTHONS}; do
        if have "$name" && "$1" "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

find_python() { first_python is_complete || first_python runs; }

make_venv() {
    directory=$1
    if runs "$directory/bin/python" && "$directory/bin/python" -m pip -V >/dev/null 2>&1; then
        return 0
    fi
    python=$(find_python) || { install python && python=$(find_python); } || python=""
    if [ -z "$python" ]; then
        if have uv && uv venv --seed --allow-existing --python '>=3.10' "$directory"; then
            return 0
        fi
        missing "Python 3.10 or newer" python
        return 1
    fi
    if has_venv "$python" || { install venv "$(version_of "$python")" && has_venv "$python"; }; then
        "$python" -m venv "$directory"
    elif "$python" -m virtualenv --version >/dev/null 2>&1; then
        "$python" -m virtualenv -q "$directory"
    elif have virtualenv; then
        virtualenv -q -p "$python" "$directory"
    elif have uv; then
        uv venv --seed --allow-existing --python "$python" "$directory"
    else
        missing "venv for $python" venv "$(version_of "$python")"
        return 1
    fi
}

# --- Compiler and headers -----------------------------------------------------

# A compiler without the C library's headers cannot compile anything.
compiles() {
    compiler=${CC:-$(command -v cc || command -v gcc || command -v clang)} || return 1
    # shellcheck disable=SC2086  # CC may hold options
    echo '#include <stdlib.h>' | $compiler -fsyntax-only -x c - >/dev/null 2>&1
}

see_to_build() {
    failed=0
    if ! compiles && ! { install compiler && compiles; }; then
        missing "a C compiler" compiler
        failed=1
    fi
    if ! has_headers "$1"; then
        version=$(version_of "$1")
        install headers "$version" || true
        if ! has_headers "$1"; then
            missing "the C headers of Python $version (Python.h)" headers "$version"
            failed=1
        fi
    fi
    return $failed
}

# --- What tests use beside Python ---------------------------------------------

# ask FILE FUNCTION: files that know where things are need nothing but Python itself.
ask() {
    "$python" -c 'import runpy, sys
sys.exit(not runpy.run_path(sys.argv[1])[sys.argv[2]]())' "$ROOT/$1" "$2"
}
has_browser() { ask scrapy_mainpage/rendering/launch.py find_browser; }
has_playwright() { ask scrapy_mainpage/rendering/launch.py has_playwright; }
has_postgresql() { ask tests/servers/postgres.py find_postgresql; }
get_postgresql() { install postgresql && has_postgresql; }
has_java() { ask tests/servers/java.py find_java; }
get_java() { install java && has_java; }
has_redis() { ask tests/servers/redis.py find_redis; }
get_redis() { install redis && has_redis; }

# From the system's packages, else Playwright's own, which needs no superuser.
get_browser() {
    if install browser && has_browser; then
        return 0
    fi
    if "$python" -c 'import playwright' 2>/dev/null; then
        say "installing: Playwright's chromium-headless-shell"
        PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=10000 \
            "$python" -m playwright install chromium-headless-shell >"$log" 2>&1 &&
            has_browser
    else
        return 1
    fi
}

see_to_services() {
    failed=0
    for service in $SERVICES; do
        : >"$log"
        if ! "has_$service" && ! "get_$service"; then
            missing "$service" "$service"
            failed=1
        fi
    done
    if [ $failed = 1 ] && [ "${CI:-}" != true ]; then
        say "Tests that use what is missing will be skipped."
        failed=0
    fi
    return $failed
}

# --- What fuzzing uses ----------------------------------------------------------

has_sanitisers() {
    echo 'int main(void) { return 0; }' |
        clang -fsanitize=address,undefined -x c -o "$log" - >/dev/null 2>&1
}

see_to_fuzzing() {
    if ! has_sanitisers && ! { install clang && has_sanitisers; }; then
        : >"$log"
        missing "Clang with its sanitisers" clang
        return 1
    fi
}

# --- What the demo uses beside Python ------------------------------------------

# The demo goes on without a browser, and says what is missing.
see_to_rendering() {
    : >"$log"
    if has_playwright && ! has_browser && ! get_browser && [ -s "$log" ]; then
        say "  that failed: $(complaint)"
    fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
case "${1:-}" in
    venv) make_venv "$2" ;;
    build) see_to_build "$2" ;;
    fuzzing) see_to_fuzzing ;;
    services)
        python=${2:-$ROOT/.venv/bin/python}
        [ -x "$python" ] || python=$(find_python) || python=python3
        see_to_services
        ;;
    rendering)
        python=$2
        see_to_rendering
        ;;
    *)
        sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
