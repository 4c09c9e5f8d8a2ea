-- Items that members buy, who owns how many of them, and every purchase.
insert into journal_kind (kind) values ('ITEM_BOUGHT'), ('ITEM_REFUNDED');

create table item (
    id bigint primary key,
    name text not null unique,
    category text not null
        check (category in ('COLLECTIBLE', 'DEPOSIT_PACK', 'STREAK_FREEZE', 'SEASON_TICKET', 'THEME')),
    -- Where it is worn.
    slot text check (slot in ('FRAME', 'PLATE', 'THEME')),
    currency text not null check (currency in ('KRW', 'CASH')),
    price bigint not null check (price > 0),
    -- What it does, for members.
    effect text not null,
    -- Name of its picture in the client.
    picture text not null,
    -- How many a member may own; null: any number.
    limit_per_member integer check (limit_per_member > 0),
    -- How many are ever for sale; null: any number, and then those sold are not counted.
    stock bigint check (stock >= 0),
    sold bigint not null default 0,
    sale_from timestamptz,
    sale_to timestamptz,
    -- Won that a pack adds to the account.
    deposit_won bigint not null default 0 check (deposit_won >= 0),
    is_listed boolean not null default true,
    constraint item_not_oversold check (sold >= 0 and (stock is null or sold <= stock)),
    constraint item_pack_has_won check ((deposit_won > 0) = (category = 'DEPOSIT_PACK'))
);

create table purchase (
    id bigint generated always as identity primary key,
    account_id bigint not null references account (id),
    item_id bigint not null references item (id),
    quantity integer not null check (quantity > 0),
    currency text not null check (currency in ('KRW', 'CASH')),
    spent bigint not null check (spent > 0),
    deposit_won bigint not null check (deposit_won >= 0),
    status text not null check (status in ('COMPLETED', 'REFUNDED')),
    bought_at timestamptz not null,
    -- STREAK_FREEZE: when education had it.
    delivered_at timestamptz,
    refunded_at timestamptz,
    constraint purchase_is_refunded check ((refunded_at is not null) = (status = 'REFUNDED'))
);

create index purchase_of_account on purchase (account_id, id desc);
create index purchase_of_item on purchase (item_id);

create table member_item (
    account_id bigint not null references account (id),
    item_id bigint not null references item (id),
    -- Bought and not refunded, and how many of them are used up.
    quantity integer not null check (quantity >= 0),
    used integer not null default 0,
    primary key (account_id, item_id),
    constraint member_item_used_within_quantity check (used >= 0 and used <= quantity)
) with (fillfactor = 70);

-- Streak freezes that a member holds, as education says.
create table streak_freeze (
    account_id bigint primary key references account (id),
    held integer not null check (held >= 0),
    -- Education's; an older one is ignored.
    version bigint not null
);
