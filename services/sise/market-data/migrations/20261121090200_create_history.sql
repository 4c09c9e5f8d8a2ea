-- Candles of a minute. Rows leave by the retention job; nothing refers to them.
create table candle_minute (
    code text not null,
    start_at timestamptz not null,
    -- The day the trades count for, as yyyymmdd.
    trading_day integer not null,
    open numeric(28, 8) not null,
    high numeric(28, 8) not null,
    low numeric(28, 8) not null,
    close numeric(28, 8) not null,
    volume numeric(28, 8) not null,
    primary key (code, start_at)
);

-- Rows come in the order of time, so a small index is enough to find the oldest.
create index candle_minute_by_time on candle_minute using brin (start_at);

-- Candles of a trading day (yyyymmdd, New York's date for US shares), kept for good.
create table candle_day (
    code text not null,
    trading_day integer not null,
    open numeric(28, 8) not null,
    high numeric(28, 8) not null,
    low numeric(28, 8) not null,
    close numeric(28, 8) not null,
    volume numeric(28, 8) not null,
    primary key (code, trading_day)
);

-- The newest tick of every instrument that the candles contain, as it was in the log.
create table newest_tick (
    code text primary key,
    tick_seq bigint not null,
    tick bytea not null
);

-- How far the tick log has been read: written in the transaction of the candles it made.
create table tick_reader (
    consumer text primary key,
    epoch bigint not null,
    next_offset bigint not null check (next_offset >= 0),
    batch_seq bigint not null,
    session_seq bigint not null,
    market_time_us bigint not null,
    -- Venues, bases and halts at that place, as an encoded snapshot message.
    sessions bytea not null
);

-- Ticks that were refused at the boundary, kept for a while to look at.
create table refused_tick (
    id bigint generated always as identity primary key,
    refused_at timestamptz not null,
    feed text not null,
    reason text not null,
    sample text not null
);

create index refused_tick_by_time on refused_tick (refused_at);
