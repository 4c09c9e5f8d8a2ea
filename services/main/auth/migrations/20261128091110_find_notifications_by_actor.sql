-- no-transaction
create index concurrently if not exists notification_by_actor on notification (member_id, actor_id)
where actor_id is not null;
