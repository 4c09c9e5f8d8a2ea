-- no-transaction
create index concurrently if not exists picture_in_use_below_post
on picture (post_id) where comment_id is not null and unused_since is null;
