#!/bin/bash
# The ashlar command as a process: what the unit tests cannot see (signals, pipes, real files, a
# terminal). Usage: end_to_end_test.sh <path of ashlar> <source folder>
set -u
ashlar=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $*" >&2
  [ -s err ] && head -c 2000 err >&2
  failures=$((failures + 1))
}

# expect <status> <arguments...>: runs ashlar; leaves its output in the files out and err.
expect() {
  local wanted=$1
  shift
  "$ashlar" "$@" >out 2>err </dev/null
  local status=$?
  [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted: ashlar $*"
}

# refused <arguments...>: status 2, one line of error with no control characters, no output.
refused() {
  expect 2 "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "not one line of error: ashlar $*"
  [ "$(wc -c <err)" -le 1100 ] || fail "a line of error too long: ashlar $*"
  [ -s out ] && fail "output besides the error: ashlar $*"
  LC_ALL=C grep -q '^ashlar: ' err || fail "no 'ashlar: ' before the error: ashlar $*"
  [ "$(tr -d '\n' <err | LC_ALL=C tr -d '[:print:]\200-\377' | wc -c)" -eq 0 ] ||
    fail "control characters in the error: ashlar $*"
}

# --- Malformed traces: those that are shipped, and some made here ---
mkdir made
printf 'create e1\0\n' >made/nul.trace
head -c 64 /dev/urandom >made/noise.trace
head -c 10485760 /dev/zero | tr '\0' 'x' >made/long_line.trace
{ printf 'component a i32\ncreate e1 a='; head -c 10485760 /dev/zero | tr '\0' '1'; echo; } >made/long_value.trace
head -c 100000 /dev/zero | tr '\0' '\n' | sed 's/$/create/' >made/many_errors.trace
printf 'component health i32\ncreate e1 health=' >made/truncated.trace
printf 'component health i32\ncreate e1 health=nan\n' >made/nan_in_integer.trace
printf 'component health i32\ncreate e1 health=4294967296\n' >made/out_of_range.trace
printf 'component health i32\ncreate e1 mana=1\n' >made/unknown_component.trace
printf 'trace 999\n' >made/version.trace
printf '\xef\xbb\xbf\xff\xfe create e1\n' >made/not_utf8.trace
printf 'option chunk_bytes 99999999999999999999\n' >made/option.trace
count=0
for file in made/*.trace "$source"/props/malformed/*; do
  [ -f "$file" ] || continue
  count=$((count + 1))
  refused replay "$file"
  # The same reader: a part of them will do.
  ((count % 4 == 0)) && refused shrink "$file"
done
[ "$count" -ge 12 ] || fail "only $count malformed files"
refused replay made
refused replay ''
refused replay no/such/file
refused audit --traces made/nul.trace
ln -s loop loop
refused replay loop
mkfifo pipe
(printf 'create e1\n' >pipe &)
"$ashlar" replay pipe >out 2>err
status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || fail "status $status for a pipe"

# Memory is bounded by the input: ten megabytes of line in 200 MiB of memory. Sanitizers reserve
# more than any limit of address space, so only where there is none.
if ! grep -qa __asan_init "$ashlar" && ! grep -qa __tsan_init "$ashlar"; then
  for file in made/long_line.trace made/long_value.trace; do
    (ulimit -v 204800 && "$ashlar" replay "$file" >out 2>err)
    status=$?
    [ "$status" -eq 2 ] || fail "status $status for $file in little memory"
  done
fi

# --- Audit: the shipped traces, the same again, interruption ---
expect 0 audit --operations 3000 --seed 99
digest=$(grep '^state digest' out)
[ -n "$digest" ] || fail "no state digest"
grep -q '^PASS$' out || fail "no PASS"
expect 0 audit --operations 3000 --seed 99
[ "$(grep '^state digest' out)" = "$digest" ] || fail "the same seed did something else"
expect 0 audit --operations 3000 --seed 99 --skip 1
[ "$(grep '^state digest' out)" != "$digest" ] || fail "--skip changed nothing"

for signal in INT TERM; do
  # An asynchronous command of a script ignores SIGINT unless job control is on.
  set -m
  "$ashlar" audit --seconds 600 >out 2>err &
  child=$!
  set +m
  sleep 2
  kill -s "$signal" "$child"
  wait "$child"
  status=$?
  wanted=$((128 + $(kill -l "$signal")))
  [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted after SIG$signal"
  grep -q '^INTERRUPTED' out || fail "no summary after SIG$signal"
  grep -q '^state digest' out || fail "no table after SIG$signal"
done

# --- A terminal gets a live line and colours; a pipe gets neither ---
# A machine without /dev/pts has no terminals to give.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  script -qec "$ashlar audit --seconds 2 --seed 1" /dev/null >typescript </dev/null
  grep -q $'\raudit: .*random operations' typescript || fail "no live line on a terminal"
  TERM=xterm script -qec "$ashlar layout a:i32" /dev/null >typescript </dev/null
  grep -q $'\x1b\\[38;5;16;48;5;' typescript || fail "no colours on a terminal"
  NO_COLOR=1 script -qec "$ashlar layout a:i32" /dev/null >typescript </dev/null
  grep -q $'\x1b' typescript && fail "colours in spite of NO_COLOR"
else
  echo "no pseudo-terminal here: live line and colours were not looked at"
fi
expect 0 layout a:i32
grep -q $'\x1b' out && fail "colours in a file"

# --- Output that cannot be written ---
if [ -c /dev/full ]; then
  "$ashlar" layout a:i32 >/dev/full 2>err
  status=$?
  [ "$status" -eq 1 ] || fail "status $status for a full disk"
  "$ashlar" --help >/dev/full 2>err
  [ $? -eq 1 ] || fail "--help does not see a full disk"
fi

# --- Numbers that look like flags ---
expect 0 simulate --entities 100 --steps 2 --dt -0.5
checksum=$(grep '^checksum' out)
expect 0 simulate --entities 100 --steps 2 --dt=-0.5 --simd scalar
[ "$(grep '^checksum' out)" = "$checksum" ] || fail "scalar has another checksum"
expect 0 simulate --particles 500 --steps 30 --dt 0.125
checksum=$(grep '^checksum' out)
expect 0 simulate --particles 500 --steps 30 --dt=0.125 --simd scalar --layout split
[ "$(grep '^checksum' out)" = "$checksum" ] || fail "split scalar particles have another checksum"

[ "$failures" -eq 0 ] && echo "all well, $count malformed files refused"
exit "$((failures != 0))"
