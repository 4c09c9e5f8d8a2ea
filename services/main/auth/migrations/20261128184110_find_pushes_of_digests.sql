-- no-transaction
create index concurrently if not exists push_delivery_by_digest on push_delivery (digest_id)
where digest_id is not null;
