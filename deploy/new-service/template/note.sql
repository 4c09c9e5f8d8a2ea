
create table note (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    body text not null,
    created_at timestamptz not null
);
