-- no-transaction
create index concurrently if not exists picture_living_by_member on picture (member_id)
where removing_at is null;
