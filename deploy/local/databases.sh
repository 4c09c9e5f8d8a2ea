# The databases of an installation and the roles that use them: sourced after load_urls.
# Each owner has two roles: the running process may read and write rows, only the owner may change
# tables.

admin_sql() { PGOPTIONS="-c client_min_messages=warning" psql -qAtX -v ON_ERROR_STOP=1 "$SERVER_DATABASE_URL" "$@"; }

# Makes what is not there, and sets the passwords of this installation.
create_databases() {
  local name role
  for name in $DATABASES; do
    for role in owner app; do
      admin_sql -c "do \$\$ begin
          if not exists (select from pg_roles where rolname = 'seedup_${name}_$role') then create role seedup_${name}_$role login; end if;
        end \$\$" -c "alter role seedup_${name}_$role password '$(secret "pg-$name-$role")'"
    done
    if [ -z "$(admin_sql -c "select 1 from pg_database where datname = '$(database_name "$name")'")" ]; then
      admin_sql -c "grant seedup_${name}_owner to current_user" \
        -c "create database $(database_name "$name") owner seedup_${name}_owner template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'"
    fi
  done
}

# For tables to come. Where tables are restored it comes after them: a table that only grows was
# given fewer rights, and would be restored with these on top.
grant_to_processes() {
  local name
  for name in $DATABASES; do
    psql -qAtX -v ON_ERROR_STOP=1 "$(database_url "$name" owner)" \
      -c "grant usage on schema public to seedup_${name}_app" \
      -c "alter default privileges in schema public grant select, insert, update, delete on tables to seedup_${name}_app" \
      -c "alter default privileges in schema public grant usage, select on sequences to seedup_${name}_app" \
      -c "alter default privileges in schema public grant execute on functions to seedup_${name}_app"
  done
}
