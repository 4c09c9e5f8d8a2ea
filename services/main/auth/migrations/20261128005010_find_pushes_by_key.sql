-- no-transaction
create index concurrently if not exists push_delivery_by_key on push_delivery (member_id, collapse_key);
