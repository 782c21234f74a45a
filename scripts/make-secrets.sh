#!/bin/sh
# Makes the passwords that compose.yaml mounts, each 256 random bits in a file of its own; one that is there stays.
# Usage, as root: make-secrets.sh FOLDER
set -eu
umask 077

folder=${1:?the folder for the passwords}
mkdir -p "$folder"
cd "$folder"

for name in engine-admin-password engine-password broker-password ledger-password; do
    if [ ! -e "$name" ]; then
        openssl rand -hex 32 > "$name.new"
        # The group of the application's image, which the stores are given too: each sees only what is mounted for it.
        if [ "$(id -u)" -eq 0 ]; then chown 0:10001 "$name.new"; fi
        chmod 0640 "$name.new"
        mv "$name.new" "$name"
    fi
done
