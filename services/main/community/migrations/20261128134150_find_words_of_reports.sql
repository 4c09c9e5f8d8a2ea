-- no-transaction
create index concurrently if not exists report_with_words on report (member_id) where text <> '';
