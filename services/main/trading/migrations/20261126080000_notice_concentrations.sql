-- How far fills have been looked at for purchases that leave much of a member's total in one item.
-- Those of before are no matter any more.
create table concentration_progress (
    only_row boolean primary key default true check (only_row),
    -- The last fill that was looked at.
    checked_to bigint not null
);
insert into concentration_progress (checked_to)
    select last_value - (not is_called)::int from fill_id_seq;

-- When a member was last told of one.
create table concentration_notice (
    member_id bigint primary key,
    noticed_at timestamptz not null
);
