-- compatible: the last release knows no pictures, and its posts have none.
create trigger post_pictures after update of deleted_at on post
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function release_pictures();
