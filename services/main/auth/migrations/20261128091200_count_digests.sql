-- The push that tells of it together with others.
alter table notification add column digest_id bigint;
