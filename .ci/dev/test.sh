# shellcheck shell=bash
# The whole test: unit tests, properties, traces, corpora, a short fuzz and lockstep, under sanitizers
# and in release. Sourced by ./dev.
#
# Counted are: each GoogleTest case, each other ctest case (corpora, the example), each fuzz target,
# each audit, each build. A step that cannot be run counts as one failure.

FUZZ_SECONDS=12
# A release is audited with 2,000,000 and 20,000,000.
AUDIT_OPERATIONS_ASAN=400000
AUDIT_OPERATIONS_RELEASE=1500000

# The seed of the random parts: given, or the commit's, so that each commit tries something else and
# the same commit does the same.
test_seed() {
  local commit
  commit=$(git -C "$ROOT" rev-parse --short=8 HEAD 2>/dev/null || true)
  if [[ -n ${ASHLAR_SEED:-} ]]; then
    echo "$ASHLAR_SEED"
  elif [[ $commit =~ ^[0-9a-f]{8,}$ ]]; then
    echo $((16#${commit:0:8}))
  else
    echo 1
  fi
}

# xml_counts RESULTS: reads ctest's report and GoogleTest's, and prints
# "passed failed skipped operations". A ctest case that failed although its GoogleTest cases did not
# (a crash, a leak, a time-out) is one failure more.
xml_counts() {
  local results=$1
  awk -v results="$results" '
    function attribute(line, name,   at) {
      if (!match(line, " " name "=\"[^\"]*\"")) return ""
      at = substr(line, RSTART, RLENGTH)
      sub(/^[^"]*"/, "", at)
      sub(/"$/, "", at)
      return at
    }
    function read_cases(file,   line, tests) {
      tests = suite_failed = 0
      while ((getline line < file) > 0) {
        if (line ~ /<testsuite /) {
          tests += attribute(line, "tests")
          suite_failed += attribute(line, "failures") + attribute(line, "errors")
          left_out = attribute(line, "skipped") + attribute(line, "disabled")
          skipped += left_out
          passed += attribute(line, "tests") - left_out - attribute(line, "failures") - \
                    attribute(line, "errors")
        } else if (line ~ /<property name="operations_checked"/) {
          operations += attribute(line, "value")
        }
      }
      close(file)
      failed += suite_failed
      return tests
    }
    /<testcase / {
      name = attribute($0, "name")
      status = attribute($0, "status")
      cases = read_cases(results "/" name ".xml")
      if (cases == 0 && status == "run") ++passed
      else if (status == "fail" && (cases == 0 || suite_failed == 0)) ++failed
      else if (status == "notrun") ++failed  # Its program is not there.
      else if (status == "disabled") ++skipped
    }
    END { printf "%d %d %d %d\n", passed, failed, skipped, operations }' "$results/ctest.junit"
}

# run_ctest PRESET SEED
run_ctest() {
  local preset=$1 seed=$2 begin=$SECONDS results=$BUILD/$1/results
  rm -rf -- "$results"
  mkdir -p "$results"
  use_symbolizer
  (cd "$ROOT" && RC_PARAMS=${RC_PARAMS:-seed=$seed} GTEST_OUTPUT=xml:$results/ quietly \
    "tests, $preset" "ctest-$preset.log" \
    ctest --preset "$preset" -j "$JOBS" --output-junit "$results/ctest.junit") || true
  if [[ ! -s $results/ctest.junit ]]; then
    record "$preset" "tests (no report)" 0 1 0 $((SECONDS - begin))
    return
  fi
  local counts=() line
  while read -r line; do say "$preset, $line"; done \
    < <(grep -ho 'injected: [0-9].*' "$results/ctest.junit" || true)
  read -ra counts <<<"$(xml_counts "$results")"
  record "$preset" "unit tests, properties, corpora" "${counts[@]:0:3}" $((SECONDS - begin)) \
    "${counts[3]}"
}

# side_audit PRESET OPERATIONS SEED
side_audit() {
  side "$1" audit "$2" "audit-$1.log" "$BUILD/$1/src/cli/ashlar" audit \
    --traces "$ROOT/props/traces" --operations "$2" --seed "$3" --failure-dir "$BUILD/failures"
}

side_fuzz() {
  local target
  for target in "${FUZZ_TARGETS[@]}"; do
    side "$1" "$target, $FUZZ_SECONDS s" 0 "fuzz-$target.log" fuzz_run "$1" "$target" \
      -max_total_time="$FUZZ_SECONDS" -print_final_stats=1
  done
}

# test_tree PRESET SEED [TARGET...]: builds and tests one tree, and builds these too. False when it
# does not build: programs of an older build would prove nothing.
test_tree() {
  local failed_before=$FAILED
  record_step "$1" build build_tree "$1" all "${@:3}"
  ((FAILED == failed_before)) || return 1
  run_ctest "$1" "$2"
}

command_test() {
  local style=0 seed begin=$SECONDS more=()
  case ${1:-} in
    --style) style=1 ;;
    '') ;;
    *) die "test knows only --style" ;;
  esac
  if ((style)); then need_packages build clang style; else need_packages build clang; fi
  seed=$(test_seed)
  say "testing with seed $seed (ASHLAR_SEED sets it)"
  if ((style)); then
    record_step style format quietly "format" format.log "$ROOT/dev" format --check
    record_step style tidy "$ROOT/dev" tidy
    more=(benchmarks)
  fi
  mkdir -p "$BUILD/failures"
  use_symbolizer
  if test_tree release "$seed" "${more[@]}"; then side_audit release "$AUDIT_OPERATIONS_RELEASE" "$seed"; fi
  if test_tree asan "$seed"; then
    side_audit asan "$AUDIT_OPERATIONS_ASAN" "$seed"
    side_fuzz asan
  fi
  run_sides
  print_table
  say "time: $((SECONDS - begin)) s"
  say "$PASSED passed, $FAILED failed, $SKIPPED skipped"
  ((FAILED == 0 && PASSED > 0))
}
