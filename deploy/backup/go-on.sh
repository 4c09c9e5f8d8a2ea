#!/usr/bin/env bash
# Prepares restored databases to continue after the backup: go-on.sh
# Reads BACKUP_{TRADING,MARKET,AUTH}_URL (owners), and BACKUP_EDUCATION_URL and BACKUP_COMMUNITY_URL where there is one. Ids issued and mails sent since the backup are
# unknown, so they must not be issued or sent again.
set -euo pipefail
shopt -s inherit_errexit

sql() { psql -qAtX -v ON_ERROR_STOP=1 "$@" >/dev/null; }
# Clients and tokens may still name members and orders created after the backup, so ids are skipped.
for url in "$BACKUP_TRADING_URL" "$BACKUP_MARKET_URL" "$BACKUP_AUTH_URL" ${BACKUP_EDUCATION_URL:+"$BACKUP_EDUCATION_URL"} ${BACKUP_COMMUNITY_URL:+"$BACKUP_COMMUNITY_URL"}; do
  sql "$url" -c "select setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value) + 10000000)
    from pg_sequences where schemaname = 'public'"
done
# Events that were on their way are gone with the broker's data. Who holds what is therefore taken from
# the books, and a fill that is still going to be told of counts as heard.
copy() { # FROM QUERY TO TABLE-AND-COLUMNS [BEFORE]
  sql_out "$1" "copy ($2) to stdout" | sql "$3" -1 ${5:+-c "$5"} -c "copy $4 from stdin"
}
sql_out() { psql -qAtX -v ON_ERROR_STOP=1 "$1" -c "$2"; }
copy "$BACKUP_TRADING_URL" "select 'market.holders', event_id, now() from outbox where event_type in ('trading.order.filled.v1', 'trading.holding.ended.v1')" \
  "$BACKUP_MARKET_URL" "inbox (consumer, event_id, received_at)" "delete from inbox where consumer = 'market.holders'"
copy "$BACKUP_TRADING_URL" "select member_id, instrument_code, sum(quantity) from holding group by 1, 2 having sum(quantity) > 0" \
  "$BACKUP_MARKET_URL" "item_holder (member_id, code, quantity)" "delete from item_holder"

# What waits to be sent is sent; nobody waits any more for what was asked for an hour ago.
sql "$BACKUP_AUTH_URL" -c "update mail set dead_at = now(), last_error = 'too old when a backup was restored'
  where dead_at is null and asked_at < now() - interval '1 hour'"
psql -qAtX -v ON_ERROR_STOP=1 "$BACKUP_AUTH_URL" -c "select 'sessions that go on: ' || (select count(*) from session where ended_at is null)
  || '; mails that are sent now: ' || (select count(*) from mail where dead_at is null)"
