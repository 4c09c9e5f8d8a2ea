-- no-transaction
create index concurrently if not exists push_delivery_by_actor on push_delivery (member_id, actor_id)
where actor_id is not null;
