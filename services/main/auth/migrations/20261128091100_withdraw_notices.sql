-- Who did what a notification tells of; none where it names nobody, and where an earlier release told it.
alter table notification add column actor_id bigint;
alter table push_delivery add column actor_id bigint;

-- What members are not told of any more, also where the event that told of it comes later.
create table withdrawn_notice (
    member_id bigint not null references member (id) on delete cascade,
    -- The key of notices, or who did what they tell of.
    dedupe_key text not null default '',
    actor_id bigint not null default 0,
    -- What happened later is told again.
    withdrawn_at timestamptz not null,
    constraint withdrawn_notice_once primary key (member_id, dedupe_key, actor_id)
);
create index withdrawn_notice_by_time on withdrawn_notice (withdrawn_at);
