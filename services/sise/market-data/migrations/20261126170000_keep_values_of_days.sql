-- Index values and exchange rates at the end of Korean days: the last that were told on the day.
create table day_close (
    -- An index, or the unit of a currency.
    code text not null,
    day date not null,
    value numeric(28, 8) not null check (value > 0),
    primary key (code, day)
);
create index day_close_of_day on day_close (day);
