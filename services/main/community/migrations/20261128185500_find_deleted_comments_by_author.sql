-- no-transaction
create index concurrently if not exists comment_deleted_by_author
on comment (author_id, deleted_at desc) where deleted_at is not null;
