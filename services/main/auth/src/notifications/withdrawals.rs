//! What members are not told of any more: comments and posts that nobody sees now, and whoever a block
//! separates from them.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::Event;
use prost::Message;
use proto::community::v1::{CommentWithdrawn, MemberBlocked, PostWithdrawn};
use proto::convert::to_instant;

use super::rules::InvalidNotice;
use super::rules::{comment_key, post_link};

pub const COMMENT_WITHDRAWN: &str = "community.comment.withdrawn.v1";
pub const MEMBER_BLOCKED: &str = "community.member.blocked.v1";
pub const POST_WITHDRAWN: &str = "community.post.withdrawn.v1";

/// Which notices a member shall not see any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    pub member: MemberId,
    pub notices: Withdrawn,
    /// What an actor did later is told.
    pub withdrawn_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Withdrawn {
    /// The notice with this deduplication key, also where it comes later.
    Key(String),
    /// All that tell of what this member did.
    Actor(MemberId),
}

/// A post of whose comments and likes nobody shall see notices any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawnPost {
    /// To which all those notices lead.
    pub link: String,
    /// What happened later is told.
    pub withdrawn_at: DateTime<Utc>,
}

/// The post that an event takes back. `None` for an event of another type.
///
/// # Errors
/// [`InvalidNotice`].
pub fn withdrawn_post(event: &Event) -> Result<Option<WithdrawnPost>, InvalidNotice> {
    if event.event_type != POST_WITHDRAWN {
        return Ok(None);
    }
    let body = PostWithdrawn::decode(event.body.clone())?;
    Ok(Some(WithdrawnPost {
        link: post_link(body.post_id),
        withdrawn_at: to_instant(body.withdrawn_at_us, "withdrawn_at_us")?,
    }))
}

/// What an event takes back of certain members. `None` for one that takes nothing back.
///
/// # Errors
/// [`InvalidNotice`].
pub fn withdrawals(event: &Event) -> Result<Option<Vec<Withdrawal>>, InvalidNotice> {
    let mut withdrawals = match event.event_type.as_str() {
        COMMENT_WITHDRAWN => withdrawn(CommentWithdrawn::decode(event.body.clone())?)?,
        MEMBER_BLOCKED => blocked(&MemberBlocked::decode(event.body.clone())?)?,
        _ => return Ok(None),
    };
    withdrawals.retain(|withdrawal| withdrawal.member.0 > 0);
    Ok(Some(withdrawals))
}

fn withdrawn(event: CommentWithdrawn) -> Result<Vec<Withdrawal>, InvalidNotice> {
    let withdrawn_at = to_instant(event.withdrawn_at_us, "withdrawn_at_us")?;
    let key = comment_key(event.comment_id);
    let members = event.told_ids.into_iter().map(MemberId);
    let withdrawal = |member| Withdrawal {
        member,
        notices: Withdrawn::Key(key.clone()),
        withdrawn_at,
    };
    Ok(members.map(withdrawal).collect())
}

/// Both see nothing of each other.
fn blocked(event: &MemberBlocked) -> Result<Vec<Withdrawal>, InvalidNotice> {
    let withdrawn_at = to_instant(event.blocked_at_us, "blocked_at_us")?;
    let pair = (MemberId(event.member_id), MemberId(event.blocked_id));
    let withdrawal = |(member, actor)| Withdrawal {
        member,
        notices: Withdrawn::Actor(actor),
        withdrawn_at,
    };
    Ok(vec![withdrawal(pair), withdrawal((pair.1, pair.0))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event_type: &str, body: &impl Message) -> Event {
        Event {
            event_id: uuid::Uuid::new_v4(),
            event_type: event_type.to_owned(),
            aggregate_id: "1".to_owned(),
            occurred_at: DateTime::UNIX_EPOCH,
            body: body.encode_to_vec().into(),
        }
    }

    #[test]
    fn a_block_takes_back_what_each_was_told_of_the_other() {
        let body = MemberBlocked {
            member_id: 7,
            blocked_id: 8,
            blocked_at_us: 1_000_000,
        };
        let withdrawals = withdrawals(&event(MEMBER_BLOCKED, &body)).unwrap().unwrap();
        let pairs = withdrawals
            .into_iter()
            .map(|one| (one.member.0, one.notices));
        let actor = |id| Withdrawn::Actor(MemberId(id));
        assert_eq!(pairs.collect::<Vec<_>>(), [(7, actor(8)), (8, actor(7))]);
    }

    #[test]
    fn a_comment_is_taken_back_from_all_who_may_know_it() {
        let body = CommentWithdrawn {
            comment_id: 61,
            post_id: 51,
            told_ids: vec![7, 0, 8],
            withdrawn_at_us: 1_000_000,
        };
        let withdrawals = withdrawals(&event(COMMENT_WITHDRAWN, &body)).unwrap();
        let members = withdrawals.unwrap().into_iter().map(|one| one.member.0);
        assert_eq!(members.collect::<Vec<_>>(), [7, 8]);
    }

    #[test]
    fn a_post_is_taken_back_by_where_its_notices_lead() {
        let body = PostWithdrawn {
            post_id: 51,
            withdrawn_at_us: 1_000_000,
        };
        let withdrawn = event(POST_WITHDRAWN, &body);
        let post = withdrawn_post(&withdrawn).unwrap().unwrap();
        assert_eq!(post.link, "/community/detail?communitySid=51");
        assert_eq!(withdrawals(&withdrawn).unwrap(), None);
        let other = event(MEMBER_BLOCKED, &MemberBlocked::default());
        assert_eq!(withdrawn_post(&other).unwrap(), None);
    }

    #[test]
    fn other_events_take_nothing_back_and_a_broken_one_is_refused() {
        let liked = event("community.post.liked.v1", &MemberBlocked::default());
        assert_eq!(withdrawals(&liked).unwrap(), None);
        let broken = Event {
            body: vec![0xff, 0xff].into(),
            ..event(MEMBER_BLOCKED, &MemberBlocked::default())
        };
        assert!(withdrawals(&broken).is_err());
    }
}
