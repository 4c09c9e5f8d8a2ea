-- no-transaction
create index concurrently if not exists post_mute_by_member on post_mute (member_id);
