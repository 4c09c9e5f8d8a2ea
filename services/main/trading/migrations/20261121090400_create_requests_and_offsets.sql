-- Answers to money requests, so that a repeated request changes nothing and reads the same.
create table request (
    member_id bigint not null,
    request_id text not null,
    body_hash bytea not null,
    answer bytea not null,
    created_at timestamptz not null,
    constraint request_once primary key (member_id, request_id)
);

create index request_by_age on request using brin (created_at);

-- How far a shard of the matcher has read the tick log. `next_offset` is written in the
-- transaction of the fills that the ticks before it caused. `state` is what the matcher knew of
-- each instrument at `state_offset`, which lies a little before: after a restart the batches in
-- between only bring that knowledge up to date, their effects are stored already.
create table matcher_offset (
    consumer text not null,
    shard integer not null,
    epoch bigint not null,
    next_offset bigint not null,
    state_offset bigint not null,
    state json not null,
    primary key (consumer, shard)
);

create table outbox (
    id bigint generated always as identity primary key,
    event_id uuid not null unique,
    event_type text not null,
    aggregate_id text not null,
    body bytea not null,
    traceparent text,
    occurred_at timestamptz not null
);

create table inbox (
    consumer text not null,
    event_id uuid not null,
    received_at timestamptz not null,
    primary key (consumer, event_id)
);
