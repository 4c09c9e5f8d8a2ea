# Kills processes and servers under a load that the proof makes: sourced after load.sh, with SEED and KILL_EVERY_S
# set; KILLED says whom, in turn.

declare -A killed=() acted=()
kills=0
# The seed also determines the times, as far as a machine allows.
RANDOM=$SEED

placing() { running "$load" && ! grep -q '^proof: .* operations in' "$log"; }
half_a_turn() { pause "$(((KILL_EVERY_S / 2 + RANDOM % (KILL_EVERY_S + 1)) / 2))"; }
# A script may spare somebody for a while: may_kill NAME
may_kill() { :; }
kill_one() {
  local name=${KILLED[$((kills % ${#KILLED[@]}))]} victim
  may_kill "$name" || return 0
  victim=$(pid_of "$name.child") || return 0
  if running "$victim"; then
    kill -KILL "$victim" && kills=$((kills + 1)) && killed[$name]=$((${killed[$name]:-0} + 1))
    printf '\r[%s] %d kills' "$INSTANCE" "$kills"
  fi
}
act() { "$1" && acted[$1]=$((${acted[$1]:-0} + 1)); }

# Waits for the checks, says what was done, and fails with them.
end_load() {
  local name status=0
  echo
  wait "$load" || status=$?
  load=
  for name in "${!killed[@]}"; do echo "killed: $name ${killed[$name]} times"; done | sort
  for name in "${!acted[@]}"; do echo "done: ${name//_/ } ${acted[$name]} times"; done | sort
  say "$kills kills"
  # Faults are at the end of the output, which callers may truncate.
  grep -v ' WARN \| INFO ' "$log" | tail -n 60
  [ $status = 0 ] || fail "the proof failed with seed $SEED; see ${log#"$ROOT"/}"
}
