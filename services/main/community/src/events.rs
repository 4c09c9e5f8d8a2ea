//! The events that notifications come of, and those that take them back.

use kernel::Clock;
use messaging::NewEvent;
use proto::community::v1::{
    CommentWithdrawn, CommentWritten, MemberBlocked, PostLiked, PostWithdrawn,
};

pub const COMMENT_WRITTEN: &str = "community.comment.written.v1";
pub const COMMENT_WITHDRAWN: &str = "community.comment.withdrawn.v1";
pub const MEMBER_BLOCKED: &str = "community.member.blocked.v1";
pub const POST_LIKED: &str = "community.post.liked.v1";
pub const POST_WITHDRAWN: &str = "community.post.withdrawn.v1";

#[must_use]
pub fn comment_written(written: &CommentWritten, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("comment-{}", written.comment_id);
    NewEvent::new(COMMENT_WRITTEN, aggregate, written, clock)
}

#[must_use]
pub fn comment_withdrawn(withdrawn: &CommentWithdrawn, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("comment-{}", withdrawn.comment_id);
    NewEvent::new(COMMENT_WITHDRAWN, aggregate, withdrawn, clock)
}

#[must_use]
pub fn member_blocked(blocked: &MemberBlocked, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", blocked.member_id);
    NewEvent::new(MEMBER_BLOCKED, aggregate, blocked, clock)
}

#[must_use]
pub fn post_liked(liked: &PostLiked, clock: &dyn Clock) -> NewEvent {
    NewEvent::new(POST_LIKED, format!("post-{}", liked.post_id), liked, clock)
}

#[must_use]
pub fn post_withdrawn(withdrawn: &PostWithdrawn, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("post-{}", withdrawn.post_id);
    NewEvent::new(POST_WITHDRAWN, aggregate, withdrawn, clock)
}
