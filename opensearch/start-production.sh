#!/bin/bash
# Writes the engine's only user, then starts the node as the official image does.
# The file counts on the first start alone: later the users live in the engine's security index.
set -euo pipefail

: "${OPENSEARCH_INITIAL_ADMIN_PASSWORD:?must be set to the password of the user admin}"

home=${OPENSEARCH_HOME:-/usr/share/opensearch}
hash=$("$home/plugins/opensearch-security/tools/hash.sh" -env OPENSEARCH_INITIAL_ADMIN_PASSWORD | tail -n 1)
case $hash in
    '$2'*) ;;
    *) echo "start-production.sh: hash.sh gave no bcrypt hash; the node is not started." >&2; exit 1 ;;
esac

cat > "$home/config/opensearch-security/internal_users.yml" <<USERS
_meta:
  type: internalusers
  config_version: 2

admin:
  hash: "$hash"
  reserved: false
  backend_roles: [admin]
USERS

# The node itself has no use for it.
unset OPENSEARCH_INITIAL_ADMIN_PASSWORD
exec "$home/opensearch-docker-entrypoint.sh" "$@"
