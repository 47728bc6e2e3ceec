#!/usr/bin/env bash
# Installs the programs that tests use when they are there, on Debian and Ubuntu, as root. Elsewhere it does nothing.
set -euo pipefail

# Installs Debian packages, unless the commands or files that they bring are there. The tests that want them say so and are left
# out where they cannot be installed.
want() {
  local found=$1
  shift
  if eval "$found" >/dev/null 2>&1 || ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then return; fi
  if [ -z "${updated:-}" ]; then apt-get update -qq >/dev/null || true; fi
  updated=yes
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || true
}

# Shared rate limits want a real Redis.
want 'command -v redis-server' redis-server
# The store is tried through a pooler too.
want 'command -v pgbouncer' pgbouncer
# The registry has a Chromium for x64 only. The headless shell runs the tests in half of the time; a few need the whole browser.
if [ "$(uname -m)" != x86_64 ]; then want 'command -v chromium-headless-shell' chromium chromium-headless-shell; fi
# SEPA files are validated with the official schema, which Debian's HBCI library brings along.
want '[ -e /usr/share/java/hbci4j-core.jar ] && command -v xmllint && command -v unzip' libhbci4j-core-java libxml2-utils unzip
# Statements are read back from their PDFs.
want 'command -v pdftotext' poppler-utils
# Link hosts get their certificates through it.
want 'command -v caddy' caddy
# A site's own proxy can pass on what its tracker reports.
want 'command -v nginx' nginx-light
# The clients, and what is generated from the API description, run in their own languages.
want 'command -v php && command -v ruby && command -v go && command -v python3' php-cli ruby golang-go python3
# Books are checked by the programs that they are exported for.
want 'command -v bean-check && command -v hledger' beancount hledger
