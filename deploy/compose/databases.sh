#!/bin/bash
# Runs once, when PostgreSQL's data folder is new: a database and two roles for each owner. The
# process may read and write rows; only the owner may change tables.
set -euo pipefail
# The metrics exporter can read statistics but no rows.
psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres <<SQL
  create role seedup_monitor login password '$(cat /run/secrets/postgres-monitor)' in role pg_monitor;
SQL
for name in auth trading market education community; do
  psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres <<SQL
    create role seedup_${name}_owner login password '$(cat "/run/secrets/postgres-$name-owner")';
    create role seedup_${name}_app login password '$(cat "/run/secrets/postgres-$name-app")';
    create database seedup_$name owner seedup_${name}_owner template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8';
SQL
  psql -v ON_ERROR_STOP=1 --username postgres --dbname "seedup_$name" <<SQL
    alter schema public owner to seedup_${name}_owner;
    grant usage on schema public to seedup_${name}_app;
    alter default privileges for role seedup_${name}_owner in schema public grant select, insert, update, delete on tables to seedup_${name}_app;
    alter default privileges for role seedup_${name}_owner in schema public grant usage, select on sequences to seedup_${name}_app;
    alter default privileges for role seedup_${name}_owner in schema public grant execute on functions to seedup_${name}_app;
SQL
done
