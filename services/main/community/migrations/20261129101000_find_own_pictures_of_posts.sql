-- no-transaction
create index concurrently if not exists picture_of_post_itself
on picture (post_id) where post_id is not null and comment_id is null;
