-- no-transaction
-- CMA accounts are paid every day, and are few among all accounts.
create index concurrently account_open_cma on account (id) where code = '05' and closed_at is null;
