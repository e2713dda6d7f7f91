# shellcheck shell=bash
# What the terminal shows: one line a step, logs in files, and the table of results.
# Sourced by ./dev; needs LOGS.

say() { printf '%s\n' "$*"; }

die() {
  printf 'dev: %s\n' "$*" >&2
  exit 1
}

# The process group that quietly() waits for, so that an interrupt ends all of it.
RUNNING_PID=
stop_running() {
  stop_sides
  if [[ -n $RUNNING_PID ]]; then
    kill -TERM -- "-$RUNNING_PID" 2>/dev/null || true
    wait "$RUNNING_PID" 2>/dev/null || true
  fi
  exit 130
}
trap stop_running INT TERM

# The last line of a log, fit for a terminal: ninja's "[12/345] ..." and the like.
last_line() { tail -c 400 "$1" 2>/dev/null | tr '\r' '\n' | sed '/^[[:space:]]*$/d' | tail -n 1 | cut -c 1-70; }

# quietly WHAT LOG COMMAND...: runs the command with its output in LOGS/LOG and shows one line. On a
# terminal the line moves; elsewhere a line a minute shows that work goes on. Shows the end of the
# log when the command fails, and returns its status.
quietly() {
  local what=$1 log=$LOGS/$2 begin=$SECONDS status=0 beat=60
  shift 2
  mkdir -p "$LOGS"
  set -m  # A process group of its own.
  "$@" >"$log" 2>&1 </dev/null &
  RUNNING_PID=$!
  set +m
  while kill -0 "$RUNNING_PID" 2>/dev/null; do
    if [[ -t 1 ]]; then
      printf '\r\e[K%s: %d s  %s' "$what" $((SECONDS - begin)) "$(last_line "$log")"
    elif ((SECONDS - begin >= beat)); then
      printf '%s: %d s  %s\n' "$what" $((SECONDS - begin)) "$(last_line "$log")"
      beat=$((beat + 60))
    fi
    sleep 0.1
  done
  wait "$RUNNING_PID" || status=$?
  RUNNING_PID=
  [[ ! -t 1 ]] || printf '\r\e[K'
  if ((status == 0)); then
    printf '%s: done in %d s\n' "$what" $((SECONDS - begin))
  else
    printf '%s: FAILED (status %d) after %d s; the end of %s:\n' "$what" "$status" \
      $((SECONDS - begin)) "${log#"$ROOT"/}"
    tail -n "${ASHLAR_LOG_LINES:-60}" "$log" | sed 's/^/    /'
  fi
  return "$status"
}

# --- The table of results ---

PASSED=0
FAILED=0
SKIPPED=0
OPERATIONS=0
TABLE=()

# record TREE SUITE PASSED FAILED SKIPPED SECONDS [OPERATIONS]
record() {
  local operations=${7:-0}
  PASSED=$((PASSED + $3))
  FAILED=$((FAILED + $4))
  SKIPPED=$((SKIPPED + $5))
  OPERATIONS=$((OPERATIONS + operations))
  TABLE+=("$(printf '%-8s %-34s %7d %7d %7d %6d s %12s' "$1" "$2" "$3" "$4" "$5" "$6" \
    "$( ((operations == 0)) || thousands "$operations")")")
}

# record_step TREE SUITE SECONDS COMMAND...: runs a step that counts as one case.
record_step() {
  local tree=$1 suite=$2 begin=$SECONDS
  shift 2
  if "$@"; then
    record "$tree" "$suite" 1 0 0 $((SECONDS - begin))
  else
    record "$tree" "$suite" 0 1 0 $((SECONDS - begin))
  fi
}

thousands() { printf '%s' "$1" | sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta'; }

print_table() {
  printf '\n%-8s %-34s %7s %7s %7s %8s %12s\n' tree suite passed failed skipped time operations
  printf '%s\n' "${TABLE[@]}"
  printf '\noperations checked against the model: %s\n' "$(thousands "$OPERATIONS")"
}
