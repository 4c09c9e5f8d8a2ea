//! Conditions of SQL on what a member sees. The viewer is always the parameter `$1`, 0 for a visitor.

/// Whether neither the viewer nor `author` blocked the other.
pub(super) fn not_blocked(author: &str) -> String {
    format!("not {}", blocked(author))
}

/// Whether one of the viewer and `author` blocked the other.
pub(super) fn blocked(author: &str) -> String {
    format!(
        "(exists (select from block b where b.member_id = $1 and b.other_id = {author}) \
         or exists (select from block b where b.member_id = {author} and b.other_id = $1))"
    )
}

/// Whether the viewer may see the post with the alias `p`.
pub(super) fn post_visible() -> String {
    format!(
        "p.deleted_at is null and (p.publication = 'PUBLISHED' or p.author_id = $1) and {}",
        not_blocked("p.author_id")
    )
}

/// Whether the viewer may see the comment with the alias `c`, apart from its post.
pub(super) fn comment_visible() -> String {
    format!(
        "c.deleted_at is null and (c.publication = 'PUBLISHED' or c.author_id = $1) and {}",
        not_blocked("c.author_id")
    )
}
