-- no-transaction
-- As order_history_filled, with the orders that filled until their amount was reached.
create index concurrently order_history_bought on trade_order (
    member_id,
    (case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end),
    id desc,
    placed_at
)
    where status = 'FILLED' or end_reason = 'AMOUNT_REACHED';
