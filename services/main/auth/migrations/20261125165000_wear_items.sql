-- What a member wears beside the nickname, and what there is to wear: items bought in trading, which
-- says so by its events. All by the names of their pictures.
alter table member
    add column frame text,
    add column plate text,
    add column theme text;

create table wearable (
    member_id bigint not null references member (id) on delete cascade,
    picture text not null,
    slot text not null check (slot in ('FRAME', 'PLATE', 'THEME')),
    primary key (member_id, picture)
);
