#!/usr/bin/env bash
# Sends requests generated from the OpenAPI document, valid and invalid, to a separate installation:
# no server error, every response as documented, no change of another member's rows, and the books
# must add up. Environment: SEED, EXAMPLES (of an operation).
set -euo pipefail
export INSTANCE=fuzz DURABLE=no PROFILE=${PROFILE:-dev}
source "$(dirname "$0")/settings.sh"
HERE=$ROOT/deploy/local
VERSION=4.32.5
SEED=${SEED:-1}
EXAMPLES=${EXAMPLES:-25}
TOOL=$ROOT/.run/tools/schemathesis

"$HERE/install.sh" fuzz
if [ "$("$TOOL/bin/st" --version 2>/dev/null | grep -o '[0-9.]*$')" != $VERSION ]; then
  say "installing schemathesis $VERSION"
  rm -rf "$TOOL"
  /usr/bin/python3 -m venv "$TOOL"
  "$TOOL/bin/pip" install -q --disable-pip-version-check "schemathesis==$VERSION"
fi
[ "${BUILD:-yes}" = no ] || build_programs

trap '"$HERE/stack.sh" down >/dev/null 2>&1 || true' EXIT
trap 'exit 130' INT TERM
"$HERE/stack.sh" reset >/dev/null
# The limits per member would reject most requests.
export RATE_LIMIT_PER_SECOND=100000 RATE_LIMIT_PER_MINUTE=1000000 REFRESHES_PER_MINUTE=1000000
export HASHES_PER_MINUTE=1000000 JOINS_PER_HOUR=1000000
export ORDERS_PER_SECOND=100000 ORDERS_PER_MINUTE=1000000 AUDIT_EVERY_S=0
"$HERE/stack.sh" start
load_urls

api() { # METHOD PATH BODY [TOKEN]
  curl -fsS -X "$1" "$PUBLIC_ORIGIN/api/v1/$2" -H 'Content-Type: application/json' \
    ${4:+-H "Authorization: Bearer $4"} -d "$3"
}
field() { sed -E "s/.*\"$1\":\"?([^\",}]*).*/\1/"; }
join() { # EMAIL NICKNAME
  api POST auth/join "{\"email\":\"$1\",\"password\":\"correct horse battery\",\"nickname\":\"$2\",
    \"birthYear\":1999,\"termsAgreed\":true,\"privacyAgreed\":true,\"age14\":true}"
}

# A member whose token is used, and a victim with rows in every table.
caller=$(join caller@example.com 두드리는사람)
victim=$(join victim@example.com 가만있는사람)
caller_id=$(field memberSid <<<"$caller") caller_token=$(field accessToken <<<"$caller")
victim_id=$(field memberSid <<<"$victim") victim_token=$(field accessToken <<<"$victim")
order() { # MEMBER TOKEN PRICE QUANTITY
  api POST coin/order "{\"isuSrtCd\":\"KRW-BTC\",\"juPrc\":$3,\"juQty\":$4,\"memberSid\":$1,
    \"orderGb\":\"매수주문\",\"orderCategory\":\"COIN\",\"riskAck\":true}" "$2"
}
# One that fills, and one that waits far below every price.
order "$victim_id" "$victim_token" null 0.001 >/dev/null
victim_order=$(order "$victim_id" "$victim_token" 1000000 0.01 | field orderSid)
caller_order=$(order "$caller_id" "$caller_token" 1000000 0.01 | field orderSid)
api PUT member/stock-like "{\"memberSid\":$victim_id,\"targetCode\":\"005930\",\"like\":true,\"type\":\"STOCK\"}" "$victim_token" >/dev/null
api POST search/search "{\"memberSid\":$victim_id,\"searchTxt\":\"삼성\",\"type\":\"STOCK\"}" "$victim_token" >/dev/null
api PATCH "member/quizFilter/$victim_id" '{"quizFilter":{"themes":["환율"],"levels":["EASY"]}}' "$victim_token" >/dev/null

# Every row of every table that belongs to the victim, in one line.
rows_of_victim() {
  local name table column
  for name in $DATABASES; do
    while IFS='|' read -r table column; do
      psql -qAtX -v ON_ERROR_STOP=1 "$(database_url "$name" owner)" -c "
        select '$name.$table', count(*), md5(coalesce(string_agg(t::text, ',' order by t::text), ''))
        from \"$table\" t where $column"
    done < <(psql -qAtX "$(database_url "$name" owner)" -c "
      select table_name, case
        when bool_or(column_name = 'member_id') then 'member_id = $victim_id'
        when table_name = 'member' then 'id = $victim_id'
        else 'account_id in (select id from account where member_id = $victim_id)' end
      from information_schema.columns
      where table_schema = 'public' and (column_name in ('member_id', 'account_id') or table_name = 'member')
      group by table_name order by table_name")
  done
}
quiet() { [ "$(waiting_of_victim)" = 1 ]; }
waiting_of_victim() {
  curl -fsS -H "Authorization: Bearer $victim_token" "$PUBLIC_ORIGIN/api/v1/coin/wait/member/$victim_id" | grep -o '"orderSid"' | wc -l
}
wait_until "the victim's order to fill" 60 quiet || fail "the order at the market did not fill"
rows_of_victim >"$RUN/before.txt"
[ "$(wc -l <"$RUN/before.txt")" -gt 10 ] || fail "the victim has next to no rows"

run() { # ABOUT ORDER OPTIONS...
  local about=$1 order=$2
  shift 2
  FUZZ_CALLER=$caller_id FUZZ_ABOUT=$about FUZZ_ORDER=$order SCHEMATHESIS_HOOKS=hooks \
    PYTHONPATH=$HERE/schemathesis PYTHONDONTWRITEBYTECODE=1 \
    "$TOOL/bin/st" --config-file /dev/null run "$PUBLIC_ORIGIN/openapi.json" \
    -H "Authorization: Bearer $caller_token" --seed "$SEED" --generation-database none \
    --no-shrink --continue-on-failure --no-color --warnings off --workers 2 --request-timeout 20 "$@"
}
CHECKS=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
CHECKS+=,response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance
status=0
say "seed $SEED, about $EXAMPLES examples of every operation"
run "$caller_id" "$caller_order" --phases coverage,fuzzing --max-examples "$EXAMPLES" \
  --checks "$CHECKS,ignored_auth,nothing_of_another" --exclude-operation-id logout || status=1
say "about another member"
run "$victim_id" "$victim_order" --phases fuzzing --mode positive --max-examples 8 \
  --checks "$CHECKS,nothing_of_another" --exclude-operation-id logout || status=1
# Last, because it ends the session of the token. It takes an absent body for an empty one.
run "$caller_id" "$caller_order" --phases coverage,fuzzing --max-examples "$EXAMPLES" \
  --checks "${CHECKS/,negative_data_rejection/}" --include-operation-id logout || status=1

rows_of_victim >"$RUN/after.txt"
diff "$RUN/before.txt" "$RUN/after.txt" || { say "the rows of a member changed who did nothing"; status=1; }
if grep -l panicked "$RUN"/log/*.log; then say "a process panicked"; status=1; fi
"$HERE/process.sh" trading audit || status=1
[ $status = 0 ] || fail "found with SEED=$SEED; what is above says how to repeat a request"
say "nothing found"
