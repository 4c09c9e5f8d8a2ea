-- Comments kept theirs that were written while their post was deleted.
update picture f set place = null, unused_since = p.deleted_at from post p
    where p.id = f.post_id and p.deleted_at is not null and f.unused_since is null;
