select p.*, a.score, a.comments, m.joined_at, g.post_count, g.comment_count as written,
    l.member_id is not null as is_liked, s.member_id is not null as is_muted,
    f.member_id is not null as is_followed, b.member_id is not null as is_blocked
from post p
    join post_aggregates a on a.post_id = p.id
    join member m on m.member_id = p.author_id
    join person_aggregates g on g.person_id = p.author_id
    left join post_like l on l.post_id = p.id and l.member_id = $1
    left join post_mute s on s.post_id = p.id and s.member_id = $1
    left join follow f on f.member_id = $1 and f.other_id = p.author_id
    left join block b on b.member_id = $1 and b.other_id = p.author_id
where p.id = $2 and p.deleted_at is null and p.publication = 'PUBLISHED'
