-- Shares that were divided or joined: candles of days before it are shown in the new shares.
create table instrument_split (
    code text not null,
    -- The first day at the new price, as yyyymmdd.
    trading_day integer not null,
    new_shares bigint not null check (new_shares > 0),
    old_shares bigint not null check (old_shares > 0),
    primary key (code, trading_day)
);
