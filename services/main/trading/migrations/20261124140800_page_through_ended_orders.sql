-- no-transaction
-- Likewise those that ended without being filled.
create index concurrently order_history_canceled on trade_order (
    member_id,
    (case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end),
    id desc,
    placed_at
)
    where status in ('CANCELED', 'EXPIRED', 'REPLACED', 'REJECTED');
