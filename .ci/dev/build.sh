# shellcheck shell=bash
# Configuring and building the trees of CMakePresets.json. Sourced by ./dev; needs ROOT, BUILD, JOBS.

# Compilations are looked up by content, whichever folder the repository is in.
use_ccache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
}

# Ninja configures again by itself when a CMake file changes, but it knows nothing of the presets.
configure_tree() {
  local preset=$1 stamp=$BUILD/$1/presets.stamp
  use_ccache
  if [[ -f $BUILD/$preset/build.ninja ]] && cmp -s "$ROOT/CMakePresets.json" "$stamp"; then
    return 0
  fi
  (cd "$ROOT" && quietly "configure $preset" "configure-$preset.log" cmake --preset "$preset") ||
    return 1
  cp "$ROOT/CMakePresets.json" "$stamp"
}

# build_tree PRESET TARGET...
build_tree() {
  local preset=$1
  shift
  configure_tree "$preset" || return 1
  quietly "build $preset ($*)" "build-$preset.log" \
    cmake --build "$BUILD/$preset" --parallel "$JOBS" --target "$@"
}
