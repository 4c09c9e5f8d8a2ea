-- no-transaction
create index concurrently if not exists comment_shown_by_post
on comment (post_id, created_at, id)
where parent_id is null
    and (reply_count > 0 or deleted_at is null and publication = 'PUBLISHED');
