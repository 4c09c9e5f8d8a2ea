-- Deleted posts of whose comments some pictures are not released yet. Nobody sees these meanwhile: a picture
-- is shown only while the post above it is.
create table post_to_release (
    post_id bigint primary key references post
);

-- A post has five pictures and may have thousands below it, more than one statement has time for.
-- compatible: the last release deletes as before, and leaves what is below to the next.
create or replace function release_pictures() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'post' then
        update picture set unused_since = new.deleted_at, place = null
            where post_id = new.id and comment_id is null and unused_since is null;
        insert into post_to_release (post_id) select new.id
            where exists (select from picture where post_id = new.id
                and comment_id is not null and unused_since is null)
            on conflict do nothing;
    else
        update picture set unused_since = new.deleted_at, place = null
            where comment_id = new.id and unused_since is null;
    end if;
    return null;
end
$$;
