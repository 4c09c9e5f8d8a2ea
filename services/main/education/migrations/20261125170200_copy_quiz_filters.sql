-- What a member wants to be asked about, as auth said last. Empty arrays: all.
create table quiz_filter (
    member_id bigint primary key,
    themes text[] not null,
    levels text[] not null,
    version bigint not null
);
