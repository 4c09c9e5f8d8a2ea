-- Members who left for good, kept for ever: their holdings are counted no more. What they have goes slice
-- by slice, and once more when nothing can be written for them any longer.
create table erasure (
    member_id bigint primary key,
    -- When it was heard of here.
    noted_at timestamptz not null,
    -- Null while anything of theirs may be left.
    finished_at timestamptz
);
create index erasure_to_finish on erasure (noted_at) where finished_at is null;
