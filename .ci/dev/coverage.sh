# shellcheck shell=bash
# Coverage of the kernel, branch by branch and in MC/DC, by everything that `test` runs but fuzzing.
# Sourced by ./dev.

# Every program whose run counts.
coverage_programs() {
  find "$BUILD/coverage" -type f -perm -u+x \( -name '*_test' -o -name '*_properties' -o -name ashlar \)
}

coverage_report() {
  local profiles=$1 programs=() objects=() program
  mapfile -t programs < <(coverage_programs)
  for program in "${programs[@]:1}"; do
    objects+=(-object "$program")
  done
  find "$profiles" -name '*.profraw' >"$profiles/list"
  llvm-profdata-19 merge -sparse -f "$profiles/list" -o "$profiles/all.profdata"
  local common=(-instr-profile="$profiles/all.profdata" "${programs[0]}" "${objects[@]}")
  local sources=()
  mapfile -t sources < <(cd "$ROOT" && sources_below src/ashlar | grep -vE '(_test\.cc|_fixture\.h|_test_peer\.h|random_programs\.(h|cc))$' |
    sed "s|^|$ROOT/|")
  llvm-cov-19 report --show-mcdc-summary --show-branch-summary "${common[@]}" "${sources[@]}" \
    >"$profiles/report.txt" 2>"$profiles/warnings.txt"
  llvm-cov-19 report --show-mcdc-summary --show-functions "${common[@]}" "${sources[@]}" \
    >"$profiles/functions.txt" 2>/dev/null
  llvm-cov-19 show --show-mcdc --show-branches=count --format=html -output-dir="$profiles/html" \
    "${common[@]}" "${sources[@]}" >/dev/null 2>&1
}

command_coverage() {
  need_packages build clang
  build_tree coverage all || exit 1
  local profiles=$BUILD/coverage/profiles
  rm -rf -- "$profiles"
  mkdir -p "$profiles"
  (cd "$ROOT" && quietly "tests, coverage" ctest-coverage.log \
    ctest --preset coverage -j "$JOBS") || say "some tests failed; their runs count all the same"
  LLVM_PROFILE_FILE=$profiles/%m-%p.profraw quietly "audit, coverage" audit-coverage.log \
    "$BUILD/coverage/src/cli/ashlar" audit --operations 100000 --seed 1 ||
    say "the audit failed; its run counts all the same"
  quietly "report" coverage-report.log coverage_report "$profiles"
  # A condition that the instrumentation cannot follow is only warned about.
  if grep -i 'unsupported MC/DC' "$LOGS/build-coverage.log" "$profiles/warnings.txt"; then
    say "some conditions are not measured (see above): split them"
  fi
  cat "$profiles/report.txt"
  say "functions: ${profiles#"$ROOT"/}/functions.txt; line by line: ${profiles#"$ROOT"/}/html/index.html"
}
