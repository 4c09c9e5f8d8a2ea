-- What members are told of, in their inboxes and by pushes. Types are words of the program, so that a
-- release before knows them no worse than this one.
create table notification (
    id bigint generated always as identity primary key,
    member_id bigint not null references member (id) on delete cascade,
    type text not null,
    title text not null,
    body text not null,
    -- A path of the client.
    link text not null,
    -- What the notification is about; the same is told once, or again in the same row.
    dedupe_key text not null,
    created_at timestamptz not null,
    read_at timestamptz,
    -- How often the row was told, as likes of an hour.
    batch integer not null default 1,
    -- Of the newest event in it; an older one does not replace its text.
    position bigint not null default 0,
    constraint notification_once unique (member_id, dedupe_key)
);
create index notification_by_member on notification (member_id, id desc);
create index notification_by_type on notification (member_id, type, id desc);
create index notification_unread on notification (member_id, id desc) where read_at is null;
create index notification_by_time on notification (created_at);

-- Who is counted in a notification of likes, so that nobody counts twice.
create table notification_liker (
    notification_id bigint not null references notification (id) on delete cascade,
    liker_id bigint not null,
    primary key (notification_id, liker_id)
);

-- What a member wants otherwise than by default.
create table notification_setting (
    member_id bigint not null references member (id) on delete cascade,
    type text not null,
    inbox boolean not null,
    push boolean not null,
    primary key (member_id, type)
);

-- Minutes of the Korean day; equal ones mean no quiet hours.
create table notification_preference (
    member_id bigint primary key references member (id) on delete cascade,
    quiet_from smallint not null default 1260 check (quiet_from between 0 and 1439),
    quiet_until smallint not null default 480 check (quiet_until between 0 and 1439),
    digest boolean not null default false
);

-- Pushes that wait for their time and their sending.
create table push_delivery (
    id bigint generated always as identity primary key,
    -- None where the member wants pushes without an inbox, and for a digest.
    notification_id bigint references notification (id) on delete cascade,
    member_id bigint not null references member (id) on delete cascade,
    type text not null,
    title text not null,
    body text not null,
    link text not null,
    -- A phone shows the newest push of a key.
    collapse_key text not null,
    -- Whether it passes quiet hours.
    urgent boolean not null,
    not_before timestamptz not null,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    -- What the push is about; the same is pushed once.
    dedupe_key text,
    batch integer not null default 1,
    constraint push_delivery_once unique (member_id, dedupe_key)
);
create index push_delivery_due on push_delivery (not_before, id) where sent_at is null;
create index push_delivery_by_notification on push_delivery (notification_id);
create index push_delivery_by_time on push_delivery (created_at);
