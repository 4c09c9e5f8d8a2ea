-- Posts of 700 days, the newest last, and comments: half of them spread evenly, the others on a
-- hundredth of the posts. :posts and :comments are replaced.
set session_replication_role = replica;
insert into post (author_id, category, content, publication, created_at, rank, ranked_at, like_count,
        comment_count)
    select 1000000 + n % 20000, (array['FREE', 'STOCK', 'COIN', 'PRODUCT', 'STUDY'])[1 + n % 5],
        repeat('오늘 배운 것을 적어 둬요. ', 8), 'PUBLISHED', at, hot_rank(2, n % 7, at, now()), now(), 2,
        n % 7
    from generate_series(1, :posts) n,
        lateral (select now() - (:posts - n + 1) * interval '700 days' / :posts as at) t;
insert into post_like (post_id, member_id, created_at)
    select id, 1000000 + (id * 7 + n) % 20000, created_at from post, generate_series(1, 2) n;
insert into comment (post_id, author_id, content, publication, created_at, reply_count)
    select case when n % 2 = 0 then 1 + n % :posts
            else 100 * (1 + (n / 2) % greatest(1, :posts / 100)) end,
        1000000 + n % 19999, '저도 그렇게 생각해요. 고마워요.', 'PUBLISHED',
        now() - (:comments - n + 1) * interval '600 days' / :comments, (n % 4 = 0)::integer
    from generate_series(1, :comments / 5 * 4) n;
insert into comment (post_id, parent_id, author_id, content, publication, created_at)
    select post_id, id, 1000000 + id % 777, '답글이에요', 'PUBLISHED', created_at
    from comment where reply_count > 0;
insert into member select 1000000 + n, now() - interval '700 days' from generate_series(0, 19999) n;
insert into member_count select 1000000 + n, 50, 250, 100 from generate_series(0, 19999) n;
insert into follow select 1000000 + n % 20000, 1000000 + (n * 13) % 20000, now()
    from generate_series(1, 100000) n on conflict do nothing;
insert into block select 1000000 + n % 20000, 1000000 + (n * 17 + 1) % 20000, now()
    from generate_series(1, 100000) n on conflict do nothing;
set session_replication_role = origin;

-- The aggregates of the peer, of the same rows.
create table post_aggregates as select id as post_id, author_id as creator_id, like_count as score,
    comment_count as comments, rank::double precision as hot_rank, created_at as published from post;
alter table post_aggregates add primary key (post_id);
create index on post_aggregates (hot_rank desc, published desc);
create table comment_aggregates as select id as comment_id, like_count as score,
    reply_count as child_count, like_count::double precision as hot_rank, created_at as published
    from comment;
alter table comment_aggregates add primary key (comment_id);
create index on comment_aggregates (hot_rank desc, published desc);
create table person_aggregates as select member_id as person_id, post_count, comment_count
    from member_count;
alter table person_aggregates add primary key (person_id);
