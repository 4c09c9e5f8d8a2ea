-- Splits as market-data tells them, beside the log that divides by them: what a log that was lost or
-- outlived did not tell the matcher is found here.
create table share_split (
    -- Market-data's number.
    id bigint primary key,
    instrument_code text not null,
    -- First day at the new price, yyyymmdd.
    trading_day integer not null,
    numerator bigint not null check (numerator > 0),
    denominator bigint not null check (denominator > 0),
    -- Market time from which shares are counted in the new ones.
    known_at timestamptz not null,
    heard_at timestamptz not null,
    -- When it was seen that the matcher has divided by it, in its turn or later.
    applied_at timestamptz,
    -- When every shard had passed its day without it.
    missed_at timestamptz,
    constraint share_split_once unique (instrument_code, trading_day)
);

create index share_split_open on share_split (id) where applied_at is null;
