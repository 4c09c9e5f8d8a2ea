import assert from 'node:assert/strict';
import test from 'node:test';
import { lint, statements } from './expand-only.mjs';

const problems = (sql) => lint([{ file: 'm.sql', sql }]);

test('what only adds passes', () => {
  for (const sql of [
    'create table badge (id bigint primary key, name text not null unique, check (id > 0))',
    'alter table member add column badge_id bigint references badge (id)',
    "alter table member add column level text not null default 'NEW' check (level in ('NEW', 'OLD'))",
    'alter table member add column born date, add column price numeric(28, 8) not null default 0',
    'alter table member add column day int not null generated always as (1) stored',
    'create index concurrently member_by_level on member (level) where level is not null',
    "comment on column member.level is 'drop table; rename it'",
    'create function level_of(member bigint) returns text language plpgsql as $$ begin delete from x; drop table y; end $$',
    "insert into kind (code) values ('SPLIT')",
    'grant select on badge to seedup_auth_app',
    "alter type side add value 'SHORT'",
    'alter table member alter column level set default 3',
    "set local maintenance_work_mem = '256MB'",
  ]) assert.deepEqual(problems(sql), [], sql);
});

test('what the last release would miss or break on is refused', () => {
  for (const sql of [
    'drop table member',
    'DROP INDEX order_not_taken',
    'drop function write_trading(jsonb)',
    'alter table member drop column nickname',
    'alter table member drop nickname',
    'alter table member add column a int, drop if exists nickname',
    'alter table member drop constraint member_pkey',
    'alter table member alter column level drop default',
    'alter table member alter column level drop not null',
    'alter table member rename column nickname to name',
    'alter table member rename to person',
    'alter table member alter column id type uuid',
    'alter table member alter id set data type uuid',
    'alter table member alter column level set not null',
    'alter table member add constraint positive check (id > 0)',
    'alter table member add unique (nickname)',
    'alter table member add column email text not null',
    'alter table member add column born date, add column email text not null check (email <> (lower(email)))',
    'alter table member add column email text unique',
    'create unique index on member (nickname)',
    'create trigger t before update on member for each row execute function f()',
    'create or replace function write_trading(doc jsonb) returns void language sql as $$ select $$',
    'revoke insert on member from seedup_auth_app',
    'delete from member',
    'truncate member',
    'update member set nickname = null',
    'alter type side rename value',
    'do $$ begin alter table member drop column nickname; end $$',
    'alter table member set schema old',
    'set session_replication_role = replica',
    'alter table member enable row level security',
  ]) assert.equal(problems(sql).length > 0, true, sql);
});

test('what is newer than the release may change', () => {
  const sql = `create table badge (id bigint);
    alter table badge add column name text not null;
    alter table badge add constraint named check (name <> '');
    create unique index badge_name on badge (name);
    update badge set name = 'x';
    create trigger t before update on badge for each row execute function f();
    revoke update, delete on badge from seedup_auth_app;`;
  assert.deepEqual(problems(sql), []);
  const later = [{ file: '1.sql', sql: 'create table badge (id bigint);' }, { file: '2.sql', sql: 'drop table badge;' }];
  assert.deepEqual(lint(later), []);
  assert.equal(lint(later.reverse()).length, 1);
});

test('a reason allows the one statement below it', () => {
  const sql = `-- contract: no release reads it since 1.4.
    alter table member drop column nickname;
    alter table member drop column age;`;
  assert.deepEqual(problems(sql), ['m.sql:3: drops part of a table; the last release still runs on this schema (-- contract: REASON or -- compatible: REASON allows it)']);
  assert.deepEqual(problems('-- compatible: it only counts.\ncreate trigger t after insert on member for each row execute function f();'), []);
  assert.equal(problems('-- contract:\nalter table member drop column age;').length, 1);
  assert.equal(problems('alter table member -- contract: in the middle\n drop column age;').length, 1);
});

test('statements end where PostgreSQL ends them', () => {
  const sql = "select ';' /* ; */; -- ;\n select $a$ ; $$ ; $a$; select a - 1 / 2, 'it''s ;'";
  assert.deepEqual(statements(sql).map(({ text, line }) => [text.trim(), line]), [
    ["select ';'", 1],
    ['select $a$ ; $$ ; $a$', 2],
    ["select a - 1 / 2, 'it''s ;'", 2],
  ]);
});

test('what keeps members waiting while a table is read or written from end to end is refused', () => {
  for (const sql of [
    'create index member_by_level on member (level)',
    'create unique index on member (nickname)',
    'alter table member add constraint positive check (id > 0)',
    'alter table member add constraint of_level foreign key (level) references level (id), drop column born',
    'alter table member add primary key (id)',
    "update member set level = 'NEW'",
    'delete from member where id = 1',
  ]) {
    assert.match(problems(`-- compatible: nobody minds.\n${sql}`).join(), /stops|locks/, sql);
    assert.deepEqual(problems(`-- compatible: nobody minds.\n-- small: ten rows.\n${sql}`), [], sql);
  }
});

test('what is done in steps passes', () => {
  for (const sql of [
    'create unique index concurrently member_by_name on member (nickname)',
    'alter table member add constraint positive check (id > 0) not valid',
    'alter table member validate constraint positive',
    'alter table member add constraint named unique using index member_by_name',
    'call fill_levels(1000)',
  ]) assert.deepEqual(problems(`-- compatible: nobody minds.\n${sql}`), [], sql);
});
