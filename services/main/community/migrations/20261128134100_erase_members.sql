-- Members who left for good, kept for ever: what is told of them late finds this, and nothing more is
-- written for them. What they have goes slice by slice.
create table erasure (
    member_id bigint primary key,
    -- Whether their posts and comments go as well; else these stay without a name.
    deletes_content boolean not null,
    -- As auth says.
    erased_at timestamptz not null,
    -- When it was heard of here.
    noted_at timestamptz not null,
    -- A process that works on it has put this off.
    next_at timestamptz not null,
    -- Null while anything of theirs is left.
    finished_at timestamptz
);
create index erasure_to_work_on on erasure (next_at) where finished_at is null;
