-- no-transaction
create index concurrently if not exists upload_count_by_day on upload_count (day);
