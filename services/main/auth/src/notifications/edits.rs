//! Comments whose text is another than members were told.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::Event;
use prost::Message;
use proto::community::v1::CommentEdited;
use proto::convert::to_instant;

use super::rules::{InvalidNotice, comment_key, post_link};

pub const COMMENT_EDITED: &str = "community.comment.edited.v1";

/// What the notices of a key say now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub dedupe_key: String,
    /// To which they lead.
    pub link: String,
    /// Who may have been told.
    pub members: Vec<MemberId>,
    pub body: String,
    /// Whichever is the highest holds, in whatever order they come.
    pub version: i32,
    pub edited_at: DateTime<Utc>,
}

/// What an event says of notices that were told. `None` for an event of another type.
///
/// # Errors
/// [`InvalidNotice`].
pub fn edit(event: &Event) -> Result<Option<Edit>, InvalidNotice> {
    if event.event_type != COMMENT_EDITED {
        return Ok(None);
    }
    let body = CommentEdited::decode(event.body.clone())?;
    Ok(Some(Edit {
        dedupe_key: comment_key(body.comment_id),
        link: post_link(body.post_id),
        members: body.told_ids.into_iter().map(MemberId).collect(),
        body: body.excerpt,
        version: body.version,
        edited_at: to_instant(body.edited_at_us, "edited_at_us")?,
    }))
}
