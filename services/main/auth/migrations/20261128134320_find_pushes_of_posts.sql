-- no-transaction
create index concurrently if not exists push_delivery_of_post on push_delivery (link, id)
where notification_id is null and type in ('COMMENT', 'REPLY', 'LIKE');
