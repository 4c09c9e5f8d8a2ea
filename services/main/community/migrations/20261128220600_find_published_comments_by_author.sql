-- no-transaction
create index concurrently if not exists comment_published_by_author
on comment (author_id, created_at desc, id desc)
where deleted_at is null and publication = 'PUBLISHED';
