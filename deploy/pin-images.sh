#!/bin/sh
# The images of compose.yaml by digest, one a line, as `docker compose --env-file` reads them. A name without a digest is whatever it is today.
set -eu
for pair in PYTHON_IMAGE=python:3.11-slim-bookworm POSTGRES_IMAGE=postgres:15-bookworm REDIS_IMAGE=redis:7-bookworm; do
  name=${pair#*=}
  digest=$(docker buildx imagetools inspect "$name" --format '{{.Manifest.Digest}}')
  case $digest in
    sha256:*) echo "${pair%%=*}=$name@$digest" ;;
    *) echo "no digest for $name: $digest" >&2; exit 1 ;;
  esac
done
