-- no-transaction
-- Built beside the writers of the largest table.
create index concurrently if not exists refresh_token_issued on refresh_token (issued_at);
