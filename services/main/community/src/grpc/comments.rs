//! Comments, replies and their likes.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::community::v1 as wire;
use proto::community::v1::comment_service_server::CommentService;
use tonic::{Request, Response};

use super::{
    Service, changed_pictures, cursor, likes, member, pictures, request_id, thread, viewer,
};
use crate::domain::cursor::CursorKind;
use crate::domain::pictures::MOST_OF_COMMENT;
use crate::error::CommunityError;
use crate::store::{CommentChange, CommentPage, Liked, NewComment, Subject};

#[tonic::async_trait]
impl CommentService for Service {
    async fn list_comments(
        &self,
        request: Request<wire::ListCommentsRequest>,
    ) -> Reply<wire::CommentPage> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let after = cursor(&request.cursor, CursorKind::Oldest)?;
        let page = self.store.comments(viewer, request.post_id, after).await?;
        Ok(Response::new(comment_page(page)))
    }

    async fn list_replies(
        &self,
        request: Request<wire::ListRepliesRequest>,
    ) -> Reply<wire::CommentPage> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let after = cursor(&request.cursor, CursorKind::Oldest)?;
        let page = self.store.replies(viewer, request.comment_id, after);
        Ok(Response::new(comment_page(page.await?)))
    }

    async fn get_comment(&self, request: Request<wire::GetCommentRequest>) -> Reply<wire::Comment> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let found = self.store.comment(viewer, request.comment_id).await?;
        Ok(Response::new(thread(found)))
    }

    async fn create_comment(
        &self,
        request: Request<wire::CreateCommentRequest>,
    ) -> Reply<wire::WrittenComment> {
        let request = request.into_inner();
        let new = NewComment {
            member: member(request.member_id)?,
            request: request_id(&request.request_id)?,
            subject: Subject::Post(request.post_id),
            content: request.content,
            pictures: pictures(request.images, request.image_alts, MOST_OF_COMMENT)?,
        };
        Ok(Response::new(self.create(&new).await?))
    }

    async fn create_reply(
        &self,
        request: Request<wire::CreateReplyRequest>,
    ) -> Reply<wire::WrittenComment> {
        let request = request.into_inner();
        let tagged = viewer(request.tagged_member_id)?;
        let new = NewComment {
            member: member(request.member_id)?,
            request: request_id(&request.request_id)?,
            subject: Subject::Comment {
                id: request.comment_id,
                tagged: (tagged != MemberId::NOBODY).then_some(tagged),
            },
            content: request.content,
            pictures: pictures(request.images, request.image_alts, MOST_OF_COMMENT)?,
        };
        Ok(Response::new(self.create(&new).await?))
    }

    async fn update_comment(
        &self,
        request: Request<wire::UpdateCommentRequest>,
    ) -> Reply<wire::WrittenComment> {
        let request = request.into_inner();
        let change = CommentChange {
            member: member(request.member_id)?,
            comment: request.comment_id,
            content: request.content,
            pictures: changed_pictures(
                request.keeps_images,
                (request.images, request.image_alts),
                MOST_OF_COMMENT,
            )?,
        };
        let changed = self.store.update_comment(&change).await?;
        Ok(Response::new(wire::WrittenComment {
            comment: Some(thread(changed)),
            replayed: false,
        }))
    }

    async fn delete_comment(
        &self,
        request: Request<wire::DeleteCommentRequest>,
    ) -> Reply<wire::DeletedComment> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        self.store
            .delete_comment(member, request.comment_id)
            .await?;
        Ok(Response::new(wire::DeletedComment {}))
    }

    async fn like_comment(&self, request: Request<wire::LikeCommentRequest>) -> Reply<wire::Likes> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let subject = Liked::Comment(request.comment_id);
        let state = self.likes.set(member, subject, request.liked).await?;
        Ok(Response::new(likes(state)))
    }
}

impl Service {
    async fn create(&self, new: &NewComment) -> Result<wire::WrittenComment, CommunityError> {
        let (written, replayed) = self.store.create_comment(new).await?;
        Ok(wire::WrittenComment {
            comment: Some(thread(written)),
            replayed,
        })
    }
}

fn comment_page(page: CommentPage) -> wire::CommentPage {
    wire::CommentPage {
        comments: page.threads.into_iter().map(thread).collect(),
        cursor: page.cursor,
    }
}
