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
