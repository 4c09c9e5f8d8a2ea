-- Pictures that members uploaded. The row comes before its files and goes after them, so that no
-- crash leaves a file that no row knows.
create table picture (
    id uuid primary key,
    member_id bigint not null,
    width integer not null,
    height integer not null,
    placeholder text not null,
    created_at timestamptz not null,
    -- Null until both files are stored.
    stored_at timestamptz,
    -- The post in which it is or was, and the comment of it.
    post_id bigint references post,
    comment_id bigint references comment,
    -- Its place in that text; null when it is no longer in it.
    place smallint,
    alt_text text not null default '',
    -- Since when no text has it; null while one does.
    unused_since timestamptz,
    -- Its files are being removed, and nobody sees it any more.
    removing_at timestamptz,
    check (post_id is not null or (comment_id is null and place is null)),
    check ((place is null) or (unused_since is null))
);
create index picture_by_member on picture (member_id, created_at desc);
create index picture_of_post on picture (post_id) where post_id is not null;
create index picture_of_comment on picture (comment_id) where comment_id is not null;
create index picture_unused on picture (unused_since) where unused_since is not null and removing_at is null;
create index picture_to_remove on picture (removing_at) where removing_at is not null;

-- What is deleted shows no pictures, whoever deletes it.
create function release_pictures() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'post' then
        update picture set unused_since = new.deleted_at, place = null
            where post_id = new.id and unused_since is null;
    else
        update picture set unused_since = new.deleted_at, place = null
            where comment_id = new.id and unused_since is null;
    end if;
    return null;
end
$$;
