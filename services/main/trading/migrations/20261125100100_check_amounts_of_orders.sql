-- Reads the table from end to end, under a lock that lets everybody read and write.
set local statement_timeout = 0;
alter table trade_order validate constraint order_amount_of_market_buy;
