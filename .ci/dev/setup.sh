# shellcheck shell=bash
# Packages: what is needed on Debian 12, and how the missing ones get here. Sourced by ./dev.
#
# The package database itself is asked each time (it takes milliseconds), so there is no stamp that
# could be wrong; apt is started only when something is missing.

# The packages of a group, one a word.
packages_of() {
  case $1 in
    build) echo g++ cmake ninja-build ccache libabsl-dev libxxhash-dev libcli11-dev libgtest-dev \
      libgmock-dev librapidcheck-dev libbenchmark-dev libtbb-dev ;;
    # libFuzzer is in the runtime; llvm-cov and the symbolizer are in llvm.
    clang) echo clang-19 libclang-rt-19-dev llvm-19 lld-19 ;;
    style) echo clang-format-19 clang-tidy-19 ;;
    *) die "no such package group: $1" ;;
  esac
}

# The group that a preset needs besides `build`, or that again.
packages_of_preset() {
  case $1 in
    release | debug) echo build ;;
    *) echo clang ;;
  esac
}

missing_packages() {
  local here package
  # dpkg-query fails when one of them is unknown, and still tells about the others.
  here=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null || true)
  here=$(sed -n 's/^ii //p' <<<"$here")
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$here" || echo "$package"
  done
}

# need_packages GROUP...: makes sure that the packages of these groups are installed.
need_packages() {
  local group words wanted=() missing=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    need_tools
    return
  fi
  for group in "$@"; do
    read -ra words <<<"$(packages_of "$group")"
    wanted+=("${words[@]}")
  done
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# Elsewhere than on Debian we install nothing; we only say what cannot be done without.
need_tools() {
  local tool
  for tool in cmake ninja; do
    command -v "$tool" >/dev/null ||
      die "this is no Debian, and $tool is missing; README says what to install elsewhere"
  done
}

install_packages() {
  local as_root=() options=(-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      die "packages are missing, and there is no way to be root without a password. Run:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
    fi
  fi
  say "installing ${#} Debian packages: $*"
  # A package source that has nothing to do with us may fail; then the install is tried all the same.
  quietly "apt-get update" apt-update.log \
    "${as_root[@]}" apt-get "${options[@]}" update || true
  quietly "apt-get install" apt-install.log \
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get "${options[@]}" install -y --no-install-recommends "$@" ||
    die "the packages could not be installed; README says what works on other systems than Debian 12"
}
