-- no-transaction
create index concurrently if not exists push_delivery_of_actor on push_delivery (member_id, actor_id, id)
where notification_id is null and actor_id is not null;
