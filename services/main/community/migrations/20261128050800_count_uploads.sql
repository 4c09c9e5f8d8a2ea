-- The uploads that a member began on a Korean day, also those that failed or were deleted.
create table upload_count (
    member_id bigint primary key,
    day date not null,
    uploads integer not null
);
