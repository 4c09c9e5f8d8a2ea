-- A decision names the version of the text that was read, so that nothing is decided about a text
-- that its author changed meanwhile.
alter table post add column version integer not null default 1;
alter table comment add column version integer not null default 1;

create function count_version_of_text() returns trigger language plpgsql as $$
begin
    new.version := old.version + 1;
    return new;
end
$$;
create trigger post_version before update of content, category, modified_at on post for each row
    when (old.content <> new.content or old.category <> new.category
        or old.modified_at is distinct from new.modified_at)
    execute function count_version_of_text();
create trigger comment_version before update of content, modified_at on comment for each row
    when (old.content <> new.content or old.modified_at is distinct from new.modified_at)
    execute function count_version_of_text();

-- Texts that wait for a decision.
create index post_held on post (id) where publication = 'HELD' and deleted_at is null;
create index comment_held on comment (id) where publication = 'HELD' and deleted_at is null;
