# Sourced in a new namespace: a machine without Cadastre, on which everything that an installation writes is in memory.
# The files of releases are in the directories OLD and NEW; BACKUPS outlives the machine.
mount --make-rprivate /
programs=$(dirname "${BASH_SOURCE[0]}")
for directory in /etc /usr/local/bin; do
  mount -t tmpfs tmpfs /mnt
  cp -a "$directory/." /mnt
  mount --move /mnt "$directory"
done
for directory in /opt /var/lib /var/backups /run; do mount -t tmpfs -o mode=755 tmpfs "$directory"; done
mkdir -p /etc/systemd/system /backups
mount --bind "$BACKUPS" /backups
export PATH=$programs:$PATH


# api <method> <path> [<curl's options>]: with the token in TOKEN.
api() {
  curl -sf -X "$1" "http://127.0.0.1:$PORT/api/$2" -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' "${@:3}"
}

# eventually_shows <path> <text>: within a minute and a half, as files of scripts are found within one.
eventually_shows() {
  for _ in $(seq 90); do
    if api GET "$1" 2>/dev/null | grep -qF "$2"; then return; fi
    sleep 1
  done 2>/dev/null
  return 1
}

# What the service has said, if a command fails.
set -E
trap 'tail -n 40 /run/test-systemd/*.log >&2' ERR
