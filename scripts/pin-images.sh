#!/bin/sh
# Asks the registry for the digest of every image that compose.yaml and the Dockerfiles name by tag, and prints an
# override for Compose that names them by digest:
#   scripts/pin-images.sh > compose.digests.yaml
# Look at what changed before you use a new one: a digest is worth as much as the look at the image behind it.
set -eu
cd "$(dirname "$0")/.."

pinned() {
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$1")
    case $digest in
        sha256:????????????????????????????????????????????????????????????????) printf '%s@%s' "$1" "$digest" ;;
        *) echo "pin-images.sh: no digest for $1." >&2; return 1 ;;
    esac
}

service_image() { sed -n "/^  $1:/,/^  [a-z]/s/^    image: //p" compose.yaml; }
base_image() { sed -n 's/^ARG BASE_IMAGE=//p' "$1"; }

broker=$(pinned "$(service_image broker)")
ledger=$(pinned "$(service_image ledger)")
engine=$(pinned "$(base_image opensearch/Dockerfile)")
app=$(pinned "$(base_image Dockerfile)")

cat <<OVERRIDE
# Made by scripts/pin-images.sh.
services:
  broker:
    image: $broker
  ledger:
    image: $ledger
  engine:
    build:
      args:
        BASE_IMAGE: $engine
  web: &app
    build:
      args:
        BASE_IMAGE: $app
  worker: *app
OVERRIDE
