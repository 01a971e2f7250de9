# Functions of the scripts beside this file, which read it with `.`.

say() { printf '%s\n' "sumito: $*"; }
fail() { say "$*" >&2; exit 1; }

# Install Debian packages where that is allowed, or name those that are missing.
need() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        fail "please install these packages first: $*"
    fi
    say "installing $*"
    # One after the other: scripts run at the same time, and apt refuses to.
    DEBIAN_FRONTEND=noninteractive flock "${TMPDIR:-/tmp}/sumito-apt.lock" \
        sh -c 'apt-get update -qq && apt-get install -y -qq "$@" >/dev/null' apt "$@"
}

# Set `python` to a Python that is new enough.
find_python() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null || need python3 python3-venv
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or newer is needed, this is $("$python" --version); set PYTHON to another"
}

# make_venv DIRECTORY: an empty virtual environment, unless there is one.
make_venv() {
    [ ! -x "$1/bin/pip" ] || return 0
    "$python" -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
    (
        flock 9 # two scripts may want it at the same time
        [ -x "$1/bin/pip" ] || "$python" -m venv "$1"
    ) 9>"${TMPDIR:-/tmp}/sumito-venv.lock"
}

# pip_install DIRECTORY PACKAGE...: into that virtual environment.
pip_install() {
    pip_python=$1/bin/python
    shift
    "$pip_python" -m pip install --quiet --disable-pip-version-check "$@"
}
