-- Prizes of competitions: what places receive, objections to results, and what was awarded.
insert into journal_kind (kind) values ('POINTS_AWARDED');

-- Both allow more than before, so that rows need not be read again (not valid).
-- compatible: it allows what it allowed before.
alter table point_change drop constraint point_change_kind_check;
alter table point_change add constraint point_change_kind_check
    check (kind in ('EARNED', 'AWARDED', 'MOVED', 'SPENT')) not valid;
-- compatible: it allows what it allowed before.
alter table point_change drop constraint point_change_has_sign;
alter table point_change add constraint point_change_has_sign
    check ((points > 0) = (kind in ('EARNED', 'AWARDED')) and points <> 0) not valid;

create table competition_prize (
    competition_id bigint not null references competition (id),
    board text not null check (board in ('RETURN', 'CALM')),
    first_place integer not null check (first_place > 0),
    -- An event has 1,000 places with a prize at most.
    last_place integer not null check (last_place between first_place and 500),
    -- Education points of each place.
    points bigint not null check (points > 0),
    primary key (competition_id, board, first_place)
);

-- When prizes are awarded at the earliest, by market time; null for an event without prizes and before
-- its end. Then when they were.
alter table competition add column award_at timestamptz;
alter table competition add column awarded_at timestamptz;
create index competition_to_award on competition (award_at)
    where award_at is not null and awarded_at is null;

create table competition_objection (
    id bigint primary key generated always as identity,
    competition_id bigint not null,
    member_id bigint not null,
    text text not null check (char_length(text) between 1 and 500),
    -- Market time.
    filed_at timestamptz not null,
    decided_at timestamptz,
    is_upheld boolean,
    -- What the member is told.
    answer text check (char_length(answer) between 1 and 500),
    -- Who receives no prize, of an objection that was upheld.
    withheld_from bigint[] not null default '{}',
    check ((withheld_from <> '{}') = coalesce(is_upheld, false)),
    check ((decided_at is null) = (is_upheld is null)),
    check ((decided_at is null) = (answer is null)),
    unique (competition_id, member_id),
    foreign key (competition_id, member_id) references competition_result (competition_id, member_id)
);
create index competition_objection_undecided on competition_objection (id) where decided_at is null;

create table competition_award (
    competition_id bigint not null,
    board text not null,
    place integer not null,
    member_id bigint not null,
    points bigint not null check (points > 0),
    -- Null where the prize is withheld after an objection.
    point_change_id bigint unique references point_change (id),
    awarded_at timestamptz not null,
    primary key (competition_id, board, place),
    foreign key (competition_id, board, place) references competition_rank (competition_id, board, place)
);
create index competition_award_of_member on competition_award (competition_id, member_id);
create trigger competition_award_is_append_only before update or delete or truncate on competition_award
    for each statement execute function refuse_change_of_history();

-- Official events that are not over have the prizes of a new installation.
insert into competition_prize (competition_id, board, first_place, last_place, points)
select id, board, first_place, last_place, points
from competition, (values ('RETURN', 1, 1, 500), ('RETURN', 2, 3, 300), ('RETURN', 4, 10, 100),
    ('CALM', 1, 1, 300), ('CALM', 2, 3, 200), ('CALM', 4, 10, 50))
    as prize (board, first_place, last_place, points)
where kind = 'OFFICIAL' and closed_at is null;
update competition set prize = '순위에 따라 학습 포인트'
where kind = 'OFFICIAL' and closed_at is null and prize = '';

-- compatible: it takes rights on a table that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on competition_award from seedup_trading_app;
    end if;
end
$$;

-- Accounts that an event has yet to close, in the order in which they are closed.
create index competition_entry_to_close on competition_entry (competition_id, account_id)
    where left_at is null and last_journal is null;
