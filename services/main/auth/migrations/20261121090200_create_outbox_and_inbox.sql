-- Events leave with the transaction that made them and arrive once.

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
