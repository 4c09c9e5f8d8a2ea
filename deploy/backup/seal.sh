# Shared by the scripts of this folder; sourced. Written files are readable by their owner only.
#
#   BACKUP_PASSPHRASE_FILE   encrypts what is kept and decrypts what is read (gpg, AES-256 with a
#                            check of integrity); without it files are kept as they are

umask 077
PGBIN=${PGBIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)}
PATH=${PGBIN:+$PGBIN:}$PATH
BACKUP_PASSPHRASE_FILE=${BACKUP_PASSPHRASE_FILE:-}

# Who gives out a number that others keep is saved after them: members last, instruments and
# dividends before them. Otherwise what came in between would belong to the next who gets the number.
# Points that education has granted are credited in trading once for each key: credits without a grant
# do no harm, so education is saved before.
SAVED_DATABASES="community education trading market auth"

wrong() { echo "backup: $*" >&2; exit 1; }

if [ -n "$BACKUP_PASSPHRASE_FILE" ]; then
  [ -s "$BACKUP_PASSPHRASE_FILE" ] || wrong "there is no passphrase in $BACKUP_PASSPHRASE_FILE"
  command -v gpg >/dev/null || wrong "gpg is missing"
fi

# gpg with a home of its own, whose agent ends with it.
gpg_alone() (
  home=$(mktemp -d)
  trap 'gpgconf --homedir "$home" --kill all 2>/dev/null; rm -rf "$home"' EXIT
  gpg --homedir "$home" --batch --quiet --no-tty --pinentry-mode loopback \
    --passphrase-file "$BACKUP_PASSPHRASE_FILE" "$@"
)

# Writes standard input to FILE, or to FILE.gpg: keep FILE
keep() {
  if [ -z "$BACKUP_PASSPHRASE_FILE" ]; then cat >"$1"
  else gpg_alone --symmetric --cipher-algo AES256 --s2k-digest-algo SHA512 --s2k-count 65011712 --compress-algo none --output "$1.gpg"; fi
}

# Writes what was kept as FILE to standard output: reveal FILE
reveal() {
  if [ -e "$1" ]; then cat "$1"
  elif [ ! -e "$1.gpg" ]; then wrong "there is no ${1##*/}"
  elif [ -z "$BACKUP_PASSPHRASE_FILE" ]; then wrong "it is encrypted: BACKUP_PASSPHRASE_FILE must name the file with its passphrase"
  else gpg_alone --decrypt "$1.gpg" || wrong "${1##*/} cannot be decrypted: another passphrase, or damaged"; fi
}
