#!/bin/sh
# What the tests need beside Python: git, a C compiler for the fault shim, a browser, PgBouncer, promtool, Node; with
# the word `clients`, git and Node alone; with `torture`, Patroni and etcd too. Missing tools are installed where that
# is possible; a suite that would be skipped for want of one fails instead.
set -eu
missing=""
command -v git >/dev/null 2>&1 || missing="$missing git"
command -v npm >/dev/null 2>&1 || missing="$missing nodejs npm"
if [ "${1:-}" != clients ]; then
  command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
  [ -x /usr/bin/chromium ] || missing="$missing chromium"
  [ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null 2>&1 || missing="$missing pgbouncer"
fi
if [ "${1:-}" = torture ]; then
  command -v patroni >/dev/null 2>&1 || missing="$missing patroni"
  command -v etcd >/dev/null 2>&1 || missing="$missing etcd-server"
fi
if [ -n "$missing" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing
  else
    echo "The tests need:$missing" >&2
    exit 1
  fi
fi
# promtool alone, out of Prometheus' package: to install that would start a server.
if [ "${1:-}" != clients ] && ! command -v promtool >/dev/null 2>&1 && [ ! -x "$(dirname "$0")/../build/promtool" ]; then
  mkdir -p "$(dirname "$0")/../build"
  (
    cd "$(dirname "$0")/../build"
    rm -f prometheus_*.deb
    apt-get -qq -o APT::Sandbox::User= download prometheus ||
      { apt-get update -qq && apt-get -qq -o APT::Sandbox::User= download prometheus; }
    dpkg-deb --fsys-tarfile prometheus_*.deb | tar -xO ./usr/bin/promtool >promtool.new
    rm prometheus_*.deb
    chmod +x promtool.new && mv promtool.new promtool
  )
fi
# Clients, conformance suite and inspector of MCP, and the Node that they and agent clients want: pinned in
# tests/node.
node="$(dirname "$0")/node"
if ! cmp -s "$node/package-lock.json" "$node/node_modules/.installed"; then
  npm ci --silent --fetch-retries=5 --prefix "$node"
  cp "$node/package-lock.json" "$node/node_modules/.installed"
fi
