-- Where members' pushes go, and what waits for an answer of whom.

create table push_subscription (
    id bigint generated always as identity primary key,
    member_id bigint not null references member (id) on delete cascade,
    -- The login it ends with.
    session_id uuid not null references session (id) on delete cascade,
    kind text not null,
    -- The endpoint of a browser or the token of an app.
    address text not null unique,
    -- Pushes to one host share a limit; the kind for apps.
    host text not null,
    -- By which only that browser can read a push.
    p256dh bytea,
    auth bytea,
    created_at timestamptz not null,
    -- Refused pushes since the last accepted one.
    failures integer not null default 0,
    constraint push_subscription_kind_word check (kind in ('WEB', 'FCM', 'APNS')),
    constraint push_subscription_address_length check (octet_length(address) between 1 and 2048),
    constraint push_subscription_keys check (
        case when kind = 'WEB' then coalesce(octet_length(p256dh), 0) = 65 and coalesce(octet_length(auth), 0) = 16
             else p256dh is null and auth is null end)
);
create index push_subscription_member on push_subscription (member_id, created_at);
create index push_subscription_session on push_subscription (session_id);

-- A delivery on its way to one subscription. The row leaves when that has taken or refused it.
create table push_send (
    id bigint generated always as identity primary key,
    delivery_id bigint not null references push_delivery (id) on delete cascade,
    -- Nobody's: for the page that shows all pushes of a local installation.
    subscription_id bigint references push_subscription (id) on delete cascade,
    kind text not null,
    host text not null,
    urgent boolean not null,
    next_try_at timestamptz not null,
    tries integer not null default 0,
    expires_at timestamptz not null,
    constraint push_send_once unique (delivery_id, subscription_id)
);
create unique index push_send_once_to_the_page on push_send (delivery_id) where subscription_id is null;
create index push_send_due on push_send (kind, urgent desc, next_try_at, id);
create index push_send_subscription on push_send (subscription_id);
create index push_send_expiry on push_send (expires_at);
