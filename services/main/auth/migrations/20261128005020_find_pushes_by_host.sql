-- no-transaction
create index concurrently if not exists push_send_by_host on push_send (kind, host, urgent desc, next_try_at, id);
