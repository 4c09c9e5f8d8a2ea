//! What a member did, and what members are to each other.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::community::v1 as wire;
use proto::community::v1::people_service_server::PeopleService;
use proto::community::v1::report_request::Subject;
use proto::convert::micros;
use tonic::{Request, Response};

use super::{Service, comment, cursor, member, post, viewer};
use crate::domain::cursor::CursorKind;
use crate::domain::writing::check_report;
use crate::error::CommunityError;
use crate::store::{NewReport, PostPage, Relation, TextRef};

#[tonic::async_trait]
impl PeopleService for Service {
    async fn get_activity(
        &self,
        request: Request<wire::GetActivityRequest>,
    ) -> Reply<wire::Activity> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let member = member(request.member_id)?;
        self.store.check_member(member).await?;
        let (counts, relation) = self.store.activity(viewer, member).await?;
        let joined_at = self.store.joined_at(viewer, member).await?;
        Ok(Response::new(wire::Activity {
            post_count: counts.post_count,
            comment_count: counts.comment_count,
            received_likes: counts.received_likes,
            is_followed: relation.is_followed,
            is_blocked: relation.is_blocked,
            joined_at_us: joined_at.map(micros).unwrap_or_default(),
        }))
    }

    async fn list_activity(
        &self,
        request: Request<wire::ListActivityRequest>,
    ) -> Reply<wire::ActivityPage> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let member = member(request.member_id)?;
        let after = cursor(&request.cursor, CursorKind::Latest)?;
        self.store.check_member(member).await?;
        let page = match request.kind() {
            wire::ActivityKind::Post => of_posts(self.store.posts_of(viewer, member, after).await?),
            wire::ActivityKind::Like if viewer == member => {
                of_posts(self.store.liked_posts(member, after).await?)
            }
            wire::ActivityKind::Comment => {
                let page = self.store.comments_by(viewer, member, after).await?;
                wire::ActivityPage {
                    posts: Vec::new(),
                    comments: page.comments.into_iter().map(comment).collect(),
                    cursor: page.cursor,
                }
            }
            wire::ActivityKind::Like | wire::ActivityKind::Unspecified => {
                return Err(CommunityError::Malformed.into());
            }
        };
        Ok(Response::new(page))
    }

    async fn set_follow(
        &self,
        request: Request<wire::SetRelationRequest>,
    ) -> Reply<wire::Relation> {
        let request = request.into_inner();
        let (member, other) = pair(&request)?;
        let relation = self.store.set_follow(member, other, request.on).await?;
        Ok(Response::new(relation_of(relation)))
    }

    async fn set_block(&self, request: Request<wire::SetRelationRequest>) -> Reply<wire::Relation> {
        let request = request.into_inner();
        let (member, other) = pair(&request)?;
        let relation = self.store.set_block(member, other, request.on).await?;
        Ok(Response::new(relation_of(relation)))
    }

    async fn list_blocked(
        &self,
        request: Request<wire::ListBlockedRequest>,
    ) -> Reply<wire::BlockedMembers> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let after = cursor(&request.cursor, CursorKind::Latest)?;
        let page = self.store.blocked(member, after).await?;
        Ok(Response::new(wire::BlockedMembers {
            member_ids: page.members,
            cursor: page.cursor,
        }))
    }

    async fn report(&self, request: Request<wire::ReportRequest>) -> Reply<wire::Reported> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let reason = match request.reason() {
            wire::ReportReason::Abuse => "ABUSE",
            wire::ReportReason::Spam => "SPAM",
            wire::ReportReason::Manipulation => "MANIPULATION",
            wire::ReportReason::Obscene => "OBSCENE",
            wire::ReportReason::PersonalData => "PERSONAL_DATA",
            wire::ReportReason::Other => "OTHER",
            wire::ReportReason::Unspecified => return Err(CommunityError::Malformed.into()),
        };
        let subject = match request.subject {
            Some(Subject::PostId(id)) => TextRef::Post(id),
            Some(Subject::CommentId(id)) => TextRef::Comment(id),
            None => return Err(CommunityError::Malformed.into()),
        };
        let report = NewReport {
            member,
            subject,
            reason,
            text: check_report(&request.text).map_err(CommunityError::from)?,
        };
        self.store.report(&report).await?;
        Ok(Response::new(wire::Reported {}))
    }
}

fn of_posts(page: PostPage) -> wire::ActivityPage {
    wire::ActivityPage {
        posts: page.posts.into_iter().map(post).collect(),
        comments: Vec::new(),
        cursor: page.cursor,
    }
}

fn relation_of(relation: Relation) -> wire::Relation {
    wire::Relation {
        is_followed: relation.is_followed,
        is_blocked: relation.is_blocked,
    }
}

/// A member and another, who is not the operator.
fn pair(request: &wire::SetRelationRequest) -> Result<(MemberId, MemberId), CommunityError> {
    let member = member(request.member_id)?;
    let other = MemberId(request.other_id);
    if member == other {
        return Err(CommunityError::NotToOneself);
    }
    if other.0 <= 0 || other == MemberId::OPERATOR {
        return Err(CommunityError::MemberNotFound);
    }
    Ok((member, other))
}
