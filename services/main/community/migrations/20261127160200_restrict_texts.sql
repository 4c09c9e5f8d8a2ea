-- 임시조치: a text of which somebody says that it violates their rights is hidden for thirty days,
-- unless it is decided before.
create table restriction (
    id bigint generated always as identity primary key,
    post_id bigint references post,
    comment_id bigint references comment,
    -- The version that is claimed to violate rights.
    version integer not null,
    -- What the text becomes when this ends. Other decisions meanwhile change this instead of the
    -- text.
    publication_after text not null check (publication_after in ('PUBLISHED', 'HELD', 'HIDDEN')),
    begins_at timestamptz not null,
    ends_at timestamptz not null,
    ended_at timestamptz,
    check (num_nonnulls(post_id, comment_id) = 1)
);
create unique index restriction_of_post on restriction (post_id)
    where ended_at is null and post_id is not null;
create unique index restriction_of_comment on restriction (comment_id)
    where ended_at is null and comment_id is not null;
create index restriction_to_end on restriction (ends_at) where ended_at is null;
