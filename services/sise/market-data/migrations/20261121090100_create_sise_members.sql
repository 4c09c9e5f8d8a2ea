-- Members of the quote service: whoever has logged in with a main access token.
create table sise_member (
    member_id bigint primary key check (member_id > 0),
    registered_at timestamptz not null
);

-- Who opened which item on which Korean day: one row however often.
create table item_opening (
    code text not null references instrument (code),
    opened_on date not null,
    member_id bigint not null,
    first_opened_at timestamptz not null,
    primary key (code, opened_on, member_id)
);

create index item_opening_by_time on item_opening (first_opened_at);
