-- no-transaction
create index concurrently if not exists notification_by_digest on notification (digest_id)
where digest_id is not null;
