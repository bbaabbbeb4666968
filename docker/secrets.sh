#!/bin/sh
# Writes new secrets for compose.yaml into the folder `secrets` beside this file, if there are none: the token of the
# explorer, and the password of Neo4j as its image and as ontocrawl read it. The folder appears with all of them.
set -eu
folder=$(dirname "$0")/secrets
if [ -e "$folder" ]; then
  echo "$folder exists: nothing is written" >&2
  exit 1
fi

# Prints 48 random hexadecimal digits.
random() {
  digits=$(od -An -N24 -tx1 /dev/urandom) || exit 1
  digits=$(printf '%s' "$digits" | tr -d ' \n')
  [ "${#digits}" = 48 ] || exit 1
  printf '%s' "$digits"
}

token=$(random)
password=$(random)
# The folder is closed to others. In the containers the files belong to the user of the host, so they are open to all.
unfinished=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
umask 022
printf '%s\n' "$token" >"$unfinished/explorer_token"
printf 'neo4j/%s\n' "$password" >"$unfinished/neo4j_auth"
printf 'NEO4J_URI=bolt://neo4j:7687\nNEO4J_USERNAME=neo4j\nNEO4J_PASSWORD=%s\n' "$password" >"$unfinished/neo4j_credentials"
mv "$unfinished" "$folder"
