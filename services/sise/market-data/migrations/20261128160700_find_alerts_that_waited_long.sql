-- no-transaction
create index concurrently if not exists price_alert_waiting_by_time on price_alert (created_at)
where fired_at is null;
