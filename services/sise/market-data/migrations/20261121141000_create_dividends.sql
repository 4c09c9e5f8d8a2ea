-- Dividends as they became known. What was told once stays: members may have bought for it.
create table instrument_dividend (
    dividend_id bigint generated always as identity primary key,
    code text not null,
    -- The first trading day without it, as yyyymmdd; likewise the others.
    ex_day integer not null,
    record_day integer not null,
    pay_day integer not null check (pay_day >= ex_day),
    -- For each share, in the currency.
    amount numeric(28, 8) not null check (amount > 0),
    currency text not null check (currency in ('KRW', 'USD')),
    constraint dividend_once unique (code, ex_day)
);
