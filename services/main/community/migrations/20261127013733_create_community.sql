-- Replies to requests for money, so that a repeated request changes nothing and reads the same.
-- Here the answer is the id of what was written, which is read again.
create table request (
    member_id bigint not null,
    request_id text not null,
    kind text,
    body_hash bytea not null,
    answer bytea not null,
    created_at timestamptz not null,
    constraint request_once primary key (member_id, request_id)
);
create index request_by_time on request (created_at);

-- Lemmy's shape, in millionths, so that it is a whole number that a cursor carries exactly. Posts of
-- seven days and more have none and go by time.
create function hot_rank(likes integer, comments integer, created_at timestamptz, now timestamptz)
returns bigint language sql immutable parallel safe as $$
    select case when now - created_at >= interval '7 days' then 0 else
        floor(1e10 * log(greatest(1, 3 + likes + 2 * comments)::double precision) / power(
            greatest(0, extract(epoch from now - created_at)::double precision) / 3600 + 2, 1.8
        ))::bigint end
$$;

create table post (
    id bigint generated always as identity primary key,
    author_id bigint not null,
    category text not null
        check (category in ('FREE', 'STOCK', 'COIN', 'PRODUCT', 'STUDY', 'NOTICE')),
    content text not null,
    publication text not null check (publication in ('PUBLISHED', 'HELD', 'HIDDEN')),
    created_at timestamptz not null,
    -- Of the last change of text or tags.
    modified_at timestamptz,
    deleted_at timestamptz,
    -- Rows of post_like.
    like_count integer not null default 0 check (like_count >= 0),
    -- Comments and replies that are published and not deleted.
    comment_count integer not null default 0 check (comment_count >= 0),
    rank bigint not null default 0,
    ranked_at timestamptz not null,
    -- Sum of the weights of its reports.
    report_weight integer not null default 0
);
create index post_by_time on post (created_at desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
create index post_by_category on post (category, created_at desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
create index post_by_rank on post (rank desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
create index post_by_category_rank on post (category, rank desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
-- Their keys alone are read for each of those whom a member follows.
create index post_published_by_author on post (author_id, created_at desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
create index post_by_author_category on post (author_id, category, created_at desc, id desc)
    where publication = 'PUBLISHED' and deleted_at is null;
-- All, because the rates of writing count deleted ones, too.
create index post_by_author on post (author_id, created_at desc, id desc);
create index post_not_published on post (author_id, created_at desc, id desc)
    where publication <> 'PUBLISHED' and deleted_at is null;
create index post_to_rank on post (ranked_at) where rank > 0;
create index post_to_clear on post (deleted_at) where deleted_at is not null and content <> '';

-- The instruments that a post is about, in its order.
create table post_tag (
    post_id bigint not null references post,
    code text not null,
    place smallint not null,
    is_held boolean not null,
    -- Of the post, as its category.
    created_at timestamptz not null,
    category text not null,
    primary key (post_id, code)
);
create index post_tag_by_code on post_tag (code, created_at desc, post_id desc);
create index post_tag_by_category on post_tag (code, category, created_at desc, post_id desc);

create table post_like (
    post_id bigint not null references post,
    member_id bigint not null,
    created_at timestamptz not null,
    primary key (post_id, member_id)
);
create index post_like_by_member on post_like (member_id, created_at desc, post_id desc);

-- A reply is a comment with a parent, which has none itself.
create table comment (
    id bigint generated always as identity primary key,
    post_id bigint not null references post,
    parent_id bigint references comment,
    author_id bigint not null,
    -- To whom a reply speaks.
    tagged_member_id bigint,
    content text not null,
    publication text not null check (publication in ('PUBLISHED', 'HELD', 'HIDDEN')),
    created_at timestamptz not null,
    modified_at timestamptz,
    deleted_at timestamptz,
    -- Rows of comment_like.
    like_count integer not null default 0 check (like_count >= 0),
    -- Replies that are published and not deleted.
    reply_count integer not null default 0 check (reply_count >= 0),
    report_weight integer not null default 0
);
-- Of the comments, those that anybody may see: a deleted one stays while it has replies.
create index comment_by_post on comment (post_id, created_at, id)
    where parent_id is null and (deleted_at is null or reply_count > 0);
create index comment_by_parent on comment (parent_id, created_at, id) where deleted_at is null;
create index comment_by_author on comment (author_id, created_at desc, id desc);
create index comment_to_clear on comment (deleted_at)
    where deleted_at is not null and content <> '';
create index comment_to_clear_with_post on comment (post_id) where content <> '';

create table comment_like (
    comment_id bigint not null references comment,
    member_id bigint not null,
    created_at timestamptz not null,
    primary key (comment_id, member_id)
);

-- What each member has written that is published and not deleted, and the likes of it.
create table member_count (
    member_id bigint primary key,
    post_count bigint not null default 0 check (post_count >= 0),
    comment_count bigint not null default 0 check (comment_count >= 0),
    received_likes bigint not null default 0 check (received_likes >= 0)
);
create function count_of_member() returns trigger language plpgsql as $$
declare
    step integer := 0;
    likes integer := 0;
begin
    if new.publication = 'PUBLISHED' and new.deleted_at is null then
        step := 1;
        likes := new.like_count;
    end if;
    if tg_op = 'UPDATE' then
        if old.publication = 'PUBLISHED' and old.deleted_at is null then
            step := step - 1;
            likes := likes - old.like_count;
        end if;
    end if;
    if step <> 0 or likes <> 0 then
        insert into member_count (member_id) values (new.author_id)
            on conflict do nothing;
        update member_count set
            post_count = post_count + case when tg_table_name = 'post' then step else 0 end,
            comment_count = comment_count + case when tg_table_name = 'post' then 0 else step end,
            received_likes = received_likes + likes
            where member_id = new.author_id;
    end if;
    return null;
end
$$;
-- When the transaction ends, so that the row of a member is locked after all others, and alone.
create constraint trigger post_counts after insert or update of publication, deleted_at, like_count
    on post deferrable initially deferred for each row execute function count_of_member();
create constraint trigger comment_counts
    after insert or update of publication, deleted_at, like_count
    on comment deferrable initially deferred for each row execute function count_of_member();

-- What auth says of those who joined since this service began; others joined before.
create table member (
    member_id bigint primary key,
    joined_at timestamptz not null
);

create table follow (
    member_id bigint not null,
    other_id bigint not null,
    created_at timestamptz not null,
    primary key (member_id, other_id)
);
create index follow_by_time on follow (member_id, created_at desc);

create table block (
    member_id bigint not null,
    other_id bigint not null,
    created_at timestamptz not null,
    primary key (member_id, other_id)
);
create index block_by_time on block (member_id, created_at desc, other_id desc);
create index block_by_other on block (other_id, member_id);

create table report (
    id bigint generated always as identity primary key,
    member_id bigint not null,
    post_id bigint references post,
    comment_id bigint references comment,
    reason text not null,
    text text not null,
    weight integer not null,
    created_at timestamptz not null,
    -- Decided by a moderator; null before.
    upheld boolean,
    check (num_nonnulls(post_id, comment_id) = 1),
    constraint report_post_once unique (member_id, post_id),
    constraint report_comment_once unique (member_id, comment_id)
);
create index report_upheld on report (member_id) where upheld;
