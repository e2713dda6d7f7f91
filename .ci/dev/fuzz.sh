# shellcheck shell=bash
# Fuzzing: short runs for `test`, and campaigns. Sourced by ./dev.

FUZZ_TARGETS=(world_fuzz commands_fuzz layout_fuzz trace_fuzz kernels_fuzz)

# Sanitizer reports need the symbolizer, which Debian installs beside clang only.
use_symbolizer() {
  local symbolizer=/usr/lib/llvm-19/bin/llvm-symbolizer
  [[ ! -x $symbolizer ]] || export ASAN_SYMBOLIZER_PATH=$symbolizer
}

# fuzz_run PRESET TARGET ARG...: the target on its own growing corpus and on the seeds, which the
# build makes from the traces. An input that fails is kept in build/PRESET/fuzz/found.
fuzz_run() {
  local folder=$BUILD/$1/fuzz target=$2 dictionary=$ROOT/fuzz/${2%_fuzz}.dict options
  shift 2
  mkdir -p "$folder/grown/$target" "$folder/found"
  options=(-timeout=20 -rss_limit_mb=2048 "-artifact_prefix=$folder/found/$target-")
  [[ ! -f $dictionary ]] || options+=("-dict=$dictionary")
  use_symbolizer
  "$folder/$target" "${options[@]}" "$@" "$folder/grown/$target" "$folder/corpus/$target"
}

command_fuzz() {
  local target=${1:-world_fuzz} seconds=${2:-60}
  [[ " ${FUZZ_TARGETS[*]} " == *" $target "* ]] || die "targets are: ${FUZZ_TARGETS[*]}"
  [[ $seconds =~ ^[0-9]+$ ]] || die "not a number of seconds: $seconds"
  need_packages build clang
  build_tree fuzz "$target" fuzz_corpus || exit 1
  say "fuzzing $target for $seconds s with $JOBS processes; inputs that fail go to build/fuzz/fuzz/found"
  fuzz_run fuzz "$target" -fork="$JOBS" -max_total_time="$seconds" -print_final_stats=1
}
