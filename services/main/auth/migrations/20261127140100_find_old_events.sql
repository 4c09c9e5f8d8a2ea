-- no-transaction
create index concurrently if not exists inbox_by_time on inbox (received_at);
