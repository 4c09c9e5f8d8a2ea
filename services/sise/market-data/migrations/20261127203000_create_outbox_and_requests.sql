-- Events of this service, written with their cause and sent later.
create table outbox (
    id bigint generated always as identity primary key,
    event_id uuid not null unique,
    event_type text not null,
    aggregate_id text not null,
    body bytea not null,
    traceparent text,
    occurred_at timestamptz not null
);

-- Replies to requests for money, so that a repeated request changes nothing and reads the same.
create table request (
    member_id bigint not null,
    request_id text not null,
    kind text,
    body_hash bytea not null,
    answer bytea not null,
    created_at timestamptz not null,
    constraint request_once primary key (member_id, request_id)
);
create index request_by_time on request (created_at);
