#!/bin/sh
# Runs `ontocrawl` in the volume, then lets end in order what the command leaves behind, before the container ends it:
# crawls that the explorer has started, and the embedded graph engine (ONTOCRAWL_ENGINE_IDLE says when it ends).
set -eu

# Prints the numbers of the processes whose command line has a text.
having() {
  for file in /proc/[0-9]*/cmdline; do
    case $(tr '\0' ' ' 2>/dev/null <"$file" || :) in
      *"$1"*) basename "$(dirname "$file")" ;;
    esac
  done
}

# The explorer of a new volume begins with an empty workspace. Other commands do not: `restore` needs an empty folder.
case "${1-} ${2-}" in
  "explore " | "explore -"*) [ -e ontocrawl.toml ] || ontocrawl init . >&2 ;;
esac

trap : HUP INT TERM # tini sends signals to the command too; this shell waits for it
code=0
ontocrawl "$@" || code=$?

for process in $(having 'ontocrawl crawl '); do
  kill -TERM "$process" 2>/dev/null || :
done
while [ -n "$(having 'ontocrawl crawl ')$(having 'kg.engine.supervisor')" ]; do
  sleep 0.1 || :
done
exit "$code"
