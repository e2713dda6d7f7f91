# shellcheck shell=bash
# Fuzzing: replay of the seed corpora, short runs for `test`, and campaigns. Sourced by ./dev.

FUZZ_TARGETS=(world_fuzz layout_fuzz trace_fuzz)

# Sanitizer reports need the symbolizer, which Debian installs beside clang only.
use_symbolizer() {
  local symbolizer=/usr/lib/llvm-19/bin/llvm-symbolizer
  [[ ! -x $symbolizer ]] || export ASAN_SYMBOLIZER_PATH=$symbolizer
}

# The options that every run of a target shares. A crash leaves its input in build/PRESET/fuzz/found.
fuzz_options() {
  local preset=$1 target=$2 dictionary=$ROOT/fuzz/$2.dict
  local found=$BUILD/$preset/fuzz/found
  mkdir -p "$found"
  echo "-timeout=20" "-rss_limit_mb=2048" "-artifact_prefix=$found/$target-"
  [[ ! -f $dictionary ]] || echo "-dict=$dictionary"
}

# fuzz_run PRESET TARGET ARG...: the target on its own growing corpus, then on the seeds.
fuzz_run() {
  local preset=$1 target=$2 options=()
  shift 2
  local grown=$BUILD/$preset/fuzz/corpus/$target seeds=$ROOT/fuzz/corpus/$target
  mkdir -p "$grown"
  read -ra options <<<"$(fuzz_options "$preset" "$target" | tr '\n' ' ')"
  use_symbolizer
  # A small quarantine: freed blocks are reused sooner, and runs are a good third faster.
  ASAN_OPTIONS=quarantine_size_mb=1 "$BUILD/$preset/fuzz/$target" "${options[@]}" "$@" "$grown" \
    "$seeds"
}

# fuzz_replay PRESET TARGET: each seed once.
fuzz_replay() {
  local preset=$1 target=$2 options=()
  read -ra options <<<"$(fuzz_options "$preset" "$target" | tr '\n' ' ')"
  use_symbolizer
  "$BUILD/$preset/fuzz/$target" "${options[@]}" -runs=0 "$ROOT/fuzz/corpus/$target"
}

command_fuzz() {
  local target=${1:-world_fuzz} seconds=${2:-60}
  [[ " ${FUZZ_TARGETS[*]} " == *" $target "* ]] || die "targets are: ${FUZZ_TARGETS[*]}"
  [[ $seconds =~ ^[0-9]+$ ]] || die "not a number of seconds: $seconds"
  need_packages build clang
  build_tree fuzz "$target" || exit 1
  say "fuzzing $target for $seconds s with $JOBS processes; inputs that fail go to build/fuzz/fuzz/found"
  fuzz_run fuzz "$target" -fork="$JOBS" -max_total_time="$seconds" -print_final_stats=1
}
