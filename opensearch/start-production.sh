#!/bin/bash
# Fills the engine's settings from the image and writes its two users, then starts the node as the official image does.
# The users count on the first start alone: later they live in the engine's security index.
set -euo pipefail

ADMIN_PASSWORD=$(cat "${ADMIN_PASSWORD_FILE:?must name the file with the password of the user admin}")
ENGINE_PASSWORD=$(cat "${ENGINE_PASSWORD_FILE:?must name the file with the password of the user aspectra}")
: "${ADMIN_PASSWORD:?is empty}" "${ENGINE_PASSWORD:?is empty}"
export ADMIN_PASSWORD ENGINE_PASSWORD
if [ "$ADMIN_PASSWORD" = "$ENGINE_PASSWORD" ]; then
    echo "start-production.sh: admin and aspectra have one password; the node is not started." >&2
    exit 1
fi

home=${OPENSEARCH_HOME:-/usr/share/opensearch}
# The certificates are mounted below config already, read-only.
cp -R "$home/config.image/." "$home/config/"

hashed() {
    local hash
    hash=$("$home/plugins/opensearch-security/tools/hash.sh" -env "$1" | tail -n 1)
    case $hash in
        '$2'*) printf '%s' "$hash" ;;
        *) echo "start-production.sh: hash.sh gave no bcrypt hash; the node is not started." >&2; return 1 ;;
    esac
}

admin=$(hashed ADMIN_PASSWORD)
aspectra=$(hashed ENGINE_PASSWORD)

users=$home/config/opensearch-security/internal_users.yml
rm -f "$users"
(umask 077; cat > "$users") <<USERS
_meta:
  type: internalusers
  config_version: 2

admin:
  hash: "$admin"
  reserved: false
  backend_roles: [admin]

aspectra:
  hash: "$aspectra"
  reserved: false
USERS

# The node itself has no use for them.
unset ADMIN_PASSWORD ENGINE_PASSWORD
exec "$home/opensearch-docker-entrypoint.sh" "$@"
