-- no-transaction
create index concurrently if not exists comment_unpublished_by_post
on comment (post_id, author_id, created_at, id)
where parent_id is null and deleted_at is null and publication <> 'PUBLISHED';
