-- Entrants are told in pages that the event has begun, and of their ranks.
alter table competition
    -- The last member, in the order of their numbers, who was told that it has begun; then when all were,
    -- by the clock of the process.
    add column start_told_to bigint not null default 0,
    add column start_told_at timestamptz,
    -- The first place that is not told of its rank: null before there are ranks, and when all are told.
    add column tell_from_place integer check (tell_from_place > 0);
create index competition_to_start on competition (starts_at) where start_told_at is null;
create index competition_to_tell on competition (tell_from_place, id)
    where tell_from_place is not null;
