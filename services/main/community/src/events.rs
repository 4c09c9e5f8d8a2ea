//! The events that notifications come of.

use kernel::Clock;
use messaging::NewEvent;
use proto::community::v1::{CommentWritten, PostLiked};

pub const COMMENT_WRITTEN: &str = "community.comment.written.v1";
pub const POST_LIKED: &str = "community.post.liked.v1";

#[must_use]
pub fn comment_written(written: &CommentWritten, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("comment-{}", written.comment_id);
    NewEvent::new(COMMENT_WRITTEN, aggregate, written, clock)
}

#[must_use]
pub fn post_liked(liked: &PostLiked, clock: &dyn Clock) -> NewEvent {
    NewEvent::new(POST_LIKED, format!("post-{}", liked.post_id), liked, clock)
}
