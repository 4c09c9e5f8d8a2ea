-- no-transaction
create index concurrently if not exists comment_like_by_member on comment_like (member_id);
