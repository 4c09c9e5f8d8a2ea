-- Members who want to hear nothing of a post.
create table post_mute (
    post_id bigint not null references post,
    member_id bigint not null,
    muted_at timestamptz not null,
    primary key (post_id, member_id)
);
