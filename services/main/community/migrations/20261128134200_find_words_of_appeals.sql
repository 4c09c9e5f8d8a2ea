-- no-transaction
create index concurrently if not exists appeal_with_words on appeal (member_id) where text <> '';
