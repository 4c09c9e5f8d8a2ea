-- What changed a member's education points and cash. Each row has one journal, and what a member
-- earned, moved and spent is kept as sums beside them, which the audit compares with the rows.
insert into journal_kind (kind) values
    ('POINTS_EARNED'), ('POINTS_MOVED'), ('POINTS_SPENT'), ('CASH_GRANTED'), ('CASH_EXCHANGED');

create table point_change (
    id bigint generated always as identity primary key,
    account_id bigint not null references account (id),
    kind text not null check (kind in ('EARNED', 'MOVED', 'SPENT')),
    points bigint not null,
    -- EARNED: education's key of what was done. SPENT: the key of who takes them. Null when moved.
    source_key text,
    -- EARNED: what for. SPENT: the reason that was given.
    reason text not null default '',
    -- MOVED: won that reached the account, and the tenths that a point's 1,000 won were multiplied with.
    won bigint not null default 0 check (won >= 0),
    multiplier_tenths smallint,
    occurred_at timestamptz not null,
    constraint point_change_has_sign check ((points > 0) = (kind = 'EARNED') and points <> 0),
    constraint point_change_moves_won check ((won > 0) = (kind = 'MOVED'))
);

create unique index point_change_once on point_change (account_id, kind, source_key);
create index point_change_of_account on point_change (account_id, id desc);

create table point_total (
    account_id bigint primary key references account (id),
    earned bigint not null default 0,
    moved bigint not null default 0,
    spent bigint not null default 0,
    -- The newest KST day, yyyymmdd, of points that count toward the cap of a day, and their sum.
    day integer not null default 0,
    earned_on_day bigint not null default 0
) with (fillfactor = 70);

create table cash_change (
    id bigint generated always as identity primary key,
    account_id bigint not null references account (id),
    kind text not null check (kind in ('GRANTED', 'EXCHANGED')),
    cash bigint not null,
    -- GRANTED: the operator's key, if one was given.
    source_key text,
    -- GRANTED: why.
    reason text not null default '',
    -- EXCHANGED: won that reached the account.
    won bigint not null default 0 check (won >= 0),
    occurred_at timestamptz not null,
    constraint cash_change_has_sign check ((cash > 0) = (kind = 'GRANTED') and cash <> 0),
    constraint cash_change_moves_won check ((won > 0) = (kind = 'EXCHANGED'))
);

create unique index cash_change_once on cash_change (account_id, kind, source_key);
create index cash_change_of_account on cash_change (account_id, id desc);
