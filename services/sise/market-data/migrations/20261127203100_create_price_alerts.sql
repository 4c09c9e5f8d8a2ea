-- Prices that members want to hear of. A row is active until the tick that fires it.
create table price_alert (
    alert_id bigint generated always as identity primary key,
    member_id bigint not null check (member_id > 0),
    code text not null,
    kind text not null check (kind in ('ABOVE', 'BELOW', 'PERCENT')),
    -- A price in the shares of shares_day, or signed percent of the previous close.
    value numeric(28, 8) not null check (value <> 0 and (kind = 'PERCENT' or value > 0)),
    -- The trading day (yyyymmdd) in whose shares a price is. A split of a later day divides it once.
    shares_day integer not null,
    -- The newest tick of the instrument when the alert was created: only later ones fire it.
    after_seq bigint not null,
    created_at timestamptz not null,
    -- Market time, price and number of the tick that fired it.
    fired_at timestamptz,
    fired_price numeric(28, 8),
    fired_seq bigint,
    constraint fired_by_a_tick check (
        (fired_at is null) = (fired_price is null) and (fired_at is null) = (fired_seq is null)
    )
);

create index price_alert_waiting on price_alert (alert_id) where fired_at is null;
create index price_alert_active_of on price_alert (member_id, alert_id) where fired_at is null;
create index price_alert_fired_of on price_alert (member_id, fired_at) where fired_at is not null;
create index price_alert_by_firing on price_alert (fired_at) where fired_at is not null;
create index price_alert_shares on price_alert (code, shares_day)
    where fired_at is null and kind <> 'PERCENT';

-- Alerts that were created or deleted, for the process that watches prices. Numbers become visible in
-- their order.
create table price_alert_change (
    change_id bigint generated always as identity primary key,
    alert_id bigint not null,
    changed_at timestamptz not null
);

create index price_alert_change_by_time on price_alert_change (changed_at);

-- Where the watcher of prices continues to read the tick log.
create table price_alert_progress (
    only_row boolean primary key default true check (only_row),
    epoch bigint not null,
    next_offset bigint not null check (next_offset >= 0),
    market_time_us bigint not null
);
