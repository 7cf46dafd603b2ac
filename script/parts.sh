# Functions that script/setup and script/install share, to be sourced. `me` is the prefix of messages.
# shellcheck shell=bash

# shellcheck disable=SC2034
sound=(libportaudio2 libespeak-ng1 libspeexdsp1) # PortAudio for the devices, espeak-ng for the voice, Speex for echo

say() { printf '%s: %s\n' "${me:-setup}" "$*" >&2; }
fail() { say "$*"; exit 1; }

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Print the comment at the head of the running script and end, if its first argument asks for help: `help_if_asked "$@"`.
help_if_asked() {
    case "${1:-}" in
        -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$scripts/${0##*/}"; exit 0 ;;
    esac
}

# Print the language that a settings file names, or the default.
language_of() { sed -n 's/^language *= *"\([A-Za-z0-9-]*\)".*/\1/p' "$1" 2>/dev/null | grep . || echo en; }

# Print the language that is asked for by `--lang` among the arguments, or that of the user's settings.
asked_language() {
    local language=
    while [ $# -gt 0 ]; do
        case "$1" in
            --lang) language=${2:-} ;;
            --lang=*) language=${1#--lang=} ;;
        esac
        shift
    done
    [ -z "$language" ] || { printf '%s\n' "$language"; return; }
    language_of "${XDG_CONFIG_HOME:-${HOME:-}/.config}/seance/settings.toml"
}

# Offer the narrator's natural voice at a terminal, unless it is here, was declined before, or needs more memory than
# there is: `offer_natural_voice PYTHON FILE COMMAND...`. FILE remembers a no, COMMAND fetches it.
offer_natural_voice() {
    local python=$1 declined=$2 answer=
    shift 2
    if [ ! -t 0 ] || [ ! -t 2 ] || [ -e "$declined" ]; then return 0; fi
    "$python" -P -c 'import sys
from seance.models import store
from seance.speech.kokoro import has_memory
sys.exit(not has_memory() or store.find("kokoro") is not None)' 2>/dev/null || return 0
    say "a natural voice for the narrator, in English and French, can be fetched: 104 MB, two minutes at 7 Mbit/s."
    say "The house then makes its lines ahead of time, by itself, while nobody plays: some hours on a Pi, up to 300 MB."
    read -r -p "Fetch it now? [y/N] " answer || true
    case "$answer" in
        [yYoO]*) "$@" >&2 || say "it could not be fetched; \`seance models fetch kokoro\` tries again" ;;
        *)
            : >"$declined" || true
            say "\`seance models fetch kokoro\` brings it at any time"
            ;;
    esac
}

# Whether a Debian package is installed.
has_package() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Print which of the given Debian packages are missing.
missing_packages() {
    local package
    for package in "$@"; do has_package "$package" || printf '%s\n' "$package"; done
}

# Install Debian packages, with sudo if need be.
install_packages() {
    say "missing system packages: $*"
    command -v apt-get >/dev/null || fail "please install them by hand: this system has no apt-get"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "please run as root: apt-get install $*"
        say "sudo is needed for: apt-get install $*"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq >&2 || say "the package lists could not be renewed; trying with the old ones"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@" >&2 ||
        fail "these packages could not be installed: $*. Is there a network?"
}

# Install those of the given Debian packages that are missing.
want_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# Print the path of the first Python that is new enough: of those given, then of Debian's names.
find_python() {
    local candidate
    for candidate in "$@" python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# Whether lgpio comes from the system: PyPI has no wheel for Python 3.13, but Raspberry Pi OS has a package.
pins_of_system() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 13))' 2>/dev/null || return 1
    has_package python3-lgpio || apt-cache show python3-lgpio 2>/dev/null | grep -q .
}

# Make a virtual environment: `make_venv PYTHON FOLDER`; it sees the system's packages where lgpio is one of them.
make_venv() {
    local python=$1 folder=$2 sees=()
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
    if pins_of_system "$python"; then
        want_packages python3-lgpio
        sees=(--system-site-packages)
    fi
    say "making the virtual environment $folder with $("$python" --version)"
    rm -rf "${folder:?}"/{bin,include,lib,lib64,pyvenv.cfg,.set-up-*}
    "$python" -m venv "${sees[@]}" "$folder" || fail "the virtual environment could not be made in $folder"
}

# Install what is locked in requirements/NAME.txt: `install_locked PYTHON NAME`. pip refuses whatever has another hash; the
# few packages that are published as source only are built with the locked build tools.
install_locked() {
    local python=$1 name
    for name in build "$2"; do
        # The variable, not the option: pip before 23.1 needs it, and later ones may know it no more.
        PIP_USE_PEP517=1 "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation \
            --require-hashes --requirement "requirements/$name.txt" >&2 || return 1
    done
}

# Whether a virtual environment works, and sees the system's lgpio where that is used.
venv_is_good() {
    "$1/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || return 1
    ! pins_of_system "$1/bin/python" || grep -q '^include-system-site-packages = true' "$1/pyvenv.cfg"
}
