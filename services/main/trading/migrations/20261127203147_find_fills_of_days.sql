-- no-transaction
-- Profit and loss and unsettled cash read the fills of an account's last days, not all it ever had.
create index concurrently fill_of_day on fill (account_id, event_time);
