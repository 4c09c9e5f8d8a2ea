-- Posts of whose comments and likes members are not told any more, also where the event that told of
-- them comes later.
create table withdrawn_post (
    -- Where the notices of the post lead.
    link text primary key,
    -- What happened later is told again.
    withdrawn_at timestamptz not null
);
create index withdrawn_post_by_time on withdrawn_post (withdrawn_at);
