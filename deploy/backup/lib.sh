# Shared by the scripts of this folder; not run by itself. Settings: backup.env.example.
set -euo pipefail
umask 077

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}
say() { echo "$(date -u +%H:%M:%SZ) $(basename "$0"): $*"; }

BACKUP_ENV=${BACKUP_ENV:-/etc/chekan/backup.env}
[ -r "$BACKUP_ENV" ] || fail "$BACKUP_ENV cannot be read (BACKUP_ENV names another file)"
set -a
# shellcheck disable=SC1090
. "$BACKUP_ENV"
set +a

: "${BACKUP_TO:?where the copies go: a folder, ssh://user@host/folder or rclone:remote:bucket/folder}"
: "${BACKUP_DATABASE:?address of PostgreSQL for a role with REPLICATION}"
BACKUP_SLOT=${BACKUP_SLOT:-chekan_backup}
BACKUP_SPOOL=${BACKUP_SPOOL:-/var/lib/chekan-backup/wal}
BACKUP_KEEP_DAYS=${BACKUP_KEEP_DAYS:-30}
BACKUP_SHIP_SECONDS=${BACKUP_SHIP_SECONDS:-20}
BACKUP_SPOOL_MB=${BACKUP_SPOOL_MB:-2048}
BACKUP_RESERVE_MB=${BACKUP_RESERVE_MB:-2048}
BACKUP_PG_USER=${BACKUP_PG_USER:-postgres}

# An address without its password: arguments of a program can be read by every account of the machine, its environment cannot.
without_password() { sed -E 's#^(postgres(ql)?://[^:/@]*):[^@/]*@#\1@#' <<<"$1"; }
password_in() {
	local encoded
	encoded=$(sed -nE 's#^postgres(ql)?://[^:/@]*:([^@/]*)@.*#\2#p' <<<"$1")
	encoded=${encoded//\\/\\\\}
	printf '%b' "${encoded//%/\\x}"
}
if [ -n "$(password_in "$BACKUP_DATABASE")" ]; then
	PGPASSWORD=$(password_in "$BACKUP_DATABASE")
	export PGPASSWORD
	BACKUP_DATABASE=$(without_password "$BACKUP_DATABASE")
fi

newest_postgresql() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
PG_BIN=${PG_BIN:-$(newest_postgresql)}
[ -n "$PG_BIN" ] && PATH="$PG_BIN:$PATH"
command -v pg_basebackup >/dev/null || fail "pg_basebackup is missing: apt-get install postgresql, or set PG_BIN"

# --- encryption: age where it has a recipient, else openssl with a file that holds a long random line

for key in "${BACKUP_KEY_FILE:-}" "${BACKUP_AGE_IDENTITY:-}"; do
	if [ -e "$key" ] && [ -n "$(find -L "$key" -maxdepth 0 -perm /077)" ]; then
		fail "$key can be read by others than its owner, and with it every copy: chmod 600 $key"
	fi
done

seal() {
	if [ -n "${BACKUP_AGE_RECIPIENT:-}" ]; then
		age -r "$BACKUP_AGE_RECIPIENT"
	else
		openssl enc -aes-256-cbc -pbkdf2 -iter 100000 -salt -pass "file:${BACKUP_KEY_FILE:?BACKUP_AGE_RECIPIENT or BACKUP_KEY_FILE}"
	fi
}
unseal() {
	if [ -n "${BACKUP_AGE_RECIPIENT:-}" ]; then
		age -d -i "${BACKUP_AGE_IDENTITY:?the private key, needed to restore}"
	else
		openssl enc -d -aes-256-cbc -pbkdf2 -iter 100000 -pass "file:${BACKUP_KEY_FILE:?BACKUP_AGE_RECIPIENT or BACKUP_KEY_FILE}"
	fi
}

# A folder whose mount is lost, here or on the machine behind ssh, or which has another disk now, gets nothing: the copies would fill the
# disk below it, and a proof would find them there. At its first use the folder gets a file with a number, which this machine remembers. A
# bucket has no mount, and a lifecycle rule would delete the file.
place_known="$BACKUP_SPOOL/.place"
is_same_place() {
	local number
	case "$BACKUP_TO" in rclone:*) return ;; esac
	if [ "$(sed -n 2p "$place_known" 2>/dev/null)" = "$BACKUP_TO" ]; then
		number=$(at_place "file='$PLACE/.chekan-backup'; cat \"\$file\" 2>/dev/null || true") || return 1
		if [ -n "$number" ] && [ "$number" = "$(sed -n 1p "$place_known")" ]; then return; fi
		echo "$(basename "$0"): $BACKUP_TO is not the folder that had the copies before: is it mounted?" \
			"Nothing is written there. If another folder is meant: rm $place_known" >&2
		return 1
	fi
	mkdir -p "$BACKUP_SPOOL" || return 1
	# Locked: two scripts that begin at once agree on one number. A full disk may have left an empty file.
	(
		flock 8 || exit 1
		number=$(od -An -N8 -tx1 /dev/urandom | tr -d ' ') || exit 1
		number=$(at_place "umask 077; file='$PLACE/.chekan-backup'; mkdir -p '$PLACE' || exit 1
			[ -s \"\$file\" ] || { echo $number > \"\$file.tmp\" && sync \"\$file.tmp\" && mv \"\$file.tmp\" \"\$file\" || exit 1; }
			cat \"\$file\"") && [ -n "$number" ] || exit 1
		printf '%s\n%s\n' "$number" "$BACKUP_TO" >"$place_known.tmp" && sync "$place_known.tmp" && mv "$place_known.tmp" "$place_known"
	) 8>"$place_known.lock"
}

# --- the other place: put NAME < bytes, get NAME > bytes, list FOLDER, drop NAME. A name never shows an unfinished file: a list may have it
# as NAME.tmp. Callers that handle a failure switch `set -e` off for everything below them, so each step here depends on the one before.

case "$BACKUP_TO" in
ssh://*)
	rest=${BACKUP_TO#ssh://}
	SSH_HOST=${rest%%/*}
	SSH_ROOT=/${rest#*/}
	# shellcheck disable=SC2086
	remote() { ssh -o BatchMode=yes -o ConnectTimeout=10 ${BACKUP_SSH_OPTIONS:-} -o ServerAliveInterval=15 "ssh://$SSH_HOST" "$@"; }
	PLACE=$SSH_ROOT
	at_place() { remote "$1" </dev/null; }
	put() {
		local at="$SSH_ROOT/$1" sizes
		is_same_place || return 1
		# A lost connection is an end of file over there: the name is given by a second call, when as many bytes have arrived as were sent.
		# The new file is not the one that a lost connection may still write to.
		sizes=$({
			{ tee /dev/fd/4 | wc -c >&5; } 4>&1 |
				remote "umask 077 && mkdir -p '$(dirname "$at")' && rm -f '$at.tmp' && cat > '$at.tmp' && sync '$at.tmp' && wc -c < '$at.tmp'" >&5
		} 5>&1) || return 1
		[ "${sizes%%$'\n'*}" = "${sizes##*$'\n'}" ] && remote "mv '$at.tmp' '$at'" </dev/null
	}
	get() { remote "cat '$SSH_ROOT/$1'" </dev/null; }
	list() {
		remote "if [ -d '$SSH_ROOT/$1' ]; then cd '$SSH_ROOT/$1' && find . -ignore_readdir_race -type f -printf '%P\n'; fi" </dev/null
	}
	drop() { is_same_place && remote "rm -rf '$SSH_ROOT/$1'" </dev/null; }
	;;
rclone:*)
	command -v rclone >/dev/null || fail "rclone is missing: apt-get install rclone"
	RCLONE_ROOT=${BACKUP_TO#rclone:}
	put() { rclone -q rcat "$RCLONE_ROOT/$1"; }
	get() { rclone -q cat "$RCLONE_ROOT/$1"; }
	# 3: there is no such folder
	list() { rclone -q lsf -R --files-only "$RCLONE_ROOT/$1" || [ $? -eq 3 ]; }
	drop() { rclone -q deletefile "$RCLONE_ROOT/$1" 2>/dev/null || rclone -q purge "$RCLONE_ROOT/$1" 2>/dev/null || true; }
	;;
*)
	PLACE=$BACKUP_TO
	at_place() { sh -c "$1"; }
	put() {
		local at="$BACKUP_TO/$1"
		is_same_place || return 1
		mkdir -p "$(dirname "$at")" && cat >"$at.tmp" && sync "$at.tmp" && mv "$at.tmp" "$at" && return
		rm -f "$at.tmp"
		return 1
	}
	get() { cat "$BACKUP_TO/$1"; }
	list() { if [ -d "$BACKUP_TO/$1" ]; then (cd "$BACKUP_TO/$1" && find . -ignore_readdir_race -type f -printf '%P\n'); fi; }
	drop() { is_same_place && rm -rf "${BACKUP_TO:?}/$1"; }
	;;
esac

# PostgreSQL refuses to run as root.
as_postgres() {
	if [ "$(id -u)" = 0 ]; then runuser -u "$BACKUP_PG_USER" -- "$@"; else "$@"; fi
}

# Segments are compared without their timeline: the last 16 of 24 digits.
position() { echo "${1:8:16}"; }
