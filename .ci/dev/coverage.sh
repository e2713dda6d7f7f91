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
  llvm-cov-19 export -format=lcov "${common[@]}" "${sources[@]}" >"$profiles/lcov.txt" 2>/dev/null
  llvm-cov-19 show --show-mcdc --show-branches=count --format=html -output-dir="$profiles/html" \
    "${common[@]}" "${sources[@]}" >/dev/null 2>&1
}

# written_branches LCOV: "taken of all (percent)" for the branches that somebody wrote. Those of a
# comparison that is `= default` are left out: the instrumentation counts them as taken one way only,
# whatever was compared.
written_branches() {
  awk -F'[:,]' '
    function least(a, b) { return a < b ? a : b }
    $1 == "SF" { file = substr($0, 4); delete text; n = 0; all_here = taken_here = 0
                 while ((getline line < file) > 0) text[++n] = line
                 close(file) }
    $1 == "BRDA" && text[$2] ~ /= default;/ { ++all_here; taken_here += $5 != "-" && $5 > 0 }
    $1 == "BRF" { all += $2 - least($2, all_here) }
    $1 == "BRH" { taken += $2 - least($2, taken_here) }
    END { if (all) printf "%d of %d (%.2f %%)\n", taken, all, 100 * taken / all }' "$1"
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
  say "branches, without those of comparisons that are = default: $(written_branches "$profiles/lcov.txt")"
  say "functions: ${profiles#"$ROOT"/}/functions.txt; line by line: ${profiles#"$ROOT"/}/html/index.html"
}
