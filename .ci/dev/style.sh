# shellcheck shell=bash
# clang-format and clang-tidy. Sourced by ./dev.

CLANG_FORMAT=clang-format-19
CLANG_TIDY=clang-tidy-19

# Every C++ file of ours below the given folders.
sources_below() {
  (cd "$ROOT" && find "$@" \( -name '*.h' -o -name '*.cc' \) -type f | LC_ALL=C sort)
}

command_format() {
  need_packages style
  local files=()
  mapfile -t files < <(sources_below src model props fuzz bench example)
  cd "$ROOT" || exit 1
  if [[ ${1:-} == --check ]]; then
    "$CLANG_FORMAT" --dry-run --Werror "${files[@]}" || die "run ./dev format"
    say "format: ${#files[@]} files are clean"
  else
    "$CLANG_FORMAT" -i "${files[@]}"
    say "format: ${#files[@]} files done"
  fi
}

# The files that clang-tidy looks at by themselves; headers are seen through them. Tests are left
# out: GoogleTest's macros would need most checks switched off.
tidy_sources() { sources_below src model | grep -E '\.cc$' | grep -vE '_test\.cc$'; }

# closure FILE: the file and every header of ours that it sees, so that a result can be kept as long
# as none of them changes.
closure() {
  (cd "$ROOT" && awk -v start="$1" '
    function visit(path,   line, name) {
      if (path in seen) return
      seen[path] = 1
      print path
      while ((getline line < path) > 0) {
        if (match(line, /^[ \t]*#[ \t]*include[ \t]*"[^"]+"/)) {
          name = substr(line, RSTART, RLENGTH)
          sub(/^[^"]*"/, "", name)
          sub(/".*/, "", name)
          queue[++tail] = (name ~ /^(ashlar|cli)\//) ? "src/" name : name
        }
      }
      close(path)
    }
    BEGIN {
      queue[tail = 1] = start
      for (head = 1; head <= tail; ++head) visit(queue[head])
    }') | while read -r path; do [[ -f $ROOT/$path ]] && echo "$path"; done
}

# tidy_one FILE: checks it, unless the same text was found clean before. How many warnings there
# are in headers of the system says nothing.
tidy_one() {
  local file=$1 key kept
  key=$( (cd "$ROOT" && closure "$file" | LC_ALL=C sort | xargs sha256sum .clang-tidy &&
    echo "$TIDY_VERSION") | sha256sum | cut -c 1-40)
  kept=$TIDY_CACHE/$key
  if [[ -f $kept ]]; then
    touch "$kept"
    return 0
  fi
  echo "$file"
  if "$CLANG_TIDY" --quiet -p "$BUILD/release-clang" "$ROOT/$file" \
    2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2); then
    : >"$kept"
  else
    echo "tidy: $file has findings"
    return 1
  fi
}

tidy_files() {
  export -f tidy_one closure
  export CLANG_TIDY TIDY_CACHE TIDY_VERSION
  # shellcheck disable=SC2016  # $1 is for the inner shell.
  printf '%s\n' "$@" | xargs -P "$JOBS" -I '{}' bash -c 'set -uo pipefail; tidy_one "$1"' tidy '{}'
}

# Results are kept outside the repository, so that a fresh clone need not find them again.
command_tidy() {
  need_packages build clang style
  configure_tree release-clang || exit 1  # A tree that compiles each file by itself.
  TIDY_CACHE=${XDG_CACHE_HOME:-${HOME:-$BUILD}/.cache}/ashlar/tidy
  TIDY_VERSION=$("$CLANG_TIDY" --version | tr -s ' \n' ' ')
  mkdir -p "$TIDY_CACHE"
  find "$TIDY_CACHE" -type f -mtime +30 -delete
  local files=("$@")
  if ((${#files[@]} == 0)); then
    mapfile -t files < <(tidy_sources)
  fi
  ASHLAR_LOG_LINES=200 quietly "tidy (${#files[@]} files)" tidy.log tidy_files "${files[@]}" || exit 1
}
