-- The order of a running event is stored slice by slice: an edition of it is read once it is whole. Until
-- the release after this one, ranks of the day before an upgrade are read from `competition_standing`.
create table competition_edition (
    id bigint primary key generated always as identity,
    competition_id bigint not null references competition (id),
    board text not null check (board in ('RETURN', 'CALM')),
    -- The Korean day of market time whose order it is.
    day date not null,
    valued_at timestamptz not null,
    -- How many it has when it is whole.
    places integer not null check (places > 0),
    is_whole boolean not null default false,
    -- Nobody reads it, and nothing is added to it: its rows are deleted.
    is_stale boolean not null default false
);
create index competition_edition_of_board on competition_edition
    (competition_id, board, day, valued_at, id);
create index competition_edition_stale on competition_edition (id) where is_stale;

create table competition_edition_place (
    edition_id bigint not null references competition_edition (id),
    place integer not null check (place > 0),
    rank integer not null check (rank > 0 and rank <= place),
    member_id bigint not null,
    return_rate numeric(18, 4) not null,
    primary key (edition_id, place),
    unique (edition_id, member_id)
);
