#!/usr/bin/env bash
# Checks the consistency of the databases and the rights of the running roles: check.sh
# Reads BACKUP_{TRADING,MARKET,AUTH}_URL (owners), and BACKUP_EDUCATION_URL and BACKUP_COMMUNITY_URL where there is one; prints what is wrong, and fails then.
set -euo pipefail
shopt -s inherit_errexit

sql() { psql -qAtX -v ON_ERROR_STOP=1 "$@"; }
# Runs a query in one database that knows the members of the other: with_members URL QUERY
with_members() {
  sql "$BACKUP_AUTH_URL" -c "copy (select id from member) to stdout" |
    sql "$1" -c "create temporary table known_member (id bigint primary key)" -c "copy known_member from stdin" -c "$2"
}
# Numbers above this one are those of members to come.
given_out=$(sql "$BACKUP_AUTH_URL" -c "select coalesce(last_value, start_value - 1) from pg_sequences where sequencename = 'member_id_seq'")
# Rows of a table whose member does not exist, or will be somebody who joins: members_of TABLE
members_of() {
  echo "select '$1: member ' || t.member_id || case when t.member_id > $given_out
      then ' will be given out' else ' does not exist' end
    from (select distinct member_id from $1) t left join known_member k on k.id = t.member_id
    where k.id is null or t.member_id > $given_out"
}
# A table that only grows has a trigger that says so; the running role must lack the right as well.
rights_of() {
  echo "select c.relname || ': ' || wrong.what from pg_class c, lateral (
      select r.rolname || ' may change what only grows' as what from pg_roles r
      where r.rolname = 'seedup_$1_app' and has_table_privilege(r.oid, c.oid, 'update, delete, truncate')
        and exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = c.oid and p.proname = 'refuse_change_of_history')
      union all
      select r.rolname || ' cannot read it' from pg_roles r
      where r.rolname = 'seedup_$1_app' and not has_table_privilege(r.oid, c.oid, 'select')
      union all
      select 'belongs to ' || pg_get_userbyid(c.relowner)
      where pg_get_userbyid(c.relowner) <> 'seedup_$1_owner') wrong
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    union all
    select 'schema public: seedup_$1_app may make tables'
    where has_schema_privilege('seedup_$1_app', 'public', 'create')
    union all
    select 'default rights: seedup_$1_app could not read a new table'
    where not exists (select from pg_default_acl where defaclacl::text like '%seedup_$1_app=arwd%')"
}

found=$(
  with_members "$BACKUP_TRADING_URL" "$(members_of account)"
  for table in item_like product_like search_history item_opening item_holder sise_member; do
    with_members "$BACKUP_MARKET_URL" "$(members_of $table)"
  done
  if [ -n "${BACKUP_EDUCATION_URL:-}" ]; then
    with_members "$BACKUP_EDUCATION_URL" "$(members_of student)"
    sql "$BACKUP_EDUCATION_URL" -c "$(rights_of education)"
  fi
  if [ -n "${BACKUP_COMMUNITY_URL:-}" ]; then
    for table in post_like follow block report; do with_members "$BACKUP_COMMUNITY_URL" "$(members_of $table)"; done
    sql "$BACKUP_COMMUNITY_URL" -c "$(rights_of community)"
  fi
  sql "$BACKUP_TRADING_URL" -c "$(rights_of trading)"
  sql "$BACKUP_MARKET_URL" -c "$(rights_of market)"
  sql "$BACKUP_AUTH_URL" -c "$(rights_of auth)"
)
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
