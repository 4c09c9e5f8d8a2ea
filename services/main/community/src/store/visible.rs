//! Conditions of SQL on what a member sees. The viewer is the parameter `$1`, 0 for a visitor, where
//! no other one is named.

/// Whether neither the viewer nor `author` blocked the other.
pub(super) fn not_blocked(author: &str) -> String {
    format!("not {}", blocked(author))
}

/// Whether one of the viewer and `author` blocked the other.
pub(super) fn blocked(author: &str) -> String {
    blocked_by("$1", author)
}

/// Whether the viewer may see the post with the alias `p`.
pub(super) fn post_visible() -> String {
    post_visible_to("$1")
}

/// Whether the viewer may see the comment with the alias `c`, apart from its post.
pub(super) fn comment_visible() -> String {
    comment_visible_to("$1")
}

/// As [`post_visible`].
pub(super) fn post_visible_to(viewer: &str) -> String {
    visible("p", viewer)
}

/// As [`comment_visible`].
pub(super) fn comment_visible_to(viewer: &str) -> String {
    visible("c", viewer)
}

fn visible(text: &str, viewer: &str) -> String {
    let blocked = blocked_by(viewer, &format!("{text}.author_id"));
    format!(
        "{text}.deleted_at is null \
         and ({text}.publication = 'PUBLISHED' or {text}.author_id = {viewer}) and not {blocked}"
    )
}

/// Whether one of two members blocked the other.
pub(super) fn blocked_by(viewer: &str, author: &str) -> String {
    format!(
        "(exists (select from block b where b.member_id = {viewer} and b.other_id = {author}) \
         or exists (select from block b where b.member_id = {author} and b.other_id = {viewer}))"
    )
}
