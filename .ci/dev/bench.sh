# shellcheck shell=bash
# The benchmarks: tables on the terminal, and one page of all results. Sourced by ./dev.

# What people see first stands first on the page.
BENCH_PROGRAMS=(layouts_bench ladder_bench workload_bench storage_bench)

# The commit that is measured, and whether something was changed since.
bench_commit() {
  local commit
  commit=$(git -C "$ROOT" rev-parse --short HEAD 2>/dev/null) || commit=unknown
  [[ -z $(git -C "$ROOT" status --porcelain 2>/dev/null) ]] || commit+=", changed since"
  printf '%s' "$commit"
}

command_bench() {
  local quick=() kernels=(--benchmark_min_time=0.02 --benchmark_repetitions=5)
  if [[ ${1:-} == --quick ]]; then
    quick=(--quick)
    kernels=(--benchmark_min_time=0.005 --benchmark_repetitions=3)
    shift
  fi
  (($# == 0)) || die "bench takes --quick alone; each program in build/release/bench has --help"
  need_packages build
  build_tree release "${BENCH_PROGRAMS[@]}" kernels_bench bench_report || exit 1

  local programs=$BUILD/release/bench out=$BUILD/bench begin=$SECONDS failed=() notes=() program
  mkdir -p "$out"
  rm -f -- "$out"/*.json
  for program in "${BENCH_PROGRAMS[@]}"; do
    say "$program (after $((SECONDS - begin)) s)"
    "$programs/$program" "${quick[@]}" --json "$out/$program.json" || failed+=("$program")
  done
  if command -v valgrind >/dev/null; then
    say "ladder_bench --simulate (after $((SECONDS - begin)) s)"
    "$programs/ladder_bench" --simulate --json "$out/ladder_simulated.json" ||
      failed+=("ladder_bench --simulate")
  else
    say "no valgrind here, so no simulated caches"
    notes+=(--note "Simulated caches are missing: valgrind was not installed.")
  fi
  # Some hundred cases: on the page they can be looked at, on a terminal they cannot.
  quietly "kernels_bench, only for the page" bench-kernels.log \
    "$programs/kernels_bench" "${kernels[@]}" --benchmark_out_format=json \
    "--benchmark_out=$out/kernels_bench.json" || failed+=(kernels_bench)

  bench_page "$out" "${notes[@]}" || failed+=(bench_report)
  say "measured in $((SECONDS - begin)) s; the page: ${out#"$ROOT"/}/index.html, its numbers beside it"
  ((${#failed[@]} == 0)) || die "failed: ${failed[*]}"
}

# bench_page FOLDER [ARG...]: the page from what is in the folder.
bench_page() {
  local out=$1 files=() name
  shift
  for name in layouts_bench ladder_bench ladder_simulated workload_bench storage_bench \
    kernels_bench; do
    [[ ! -f $out/$name.json ]] || files+=("$out/$name.json")
  done
  "$BUILD/release/bench/bench_report" --targets "$ROOT/bench/targets.txt" --out "$out/index.html" \
    --commit "$(bench_commit)" "$@" "${files[@]}"
}
