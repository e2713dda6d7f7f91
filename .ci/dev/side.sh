# shellcheck shell=bash
# Steps that run side by side, at most JOBS at a time, each with a log of its own. Sourced by ./dev;
# needs report.sh.

SIDE_NAMES=()     # "tree|suite|operations|log"
SIDE_COMMANDS=()  # The command, quoted for eval.
declare -A SIDE_RUNNING=()  # Process -> index.
SIDE_BEGIN=()

# side TREE SUITE OPERATIONS LOG COMMAND...: one more step for run_sides. It counts as one case;
# OPERATIONS are added to those checked when it passes.
side() {
  SIDE_NAMES+=("$1|$2|$3|$4")
  shift 4
  SIDE_COMMANDS+=("$(printf '%q ' "$@")")
}

stop_sides() {
  local pid
  for pid in "${!SIDE_RUNNING[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
}

side_start() {
  local index=$1 tree suite operations log
  IFS='|' read -r tree suite operations log <<<"${SIDE_NAMES[index]}"
  set -m  # A process group of its own.
  (eval "${SIDE_COMMANDS[index]}") >"$LOGS/$log" 2>&1 </dev/null &
  SIDE_RUNNING[$!]=$index
  set +m
  SIDE_BEGIN[$index]=$SECONDS
}

side_finish() {
  local pid=$1 index=${SIDE_RUNNING[$1]} status=0 tree suite operations log took
  IFS='|' read -r tree suite operations log <<<"${SIDE_NAMES[index]}"
  wait "$pid" || status=$?
  unset "SIDE_RUNNING[$pid]"
  took=$((SECONDS - SIDE_BEGIN[index]))
  if ((status == 0)); then
    say "$suite, $tree: done in $took s"
    record "$tree" "$suite" 1 0 0 "$took" "$operations"
  else
    say "$suite, $tree: FAILED (status $status) after $took s; the end of $log:"
    tail -n "${ASHLAR_LOG_LINES:-60}" "$LOGS/$log" | sed 's/^/    /'
    record "$tree" "$suite" 0 1 0 "$took"
  fi
}

# Runs what `side` has collected and waits for all of it.
run_sides() {
  local next=0 pid beat=$((SECONDS + 60))
  mkdir -p "$LOGS"
  while ((next < ${#SIDE_COMMANDS[@]} || ${#SIDE_RUNNING[@]} > 0)); do
    if ((next < ${#SIDE_COMMANDS[@]} && ${#SIDE_RUNNING[@]} < JOBS)); then
      side_start "$next"
      next=$((next + 1))
      continue
    fi
    for pid in "${!SIDE_RUNNING[@]}"; do
      kill -0 "$pid" 2>/dev/null || side_finish "$pid"
    done
    if ((SECONDS >= beat && ${#SIDE_RUNNING[@]} > 0)); then
      say "${#SIDE_RUNNING[@]} steps run side by side"
      beat=$((SECONDS + 60))
    fi
    sleep 0.2
  done
  SIDE_NAMES=()
  SIDE_COMMANDS=()
}
