select c.*, a.score, a.child_count, a.hot_rank, m.joined_at, g.post_count, g.comment_count as written,
    l.member_id is not null as is_liked, f.member_id is not null as is_followed
from comment c
    join comment_aggregates a on a.comment_id = c.id
    join post p on p.id = c.post_id
    join member m on m.member_id = c.author_id
    join person_aggregates g on g.person_id = c.author_id
    left join comment_like l on l.comment_id = c.id and l.member_id = $1
    left join follow f on f.member_id = $1 and f.other_id = c.author_id
    left join block b on b.member_id = $1 and b.other_id = c.author_id
where c.post_id = $2 and c.deleted_at is null and c.publication = 'PUBLISHED' and b.member_id is null
order by a.hot_rank desc, a.published desc
limit 300
