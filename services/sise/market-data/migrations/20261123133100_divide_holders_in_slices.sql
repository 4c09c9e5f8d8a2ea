-- A split divides what hundreds of thousands of members hold: a thousand rows at a time, beside the
-- candles. What a row was divided by is noted in it, so that each is divided once.
alter table instrument_split
    -- In the order in which splits became known.
    add column split_id bigint generated always as identity,
    add column noted_at timestamptz not null default now(),
    -- How often all rows of item_holder were gone through. Twice is done: the second time finds what
    -- a transaction added that had not seen the split.
    add column sweeps smallint not null default 2;

-- compatible: the database gives the numbers.
create unique index instrument_split_by_id on instrument_split (split_id);
create index instrument_split_due on instrument_split (code, trading_day) where sweeps < 2;

-- The newest split that the quantity has been divided by.
alter table item_holder add column split_day integer not null default 0;

create index item_holder_of_code on item_holder (code, member_id);

-- Events are forgotten by age.
create index inbox_by_time on inbox (received_at);
