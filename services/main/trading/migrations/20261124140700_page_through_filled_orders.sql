-- no-transaction
-- A member's filled orders, newest first: however many were rejected or canceled, a page costs the
-- same. The time lets a page of some days pass over the others without reading their orders.
create index concurrently order_history_filled on trade_order (
    member_id,
    (case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end),
    id desc,
    placed_at
)
    where status = 'FILLED';
