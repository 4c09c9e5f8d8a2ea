//! The events that notifications come of, and those that change them or take them back.

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use messaging::NewEvent;
use proto::community::v1::{
    CommentEdited, CommentWithdrawn, CommentWritten, MemberBlocked, PostLiked, PostWithdrawn,
};
use proto::convert::micros;

pub const COMMENT_WRITTEN: &str = "community.comment.written.v1";
pub const COMMENT_EDITED: &str = "community.comment.edited.v1";
pub const COMMENT_WITHDRAWN: &str = "community.comment.withdrawn.v1";
pub const MEMBER_BLOCKED: &str = "community.member.blocked.v1";
pub const POST_LIKED: &str = "community.post.liked.v1";
pub const POST_WITHDRAWN: &str = "community.post.withdrawn.v1";

/// A published comment, and who is told of it.
#[derive(Clone, Debug)]
pub struct PublishedComment {
    pub id: i64,
    pub post: i64,
    pub parent: Option<i64>,
    pub author: i64,
    pub told_post_author: Option<i64>,
    pub told_comment_author: Option<i64>,
    pub told_tagged: Option<i64>,
    pub excerpt: String,
    pub at: DateTime<Utc>,
}

/// The present text of a comment, and who may have been told another.
#[derive(Clone, Debug)]
pub struct ChangedComment {
    pub id: i64,
    pub post: i64,
    pub told: Vec<i64>,
    pub excerpt: String,
    pub version: i32,
    pub at: DateTime<Utc>,
}

/// Who likes a post for the first time.
#[derive(Clone, Debug)]
pub struct NewLikes {
    pub post: i64,
    pub author: i64,
    pub members: Vec<i64>,
    pub excerpt: String,
    pub at: DateTime<Utc>,
}

#[must_use]
pub fn comment_written(comment: PublishedComment, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("comment-{}", comment.id);
    let body = CommentWritten {
        comment_id: comment.id,
        post_id: comment.post,
        parent_id: comment.parent.unwrap_or_default(),
        author_id: comment.author,
        told_post_author_id: comment.told_post_author.unwrap_or_default(),
        told_comment_author_id: comment.told_comment_author.unwrap_or_default(),
        told_tagged_id: comment.told_tagged.unwrap_or_default(),
        excerpt: comment.excerpt,
        written_at_us: micros(comment.at),
    };
    NewEvent::new(COMMENT_WRITTEN, aggregate, &body, clock)
}

#[must_use]
pub fn comment_edited(comment: ChangedComment, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("comment-{}", comment.id);
    let body = CommentEdited {
        comment_id: comment.id,
        post_id: comment.post,
        told_ids: comment.told,
        excerpt: comment.excerpt,
        version: comment.version,
        edited_at_us: micros(comment.at),
    };
    NewEvent::new(COMMENT_EDITED, aggregate, &body, clock)
}

#[must_use]
pub fn comment_withdrawn(
    (comment, post): (i64, i64),
    told_ids: Vec<i64>,
    at: DateTime<Utc>,
    clock: &dyn Clock,
) -> NewEvent {
    let body = CommentWithdrawn {
        comment_id: comment,
        post_id: post,
        told_ids,
        withdrawn_at_us: micros(at),
    };
    NewEvent::new(
        COMMENT_WITHDRAWN,
        format!("comment-{comment}"),
        &body,
        clock,
    )
}

#[must_use]
pub fn member_blocked(
    member: MemberId,
    blocked: MemberId,
    at: DateTime<Utc>,
    clock: &dyn Clock,
) -> NewEvent {
    let body = MemberBlocked {
        member_id: member.0,
        blocked_id: blocked.0,
        blocked_at_us: micros(at),
    };
    NewEvent::new(MEMBER_BLOCKED, format!("member-{}", member.0), &body, clock)
}

#[must_use]
pub fn post_liked(likes: NewLikes, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("post-{}", likes.post);
    let body = PostLiked {
        post_id: likes.post,
        told_post_author_id: likes.author,
        member_ids: likes.members,
        excerpt: likes.excerpt,
        liked_at_us: micros(likes.at),
    };
    NewEvent::new(POST_LIKED, aggregate, &body, clock)
}

#[must_use]
pub fn post_withdrawn(post: i64, at: DateTime<Utc>, clock: &dyn Clock) -> NewEvent {
    let body = PostWithdrawn {
        post_id: post,
        withdrawn_at_us: micros(at),
    };
    NewEvent::new(POST_WITHDRAWN, format!("post-{post}"), &body, clock)
}
