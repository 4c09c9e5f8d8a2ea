-- A session begins at login and is carried on by refresh tokens that replace one another.

create table session (
    id uuid primary key,
    member_id bigint not null references member (id) on delete cascade,
    started_at timestamptz not null,
    -- When the token in force was issued.
    refreshed_at timestamptz not null,
    -- The number of the token in force; the first is 0.
    current_generation integer not null default 0,
    ended_at timestamptz,
    end_cause text,
    ip text,
    user_agent text,
    constraint session_end_cause_word
        check (end_cause in ('logout', 'reuse', 'password_changed', 'withdrawn')),
    constraint session_end_has_cause check ((ended_at is null) = (end_cause is null))
);

create index session_member on session (member_id);
create index session_started on session (started_at);

-- Replaced tokens stay until the session is forgotten, so that a stolen one is recognised.
create table refresh_token (
    -- SHA-256 of the token; the token itself is never stored.
    token_hash bytea primary key,
    session_id uuid not null references session (id) on delete cascade,
    generation integer not null,
    constraint refresh_token_hash_length check (octet_length(token_hash) = 32),
    constraint refresh_token_generation_unique unique (session_id, generation)
);
