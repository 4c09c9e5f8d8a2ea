-- People who joined, the operator, what they agreed to and how they log in.

create table member (
    id bigint generated always as identity (start with 100000) primary key,
    -- Lower case and composed; see domain/email.rs.
    email text not null,
    nickname text not null,
    -- The nickname without the difference of upper and lower case.
    nickname_key text not null,
    birth_year smallint,
    gender text,
    -- The client the member joined with.
    os text,
    -- The code of the member who recommended the product, as it was entered.
    entered_recommend_code text,
    email_verified boolean not null default false,
    tutorial_done boolean not null default false,
    welcome_popup_seen boolean not null default false,
    subscribe boolean not null default false,
    competition_mode boolean not null default false,
    joined_at timestamptz not null,
    constraint member_email_unique unique (email),
    constraint member_nickname_unique unique (nickname_key),
    constraint member_email_length check (char_length(email) between 5 and 254),
    constraint member_nickname_length check (char_length(nickname) between 2 and 12),
    constraint member_birth_year_range check (birth_year >= 1900),
    constraint member_gender_letter check (gender in ('M', 'F')),
    constraint member_os_word check (os in ('ios', 'android', 'web'))
);

-- A member without a row here cannot log in with a password.
create table credential (
    member_id bigint primary key references member (id) on delete cascade,
    -- PHC string: algorithm, parameters, salt and hash.
    password_hash text not null,
    changed_at timestamptz not null
);

create table consent (
    member_id bigint not null references member (id) on delete cascade,
    kind text not null,
    agreed_at timestamptz not null,
    primary key (member_id, kind),
    constraint consent_kind_word check (kind in ('terms', 'privacy', 'age14', 'marketing'))
);

-- The operator is shown as 운영자 and has no password. Powers come from a role, never from this id.
insert into member (id, email, nickname, nickname_key, joined_at)
overriding system value
values (23488, 'operator@seedup.invalid', '운영자', '운영자', '2026-01-01T00:00:00Z');
