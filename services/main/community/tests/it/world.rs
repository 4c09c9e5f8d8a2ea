//! The service on a database of its own, with a clock that tests move.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use community::domain::writing::Limits;
use community::erasure;
use community::grpc::Service;
use community::jobs;
use community::pictures::files::Files;
use community::pictures::removal;
use community::store::Store;
use kernel::FixedClock;
use proto::community::v1::comment_service_client::CommentServiceClient;
use proto::community::v1::file_service_client::FileServiceClient;
use proto::community::v1::moderation_service_client::ModerationServiceClient;
use proto::community::v1::people_service_client::PeopleServiceClient;
use proto::community::v1::post_service_client::PostServiceClient;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    Category, Comment, CommentPage, CreateCommentRequest, CreatePostRequest, CreateReplyRequest,
    DeleteCommentRequest, DeletePostRequest, GetCommentRequest, GetPostRequest, InstrumentTag,
    LikeCommentRequest, LikePostRequest, Likes, ListCommentsRequest, ListPostsRequest, Post,
    PostOrder, PostPage, Relation, ReportReason, ReportRequest, SetRelationRequest,
    UpdateCommentRequest,
};
use sqlx::PgPool;
use testkit::Served;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;
use tonic::{Response, Status};

use crate::flaky_store::FlakyStore;

pub(crate) const MEMBER: i64 = 100_007;
pub(crate) const OTHER: i64 = 100_008;
pub(crate) const THIRD: i64 = 100_009;

/// The member of whom auth told first.
pub(crate) const NEWEST: i64 = 9_000_000;

/// Limits that no test reaches by chance.
pub(crate) const FREE: Limits = Limits {
    posts_per_ten_minutes: 100_000,
    posts_per_day: 100_000,
    posts_on_first_day: 100_000,
    comments_per_minute: 100_000,
    edits_per_ten_minutes: 100_000,
    edits_per_day: 100_000,
};

pub(crate) struct World {
    pub(crate) pool: PgPool,
    pub(crate) clock: FixedClock,
    pub(crate) store: Store,
    pub(crate) posts: PostServiceClient<Channel>,
    pub(crate) comments: CommentServiceClient<Channel>,
    pub(crate) people: PeopleServiceClient<Channel>,
    pub(crate) moderation: ModerationServiceClient<Channel>,
    pub(crate) pictures: FileServiceClient<Channel>,
    pub(crate) files: Files,
    pub(crate) flaky: Arc<FlakyStore>,
    _served: Served,
}

impl World {
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, FREE).await
    }

    pub(crate) async fn with(pool: PgPool, limits: Limits) -> Self {
        let flaky = Arc::new(FlakyStore::default());
        let files = Files::over(flaky.clone());
        Self::on(pool, limits, (flaky, files)).await
    }

    /// Whose files are in a folder.
    pub(crate) async fn with_files(pool: PgPool, files: Files) -> Self {
        Self::on(pool, FREE, (Arc::default(), files)).await
    }

    async fn on(pool: PgPool, limits: Limits, (flaky, files): (Arc<FlakyStore>, Files)) -> Self {
        // Whoever has no row has joined before the first one who has.
        sqlx::query("insert into member values ($1, '2026-01-01') on conflict do nothing")
            .bind(NEWEST)
            .execute(&pool)
            .await
            .unwrap();
        let clock = FixedClock::at(start());
        let store = Store::new(pool.clone(), limits, Arc::new(clock.clone()));
        let service = Service::new(store.clone(), files.clone()).unwrap();
        let served = testkit::serve(service.into_routes()).await;
        let url = served.url.clone();
        Self {
            pool,
            clock,
            files,
            flaky,
            pictures: FileServiceClient::connect(url.clone()).await.unwrap(),
            store,
            posts: PostServiceClient::connect(url.clone()).await.unwrap(),
            comments: CommentServiceClient::connect(url.clone()).await.unwrap(),
            people: PeopleServiceClient::connect(url.clone()).await.unwrap(),
            moderation: ModerationServiceClient::connect(url).await.unwrap(),
            _served: served,
        }
    }

    pub(crate) fn pass(&self, step: TimeDelta) {
        self.clock.advance(step);
    }

    pub(crate) async fn try_post(&self, request: CreatePostRequest) -> Result<Post, Status> {
        let written = self.posts.clone().create_post(request).await?;
        Ok(written.into_inner().post.unwrap())
    }

    /// A second later than the text before, so that the order is known.
    pub(crate) async fn post(&self, member: i64, content: &str) -> Post {
        self.pass(TimeDelta::seconds(1));
        self.try_post(new_post(member, content)).await.unwrap()
    }

    pub(crate) async fn get(&self, viewer: i64, post: i64) -> Result<Post, Status> {
        let request = GetPostRequest {
            viewer_id: viewer,
            post_id: post,
        };
        let found = self.posts.clone().get_post(request).await;
        found.map(Response::into_inner)
    }

    pub(crate) async fn delete(&self, member: i64, post: i64) -> Result<(), Status> {
        let request = DeletePostRequest {
            member_id: member,
            post_id: post,
        };
        self.posts.clone().delete_post(request).await.map(drop)
    }

    pub(crate) async fn like(&self, member: i64, post: i64, liked: bool) -> Result<Likes, Status> {
        let request = LikePostRequest {
            member_id: member,
            post_id: post,
            liked,
        };
        let likes = self.posts.clone().like_post(request).await;
        likes.map(Response::into_inner)
    }

    pub(crate) async fn try_list(&self, request: ListPostsRequest) -> Result<PostPage, Status> {
        let page = self.posts.clone().list_posts(request).await;
        page.map(Response::into_inner)
    }

    pub(crate) async fn list(&self, viewer: i64, order: PostOrder) -> Vec<i64> {
        let page = self.try_list(list_of(viewer, order)).await.unwrap();
        page.posts.iter().map(|post| post.id).collect()
    }

    pub(crate) async fn try_comment(
        &self,
        request: CreateCommentRequest,
    ) -> Result<Comment, Status> {
        let written = self.comments.clone().create_comment(request).await?;
        Ok(written.into_inner().comment.unwrap())
    }

    pub(crate) async fn comment(&self, member: i64, post: i64, content: &str) -> Comment {
        self.pass(TimeDelta::seconds(1));
        let request = new_comment(member, post, content);
        self.try_comment(request).await.unwrap()
    }

    pub(crate) async fn try_reply(&self, request: CreateReplyRequest) -> Result<Comment, Status> {
        let written = self.comments.clone().create_reply(request).await?;
        Ok(written.into_inner().comment.unwrap())
    }

    pub(crate) async fn reply(&self, member: i64, comment: i64, content: &str) -> Comment {
        self.pass(TimeDelta::seconds(1));
        let request = new_reply(member, comment, content);
        self.try_reply(request).await.unwrap()
    }

    pub(crate) async fn get_comment(&self, viewer: i64, comment: i64) -> Result<Comment, Status> {
        let request = GetCommentRequest {
            viewer_id: viewer,
            comment_id: comment,
        };
        let found = self.comments.clone().get_comment(request).await;
        found.map(Response::into_inner)
    }

    pub(crate) async fn try_comments(
        &self,
        viewer: i64,
        post: i64,
        cursor: &str,
    ) -> Result<CommentPage, Status> {
        let request = ListCommentsRequest {
            viewer_id: viewer,
            post_id: post,
            cursor: cursor.to_owned(),
        };
        let page = self.comments.clone().list_comments(request).await;
        page.map(Response::into_inner)
    }

    pub(crate) async fn comments_of(&self, viewer: i64, post: i64) -> Vec<Comment> {
        self.try_comments(viewer, post, "").await.unwrap().comments
    }

    /// Its pictures are taken out.
    pub(crate) async fn change_comment(&self, member: i64, comment: i64, content: &str) {
        let request = UpdateCommentRequest {
            member_id: member,
            comment_id: comment,
            content: content.to_owned(),
            ..UpdateCommentRequest::default()
        };
        let changed = self.comments.clone().update_comment(request).await;
        changed.unwrap();
    }

    pub(crate) async fn delete_comment(&self, member: i64, comment: i64) -> Result<(), Status> {
        let request = DeleteCommentRequest {
            member_id: member,
            comment_id: comment,
        };
        let deleted = self.comments.clone().delete_comment(request).await;
        deleted.map(drop)
    }

    pub(crate) async fn like_comment(
        &self,
        member: i64,
        comment: i64,
        liked: bool,
    ) -> Result<Likes, Status> {
        let request = LikeCommentRequest {
            member_id: member,
            comment_id: comment,
            liked,
        };
        let likes = self.comments.clone().like_comment(request).await;
        likes.map(Response::into_inner)
    }

    pub(crate) async fn follow(
        &self,
        member_id: i64,
        other_id: i64,
        on: bool,
    ) -> Result<Relation, Status> {
        let request = SetRelationRequest {
            member_id,
            other_id,
            on,
        };
        let relation = self.people.clone().set_follow(request).await;
        relation.map(Response::into_inner)
    }

    pub(crate) async fn block(
        &self,
        member_id: i64,
        other_id: i64,
        on: bool,
    ) -> Result<Relation, Status> {
        let request = SetRelationRequest {
            member_id,
            other_id,
            on,
        };
        let relation = self.people.clone().set_block(request).await;
        relation.map(Response::into_inner)
    }

    pub(crate) async fn report(&self, member_id: i64, subject: Subject) -> Result<(), Status> {
        let request = ReportRequest {
            member_id,
            subject: Some(subject),
            reason: ReportReason::Spam.into(),
            text: "광고 같아요".to_owned(),
        };
        self.people.clone().report(request).await.map(drop)
    }

    /// One round of the jobs.
    pub(crate) async fn work(&self) {
        let shutdown = CancellationToken::new();
        jobs::work(&self.store, &shutdown).await.unwrap();
        erasure::work(&self.store, &shutdown).await.unwrap();
        removal::work(&self.store, &self.files, &shutdown)
            .await
            .unwrap();
    }

    /// What one value of the database is.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }
}

pub(crate) fn start() -> DateTime<Utc> {
    "2026-12-01T00:00:00Z".parse().unwrap()
}

/// A request id that no other request has.
pub(crate) fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("request-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn new_post(member_id: i64, content: &str) -> CreatePostRequest {
    CreatePostRequest {
        member_id,
        request_id: fresh_id(),
        category: Category::Free.into(),
        content: content.to_owned(),
        ..CreatePostRequest::default()
    }
}

pub(crate) fn new_comment(member_id: i64, post_id: i64, content: &str) -> CreateCommentRequest {
    CreateCommentRequest {
        member_id,
        request_id: fresh_id(),
        post_id,
        content: content.to_owned(),
        ..CreateCommentRequest::default()
    }
}

pub(crate) fn new_reply(member_id: i64, comment_id: i64, content: &str) -> CreateReplyRequest {
    CreateReplyRequest {
        member_id,
        request_id: fresh_id(),
        comment_id,
        content: content.to_owned(),
        ..CreateReplyRequest::default()
    }
}

pub(crate) fn list_of(viewer_id: i64, order: PostOrder) -> ListPostsRequest {
    ListPostsRequest {
        viewer_id,
        order: order.into(),
        category: Category::Free.into(),
        size: 20,
        ..ListPostsRequest::default()
    }
}

pub(crate) fn tag(code: &str) -> InstrumentTag {
    InstrumentTag {
        code: code.to_owned(),
        is_held: false,
    }
}

/// The reason of a refusal.
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    let status = answer.unwrap_err();
    bootstrap::problem::of(&status).map_or_else(|| format!("{status:?}"), |problem| problem.reason)
}
