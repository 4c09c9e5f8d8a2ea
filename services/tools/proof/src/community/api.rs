//! Calls of the community, as the gateway makes them.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::grpc;
use proto::community::v1::comment_service_client::CommentServiceClient;
use proto::community::v1::file_service_client::FileServiceClient;
use proto::community::v1::people_service_client::PeopleServiceClient;
use proto::community::v1::picture_part::Part;
use proto::community::v1::post_service_client::PostServiceClient;
use proto::community::v1::{
    Activity, ActivityPage, Comment, CommentPage, CreateCommentRequest, CreatePostRequest,
    CreateReplyRequest, DeleteCommentRequest, DeletePostRequest, DeletedComment, DeletedPost,
    GetActivityRequest, GetCommentRequest, GetPostRequest, LikeCommentRequest, LikePostRequest,
    Likes, ListActivityRequest, ListCommentsRequest, ListPostsRequest, Picture, PicturePart, Post,
    PostPage, ReadPictureRequest, Relation, ReportRequest, Reported, SetRelationRequest,
    UpdateCommentRequest, UpdatePostRequest, UploadPictureRequest, WrittenComment, WrittenPost,
};
use tonic::{Response, Status};

use super::model::Fate;
use crate::retries::Retries;

#[derive(Clone)]
pub(super) struct Api {
    posts: PostServiceClient<grpc::Client>,
    comments: CommentServiceClient<grpc::Client>,
    people: PeopleServiceClient<grpc::Client>,
    files: FileServiceClient<grpc::Client>,
    retries: Arc<Retries>,
}

/// A response, or the reason of a refusal.
pub(super) struct Answer<T> {
    pub(super) result: Result<T, String>,
    pub(super) fate: Fate,
}

impl<T> Answer<T> {
    pub(super) fn reason(&self) -> Option<&str> {
        self.result.as_ref().err().map(String::as_str)
    }
}

impl Api {
    pub(super) fn new(url: &str, timeout: Duration) -> anyhow::Result<Self> {
        let channel = grpc::channel(url)?;
        Ok(Self {
            posts: PostServiceClient::new(channel.clone()),
            comments: CommentServiceClient::new(channel.clone()),
            people: PeopleServiceClient::new(channel.clone()),
            files: FileServiceClient::new(channel),
            retries: Arc::new(Retries::within(timeout)),
        })
    }

    pub(super) fn retries(&self) -> &Retries {
        &self.retries
    }

    /// One try, which its caller may give up.
    pub(super) async fn try_delete_post(&self, request: DeletePostRequest) -> Result<(), Status> {
        let deleted = self.posts.clone().delete_post(request).await;
        deleted.map(drop)
    }

    pub(super) async fn upload(
        &self,
        parts: Vec<UploadPictureRequest>,
    ) -> anyhow::Result<Answer<Picture>> {
        self.answer(|| {
            let (mut files, parts) = (self.files.clone(), parts.clone());
            async move {
                files
                    .upload_picture(futures_util::stream::iter(parts))
                    .await
            }
        })
        .await
    }

    /// How many bytes there are.
    pub(super) async fn read_picture(
        &self,
        request: ReadPictureRequest,
    ) -> anyhow::Result<Answer<usize>> {
        self.answer(|| {
            let (mut files, request) = (self.files.clone(), again(&request));
            async move {
                let mut parts = files.read_picture(request).await?.into_inner();
                let mut length = 0;
                while let Some(PicturePart { part }) = parts.message().await? {
                    length += match part {
                        Some(Part::Chunk(chunk)) => chunk.len(),
                        Some(Part::Head(_)) | None => 0,
                    };
                }
                Ok(Response::new(length))
            }
        })
        .await
    }

    async fn answer<T, F>(&self, call: impl Fn() -> F) -> anyhow::Result<Answer<T>>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let response = self.retries.call(call).await?;
        let fate = match (&response.result, response.failed_calls) {
            (Ok(_), _) => Fate::Done,
            (Err(_), 0) => Fate::Refused,
            (Err(_), _) => Fate::Unclear,
        };
        Ok(Answer {
            result: response.or_reason(),
            fate,
        })
    }
}

/// Some messages are copied and others cloned.
fn again<T: Clone>(request: &T) -> T {
    request.clone()
}

macro_rules! calls {
    ($($service:ident: $call:ident($request:ty) -> $reply:ty;)*) => {
        impl Api {
            $(pub(super) async fn $call(
                &self,
                request: $request,
            ) -> anyhow::Result<Answer<$reply>> {
                self.answer(|| {
                    let (mut service, request) = (self.$service.clone(), again(&request));
                    async move { service.$call(request).await }
                })
                .await
            })*
        }
    };
}

calls! {
    posts: create_post(CreatePostRequest) -> WrittenPost;
    posts: update_post(UpdatePostRequest) -> WrittenPost;
    posts: delete_post(DeletePostRequest) -> DeletedPost;
    posts: get_post(GetPostRequest) -> Post;
    posts: list_posts(ListPostsRequest) -> PostPage;
    posts: like_post(LikePostRequest) -> Likes;
    comments: create_comment(CreateCommentRequest) -> WrittenComment;
    comments: create_reply(CreateReplyRequest) -> WrittenComment;
    comments: update_comment(UpdateCommentRequest) -> WrittenComment;
    comments: delete_comment(DeleteCommentRequest) -> DeletedComment;
    comments: get_comment(GetCommentRequest) -> Comment;
    comments: list_comments(ListCommentsRequest) -> CommentPage;
    comments: like_comment(LikeCommentRequest) -> Likes;
    people: set_follow(SetRelationRequest) -> Relation;
    people: set_block(SetRelationRequest) -> Relation;
    people: report(ReportRequest) -> Reported;
    people: get_activity(GetActivityRequest) -> Activity;
    people: list_activity(ListActivityRequest) -> ActivityPage;
}
