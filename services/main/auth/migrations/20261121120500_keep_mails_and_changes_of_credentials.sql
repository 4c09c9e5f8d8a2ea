-- What members change about themselves, the mails that wait to be sent, and what mails prove.

alter table member add column nickname_changed_at timestamptz;

create table quiz_filter (
    member_id bigint primary key references member (id) on delete cascade,
    -- Lists of text.
    themes jsonb not null,
    levels jsonb not null
);

-- A row leaves when the mail server has taken its mail. No secret is kept here: the token of a
-- link and a code are functions of the mail's id and of the signing key.
create table mail (
    id uuid primary key,
    kind text not null,
    recipient text not null,
    -- What the text mentions, for kinds that mention anything.
    detail text,
    asked_at timestamptz not null,
    next_try_at timestamptz not null,
    tries integer not null default 0,
    -- Set when it is not tried any more.
    dead_at timestamptz,
    last_error text,
    constraint mail_kind_word check (kind in ('password_reset', 'email_code', 'new_device'))
);
create index mail_due on mail (next_try_at) where dead_at is null;

-- The next moment at which somebody may ask for the same again.
create table mail_pause (
    -- SHA-256 of what is asked for, for whom and from where.
    asker bytea primary key,
    until timestamptz not null
);

create table password_reset (
    -- The mail that carries the link.
    mail_id uuid primary key,
    member_id bigint not null references member (id) on delete cascade,
    -- SHA-256 of the token; the token itself is never stored.
    token_hash bytea not null,
    mailed_at timestamptz not null,
    expires_at timestamptz not null,
    -- Used, or made void by another change of the password.
    ended_at timestamptz,
    constraint password_reset_token_unique unique (token_hash),
    constraint password_reset_hash_length check (octet_length(token_hash) = 32)
);
create index password_reset_member on password_reset (member_id);

create table email_code (
    member_id bigint primary key references member (id) on delete cascade,
    -- The mail that carries the code.
    mail_id uuid not null,
    asked_at timestamptz not null,
    expires_at timestamptz not null,
    tries_left integer not null,
    constraint email_code_tries check (tries_left between 0 and 5)
);

create table known_device (
    member_id bigint not null references member (id) on delete cascade,
    -- The client's own words without its version numbers.
    device text not null,
    first_seen_at timestamptz not null,
    primary key (member_id, device)
);
insert into known_device (member_id, device, first_seen_at)
select member_id, regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g'), min(started_at)
from session
group by 1, 2;
