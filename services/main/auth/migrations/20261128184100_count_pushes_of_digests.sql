-- The push that tells of it together with others: what is in no inbox, and is not sent by itself.
alter table push_delivery add column digest_id bigint;
