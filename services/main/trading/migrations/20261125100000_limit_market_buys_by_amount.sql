-- Maximum cost in won of a market buy placed by amount, fee included; null for every other order.
alter table trade_order add column order_amount_won bigint;
-- compatible: the last release writes no amounts.
alter table trade_order add constraint order_amount_of_market_buy
    check (order_amount_won is null or (order_amount_won > 0 and side = 'BUY' and price is null))
    not valid;
