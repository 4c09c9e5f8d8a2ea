-- What was reported: its author may change a text before a moderator reads it. Kept for thirty days.
create table reported_text (
    id bigint generated always as identity primary key,
    post_id bigint references post,
    comment_id bigint references comment,
    version integer not null,
    content text not null,
    -- By the first who reported this version.
    reported_at timestamptz not null,
    check (num_nonnulls(post_id, comment_id) = 1),
    constraint reported_post_once unique (post_id, version),
    constraint reported_comment_once unique (comment_id, version)
);
create index reported_text_by_time on reported_text (reported_at);

-- Null for reports of before.
alter table report add column version integer;
