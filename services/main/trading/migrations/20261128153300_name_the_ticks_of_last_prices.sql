-- The tick that an event's last price is of; null where market-data does not keep it.
alter table competition_price add column tick_seq bigint;
