#!/bin/sh
# Writes new secrets for compose.yaml into the folder `secrets` beside this file, if there are none: the token of the
# explorer, and the password of Neo4j as its image and as ontocrawl read it.
set -eu
folder=$(dirname "$0")/secrets
if [ -e "$folder" ]; then
  echo "$folder exists: nothing is written" >&2
  exit 1
fi

# Prints 48 random hexadecimal digits.
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# The folder is closed to others. In the containers the files belong to the user of the host, so they are open to all.
mkdir -m 0700 "$folder"
umask 022
password=$(random)
printf '%s\n' "$(random)" >"$folder/explorer_token"
printf 'neo4j/%s\n' "$password" >"$folder/neo4j_auth"
printf 'NEO4J_URI=bolt://neo4j:7687\nNEO4J_USERNAME=neo4j\nNEO4J_PASSWORD=%s\n' "$password" >"$folder/neo4j_credentials"
