//! The community service of a test.

pub(super) mod files;

use std::sync::Arc;

use proto::community::v1::comment_service_server::CommentService;
use proto::community::v1::moderation_service_server::ModerationService;
use proto::community::v1::people_service_server::PeopleService;
use proto::community::v1::post_service_server::PostService;
use proto::community::v1::{
    Activity, ActivityKind, ActivityPage, AppealRequest, Appealed, BlockedMembers, Comment,
    CommentPage, CountNewPostsRequest, CreateCommentRequest, CreatePostRequest, CreateReplyRequest,
    DeleteCommentRequest, DeletePostRequest, DeletedComment, DeletedPost, GetActivityRequest,
    GetCommentRequest, GetHidingRequest, GetPostRequest, GetStandingRequest, Hiding,
    LikeCommentRequest, LikePostRequest, Likes, ListActivityRequest, ListBlockedRequest,
    ListCommentsRequest, ListPostsRequest, ListRepliesRequest, ListReportsRequest,
    ListTopPostsRequest, Mute, NewPosts, Post, PostPage, Relation, ReportPage, ReportRequest,
    Reported, SetMuteRequest, SetRelationRequest, Standing, UpdateCommentRequest,
    UpdatePostRequest, WrittenComment, WrittenPost,
};

use super::samples::{GONE, INSTANT_US, community as samples};
use super::{OTHER, Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { PostService:
    list_posts(ListPostsRequest) -> PostPage = |_| PostPage {
        posts: vec![samples::post(52, GONE), samples::post(51, samples::AUTHOR)],
        cursor: "Next-1_".to_owned(),
    };
    list_top_posts(ListTopPostsRequest) -> PostPage = |_| PostPage {
        posts: vec![samples::post(51, samples::AUTHOR)],
        cursor: String::new(),
    };
    get_post(GetPostRequest) -> Post =
        |request| samples::post(request.post_id, samples::author_of(request.post_id));
    create_post(CreatePostRequest) -> WrittenPost = |request| WrittenPost {
        post: Some(Post {
            category: request.category,
            content: request.content,
            pictures: samples::pictures(request.images, request.image_alts),
            tags: request.tags,
            ..samples::post(53, request.member_id)
        }),
        replayed: request.request_id == "seen-before",
    };
    update_post(UpdatePostRequest) -> WrittenPost = |request| WrittenPost {
        post: Some(Post {
            category: request.category,
            content: request.content,
            tags: request.tags,
            modified_at_us: samples::LATER_US,
            ..samples::post(request.post_id, request.member_id)
        }),
        replayed: false,
    };
    delete_post(DeletePostRequest) -> DeletedPost = |_| DeletedPost {};
    like_post(LikePostRequest) -> Likes = |request| Likes {
        count: 3,
        is_liked: request.liked,
    };
    set_mute(SetMuteRequest) -> Mute = |request| Mute {
        is_muted: request.on,
    };
    count_new_posts(CountNewPostsRequest) -> NewPosts = |_| NewPosts { count: 20 };
}

fake! { CommentService:
    list_comments(ListCommentsRequest) -> CommentPage = |request| CommentPage {
        comments: samples::thread(request.post_id),
        cursor: String::new(),
    };
    list_replies(ListRepliesRequest) -> CommentPage = |request| CommentPage {
        comments: vec![samples::reply(71, request.comment_id)],
        cursor: "Next-2_".to_owned(),
    };
    get_comment(GetCommentRequest) -> Comment =
        |request| samples::comment(request.comment_id, samples::author_of(request.comment_id));
    create_comment(CreateCommentRequest) -> WrittenComment = |request| WrittenComment {
        comment: Some(Comment {
            content: request.content,
            pictures: samples::pictures(request.images, request.image_alts),
            ..samples::comment(62, request.member_id)
        }),
        replayed: request.request_id == "seen-before",
    };
    create_reply(CreateReplyRequest) -> WrittenComment = |request| WrittenComment {
        comment: Some(Comment {
            author_id: request.member_id,
            content: request.content,
            tagged_member_id: request.tagged_member_id,
            ..samples::reply(72, request.comment_id)
        }),
        replayed: request.request_id == "seen-before",
    };
    update_comment(UpdateCommentRequest) -> WrittenComment = |request| WrittenComment {
        comment: Some(Comment {
            content: request.content,
            modified_at_us: samples::LATER_US,
            ..samples::comment(request.comment_id, request.member_id)
        }),
        replayed: false,
    };
    delete_comment(DeleteCommentRequest) -> DeletedComment = |_| DeletedComment {};
    like_comment(LikeCommentRequest) -> Likes = |request| Likes {
        count: 1,
        is_liked: request.liked,
    };
}

fake! { PeopleService:
    get_activity(GetActivityRequest) -> Activity = |request| Activity {
        post_count: 4,
        comment_count: 9,
        received_likes: 12,
        is_followed: request.viewer_id != 0,
        is_blocked: false,
        joined_at_us: INSTANT_US,
    };
    list_activity(ListActivityRequest) -> ActivityPage = |request| match request.kind() {
        ActivityKind::Comment => ActivityPage {
            posts: vec![],
            comments: vec![samples::comment(61, request.member_id)],
            cursor: String::new(),
        },
        ActivityKind::Unspecified | ActivityKind::Post | ActivityKind::Like => ActivityPage {
            posts: vec![samples::post(51, request.member_id)],
            comments: vec![],
            cursor: "Next-3_".to_owned(),
        },
    };
    set_follow(SetRelationRequest) -> Relation = |request| Relation {
        is_followed: request.on,
        is_blocked: false,
    };
    set_block(SetRelationRequest) -> Relation = |request| Relation {
        is_followed: false,
        is_blocked: request.on,
    };
    list_blocked(ListBlockedRequest) -> BlockedMembers = |_| BlockedMembers {
        member_ids: vec![GONE, OTHER],
        cursor: String::new(),
    };
    report(ReportRequest) -> Reported = |_| Reported {};
}

fake! { ModerationService:
    get_hiding(GetHidingRequest) -> Hiding = |_| samples::hiding();
    appeal(AppealRequest) -> Appealed = |request| Appealed {
        replayed: request.request_id == "seen-before",
    };
    get_standing(GetStandingRequest) -> Standing = |_| Standing {
        sanction: Some(samples::sanction()),
    };
    list_reports(ListReportsRequest) -> ReportPage = |_| ReportPage {
        reports: samples::own_reports(),
        cursor: "Next-4_".to_owned(),
    };
}
