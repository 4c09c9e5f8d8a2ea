-- Likes of posts that members took back lately, so that the author is told of each member once.
create table withdrawn_like (
    member_id bigint not null,
    post_id bigint not null references post,
    withdrawn_at timestamptz not null,
    primary key (member_id, post_id)
);
create index withdrawn_like_by_time on withdrawn_like (withdrawn_at);
