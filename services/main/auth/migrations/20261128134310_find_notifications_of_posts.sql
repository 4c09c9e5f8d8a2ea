-- no-transaction
create index concurrently if not exists notification_of_post on notification (link, id)
where type in ('COMMENT', 'REPLY', 'LIKE');
