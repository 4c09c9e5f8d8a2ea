#!/usr/bin/env bash
# Proves the community under faults: members write, change, delete, like, block, follow, report and read at once, while
# the community, its servers and its file store are killed in turn. In the end the rows must be what the responses
# said, every counter the number of its rows, and nothing of what was deleted may be seen. Environment: SEED, OPERATIONS,
# KILL_EVERY_S, KILLS_MIN.
set -euo pipefail
# Auth takes the events.
export INSTANCE=proofc DURABLE=yes ONLY_PROCESSES="auth community"
source "$(dirname "$0")/load.sh"
SEED=${SEED:-$(($(date +%s) % 100000))}
OPERATIONS=${OPERATIONS:-200000}
KILL_EVERY_S=${KILL_EVERY_S:-4}
KILLS_MIN=${KILLS_MIN:-20}
source "$HERE/killing.sh"
# Unoptimised programs get a smaller and shorter load.
if [ "$PROFILE" = dev ]; then SECONDS_MAX=${SECONDS_MAX:-90}; fi
KILLED=(community postgres community rabbitmq)
FILES_AWAY_S=4
own_servers "the proof kills its servers"

# The limits of writing would be those of the load.
export POSTS_PER_TEN_MINUTES=1000000 POSTS_PER_DAY=1000000 POSTS_ON_FIRST_DAY=1000000 COMMENTS_PER_MINUTE=1000000
export EDITS_PER_TEN_MINUTES=1000000 EDITS_PER_DAY=1000000

# A file in the place of the folder: nothing can be read or written below it, also by root.
lose_files() {
  local folder=$RUN/files
  mv -T "$folder" "$folder.away" || return 1
  if ! : >"$folder" 2>/dev/null; then
    # A picture was stored in between.
    cp -a "$folder/." "$folder.away/" && rm -rf "$folder" && mv -T "$folder.away" "$folder"
    return 1
  fi
  pause "$FILES_AWAY_S"
  rm -f "$folder" && mv -T "$folder.away" "$folder"
}

begin proofc
(
  # The message says more than the backtrace.
  export RUST_LOG=${PROOF_LOG:-warn} RUST_BACKTRACE=0
  DATABASE_URL=$(database_url community owner)
  export DATABASE_URL COMMUNITY_URL=http://127.0.0.1:${PORT[community]}
  export PROOF_SEED=$SEED PROOF_OPERATIONS=$OPERATIONS PROOF_SECONDS_MAX=${SECONDS_MAX:-3600}
  exec "$(binaries)/proof" community
) >"$log" 2>&1 &
load=$!
say "seed $SEED, $OPERATIONS operations, a kill -9 about every $KILL_EVERY_S s; the log is ${log#"$ROOT"/}"

until begun; do sleep 0.2; done
turns=0
while placing; do
  half_a_turn
  placing || break
  kill_one
  half_a_turn
  turns=$((turns + 1))
  if [ $((turns % 3)) = 0 ] && placing; then act lose_files || true; fi
done
end_load
[ "$kills" -ge "$KILLS_MIN" ] || fail "only $kills kills: more OPERATIONS, or a smaller KILL_EVERY_S"
