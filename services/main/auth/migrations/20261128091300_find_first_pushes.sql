-- no-transaction
create index concurrently if not exists push_delivery_first on push_delivery (not_before, id)
where sent_at is null and (urgent or type = 'PRICE');
