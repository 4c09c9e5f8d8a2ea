-- Rises with every change of the freezes that others hear of.
alter table student add column freezes_version bigint not null default 0;

-- Freezes that were bought in trading: each purchase is decided once.
create table freeze_purchase (
    purchase_id bigint primary key,
    member_id bigint not null,
    quantity smallint not null check (quantity > 0),
    -- It would have exceeded what a member can hold, so trading pays it back.
    is_refused boolean not null,
    received_at timestamptz not null
);
