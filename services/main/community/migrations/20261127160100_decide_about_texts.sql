-- What was decided about texts, by whom and why. History: rows are added and never changed.
create table moderation_step (
    id bigint generated always as identity primary key,
    post_id bigint references post,
    comment_id bigint references comment,
    kind text not null check (kind in ('HIDDEN', 'UPHELD', 'DISMISSED', 'PUBLISHED', 'REFUSED',
        'RESTRICTED', 'LIFTED', 'REMOVED', 'EXPIRED', 'APPEALED')),
    -- The version of the text that was read.
    version integer not null,
    -- Which rule it is about, as in reports; empty for none.
    rule text not null,
    -- Told to the author.
    reason text not null,
    -- Null for what the service does by itself.
    operator text,
    created_at timestamptz not null,
    check (num_nonnulls(post_id, comment_id) = 1)
);
create index moderation_step_of_post on moderation_step (post_id, id desc)
    where post_id is not null;
create index moderation_step_of_comment on moderation_step (comment_id, id desc)
    where comment_id is not null;

create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger moderation_step_is_append_only
    before update or delete or truncate on moderation_step
    for each statement execute function refuse_change_of_history();
-- compatible: the last release does not know the table.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_community_app') then
        revoke update, delete, truncate on moderation_step from seedup_community_app;
    end if;
end
$$;

-- What became of a report: `step_id` decided it, and its member was told at `told_at`.
alter table report add column step_id bigint references moderation_step;
alter table report add column told_at timestamptz;
create index report_undecided on report (id) where upheld is null;
create index report_undecided_of_post on report (post_id, id)
    where upheld is null and post_id is not null;
create index report_undecided_of_comment on report (comment_id, id)
    where upheld is null and comment_id is not null;
create index report_of_post on report (post_id, id) where post_id is not null;
create index report_of_comment on report (comment_id, id) where comment_id is not null;
create index report_to_tell on report (id) where step_id is not null and told_at is null;
create index report_by_member on report (member_id, created_at desc, id desc);

-- What the author of a text that was decided against has to bear: the first is a warning, the last
-- one has no end.
create table sanction (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    post_id bigint references post,
    comment_id bigint references comment,
    rung smallint not null check (rung between 1 and 5),
    rule text not null,
    reason text not null,
    begins_at timestamptz not null,
    -- Null for good.
    ends_at timestamptz,
    -- After an appeal.
    lifted_at timestamptz,
    check (num_nonnulls(post_id, comment_id) = 1)
);
-- One for a text, whatever is decided about it again.
create unique index sanction_of_post on sanction (post_id)
    where lifted_at is null and post_id is not null;
create unique index sanction_of_comment on sanction (comment_id)
    where lifted_at is null and comment_id is not null;
create index sanction_of_member on sanction (member_id, id desc) where lifted_at is null;

-- What authors say against hiding, once for a text.
create table appeal (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    post_id bigint references post,
    comment_id bigint references comment,
    text text not null,
    created_at timestamptz not null,
    decided_at timestamptz,
    is_upheld boolean,
    check (num_nonnulls(post_id, comment_id) = 1),
    check ((decided_at is null) = (is_upheld is null))
);
create unique index appeal_of_post on appeal (post_id) where post_id is not null;
create unique index appeal_of_comment on appeal (comment_id) where comment_id is not null;
create index appeal_undecided on appeal (id) where decided_at is null;
