-- compatible: the last release knows no pictures, and its comments have none.
create trigger comment_pictures after update of deleted_at on comment
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function release_pictures();
