-- no-transaction
create index concurrently if not exists notification_of_actor on notification (member_id, actor_id, id)
where actor_id is not null;
