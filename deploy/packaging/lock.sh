#!/usr/bin/env bash
# Writes the two lists of exact versions, with the hashes of their files, for all supported Pythons and platforms:
#
#   deploy/constraints.txt      what a server is run with, [oidc] included: the newest versions that the ranges allow
#   deploy/constraints-dev.txt  what it is developed and tested with: gRPC and protobuf at the floor of those ranges
#
# The checks run with both, so that both ends of the ranges are tried. Needs uv. Run it to take up new releases.
set -euo pipefail
cd "$(dirname "$0")/../.."

lock() {
  uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade --quiet \
    --custom-compile-command deploy/packaging/lock.sh "$@"
}

lock --output-file deploy/constraints.txt --extra oidc
lock --output-file deploy/constraints-dev.txt --extra dev --constraint /dev/stdin <<FLOOR
grpcio==1.76.0
grpcio-health-checking==1.76.0
grpcio-reflection==1.76.0
grpcio-status==1.76.0
protobuf==6.32.1
FLOOR
