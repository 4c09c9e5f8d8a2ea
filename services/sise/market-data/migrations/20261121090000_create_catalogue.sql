-- What the market is: chosen at the first start and fixed from then on.
create table market_identity (
    only_row boolean primary key default true check (only_row),
    clock text not null check (clock in ('practice', 'exchange', 'replay')),
    feed text not null,
    chosen_at timestamptz not null
);

-- Which seed the tables below hold, so that a start with the same seed changes nothing.
create table seed_state (
    only_row boolean primary key default true check (only_row),
    digest text not null,
    applied_at timestamptz not null
);

create table sector (
    numbering text not null check (numbering in ('KIS', 'KRX')),
    code text not null,
    market text not null,
    korean_name text not null,
    primary key (numbering, code)
);

create table instrument (
    code text primary key check (code <> ''),
    -- Order of lists where nothing else decides.
    position integer not null,
    korean_name text not null,
    english_name text not null,
    aliases text[] not null,
    market text not null check (market in ('KOSPI', 'KOSDAQ', 'stocks', 'COIN', 'GOLD', 'ETF')),
    exchange text not null,
    currency text not null check (currency in ('KRW', 'USD')),
    tick_class text not null,
    leverage integer not null check (leverage <> 0),
    warning_code text not null check (warning_code in ('00', '01', '02', '03')),
    halted boolean not null,
    administrative boolean not null,
    tradable boolean not null,
    isin text check (length(isin) = 12),
    sector_code text,
    sector_name text,
    listed_on date,
    listed_shares bigint check (listed_shares > 0),
    market_cap bigint check (market_cap > 0),
    unit text not null,
    base_price numeric(28, 8) not null check (base_price > 0),
    daily_volatility numeric(28, 8) not null check (daily_volatility > 0),
    beta numeric(28, 8) not null,
    average_daily_volume numeric(28, 8) check (average_daily_volume > 0),
    average_daily_value_won numeric(28, 8) check (average_daily_value_won > 0),
    size_class text check (size_class in ('LARGE', 'MID', 'SMALL')),
    underlying text,
    asset_kind text
);

create table company_outline (
    code text primary key references instrument (code),
    industry text not null,
    products text not null,
    representative text not null,
    established_on date,
    listed_on date,
    settlement_month text not null,
    homepage text not null,
    address text not null,
    region text not null,
    listed_shares bigint,
    market_cap_eok bigint,
    sales_eok bigint,
    operating_profit_eok bigint,
    roe text not null,
    per text not null,
    pbr text not null,
    eps text not null,
    bps text not null
);

create table market_index (
    code text primary key,
    position integer not null,
    korean_name text not null,
    base_value numeric(28, 8) not null check (base_value > 0),
    daily_volatility numeric(28, 8) not null check (daily_volatility > 0)
);

create table foreign_currency (
    unit text primary key,
    position integer not null,
    korean_name text not null,
    base_rate numeric(28, 8) not null check (base_rate > 0),
    daily_volatility numeric(28, 8) not null check (daily_volatility > 0)
);

create table savings_product (
    id bigint primary key,
    product_code text not null unique,
    korean_name text not null,
    kind text not null check (kind in ('03', '04')),
    bank_code text not null,
    bank_name text not null,
    company_code text not null,
    interest_type text not null,
    reserve_type text not null,
    term_months integer not null check (term_months > 0),
    base_rate numeric(9, 4) not null check (base_rate >= 0),
    best_rate numeric(9, 4) not null check (best_rate >= 0),
    least_amount_won bigint check (least_amount_won > 0),
    most_amount_won bigint check (most_amount_won > 0),
    payment text not null,
    conditions text not null,
    disclosed_month text not null
);

create table savings_option (
    product_id bigint not null references savings_product (id),
    term_months integer not null check (term_months > 0),
    interest_type text not null,
    reserve_type text not null,
    rate numeric(9, 4) check (rate >= 0),
    best_rate numeric(9, 4) check (best_rate >= 0),
    primary key (product_id, term_months, interest_type, reserve_type)
);
