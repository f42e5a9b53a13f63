#!/usr/bin/env bash
# Installs an unmodified pynetbox into a virtual environment and runs its suite against a fresh server.
# Extra arguments go to pytest. CLIENT_VENV keeps the environment between runs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
venv=${CLIENT_VENV:-$(mktemp -d)/venv}
[ -x "$venv/bin/pytest" ] || { python3 -m venv "$venv"; "$venv/bin/pip" install --quiet -r test/clients/pynetbox/requirements.txt; }

data=$(mktemp -d)
export CADASTRE_USER=admin CADASTRE_PASSWORD=admin CADASTRE_TOKEN=0123456789abcdef0123456789abcdef01234567
port=${CLIENT_PORT:-$((20000 + RANDOM % 20000))}
export CADASTRE_URL=http://127.0.0.1:$port
HOST=127.0.0.1 PORT=$port DATA_DIR=$data SUPERUSER_NAME=$CADASTRE_USER SUPERUSER_PASSWORD=$CADASTRE_PASSWORD \
  SUPERUSER_API_TOKEN=$CADASTRE_TOKEN node_modules/.bin/node src/cli/main.ts serve >"$data/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$data"' EXIT

for _ in $(seq 1 120); do
  curl -fsS -o /dev/null -H "Authorization: Token $CADASTRE_TOKEN" "$CADASTRE_URL/api/status/" 2>/dev/null && break
  kill -0 $server 2>/dev/null || { cat "$data/server.log"; exit 1; }
  sleep 0.5
done
"$venv/bin/pytest" -q -p no:cacheprovider test/clients/pynetbox "$@"
