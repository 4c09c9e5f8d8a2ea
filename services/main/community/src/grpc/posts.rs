//! Posts and likes of posts.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::community::v1 as wire;
use proto::community::v1::post_service_server::PostService;
use tonic::{Request, Response};

use super::{Service, changed_pictures, cursor, likes, member, pictures, post, request_id, viewer};
use crate::domain::pictures::MOST_OF_POST;
use crate::domain::post::{Category, Tag, are_tags};
use crate::error::CommunityError;
use crate::store::{Liked, NewPost, PostChange, PostOrder, PostPage, PostQuery, PostText};

#[tonic::async_trait]
impl PostService for Service {
    async fn list_posts(&self, request: Request<wire::ListPostsRequest>) -> Reply<wire::PostPage> {
        let query = query(request.into_inner())?;
        let page = self.store.posts(&query).await?;
        Ok(Response::new(post_page(page)))
    }

    async fn list_top_posts(
        &self,
        request: Request<wire::ListTopPostsRequest>,
    ) -> Reply<wire::PostPage> {
        let request = request.into_inner();
        let category = category(request.category)?;
        let viewer = viewer(request.viewer_id)?;
        let posts = self.store.top_posts(viewer, category).await?;
        Ok(Response::new(post_page(PostPage {
            posts,
            cursor: String::new(),
        })))
    }

    async fn get_post(&self, request: Request<wire::GetPostRequest>) -> Reply<wire::Post> {
        let request = request.into_inner();
        let viewer = viewer(request.viewer_id)?;
        let row = self.store.post(viewer, request.post_id).await?;
        Ok(Response::new(post(row)))
    }

    async fn create_post(
        &self,
        request: Request<wire::CreatePostRequest>,
    ) -> Reply<wire::WrittenPost> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let new = NewPost {
            member,
            request: request_id(&request.request_id)?,
            text: PostText {
                category: own_category(member, request.category)?,
                content: request.content,
                tags: tags(request.tags)?,
                pictures: pictures(request.images, request.image_alts, MOST_OF_POST)?,
            },
        };
        let (id, replayed) = self.store.create_post(&new).await?;
        let row = self.store.post(member, id).await?;
        Ok(Response::new(wire::WrittenPost {
            post: Some(post(row)),
            replayed,
        }))
    }

    async fn update_post(
        &self,
        request: Request<wire::UpdatePostRequest>,
    ) -> Reply<wire::WrittenPost> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let change = PostChange {
            member,
            post: request.post_id,
            category: own_category(member, request.category)?,
            content: request.content,
            tags: tags(request.tags)?,
            pictures: changed_pictures(
                request.keeps_images,
                (request.images, request.image_alts),
                MOST_OF_POST,
            )?,
            still_shown: request.still_shown_codes,
        };
        let row = self.store.update_post(&change).await?;
        Ok(Response::new(wire::WrittenPost {
            post: Some(post(row)),
            replayed: false,
        }))
    }

    async fn delete_post(
        &self,
        request: Request<wire::DeletePostRequest>,
    ) -> Reply<wire::DeletedPost> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        self.store.delete_post(member, request.post_id).await?;
        Ok(Response::new(wire::DeletedPost {}))
    }

    async fn like_post(&self, request: Request<wire::LikePostRequest>) -> Reply<wire::Likes> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let subject = Liked::Post(request.post_id);
        let state = self.likes.set(member, subject, request.liked).await?;
        Ok(Response::new(likes(state)))
    }

    async fn set_mute(&self, request: Request<wire::SetMuteRequest>) -> Reply<wire::Mute> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        self.store
            .set_mute(member, request.post_id, request.on)
            .await?;
        Ok(Response::new(wire::Mute {
            is_muted: request.on,
        }))
    }

    async fn count_new_posts(
        &self,
        request: Request<wire::CountNewPostsRequest>,
    ) -> Reply<wire::NewPosts> {
        let request = request.into_inner();
        let category = category(request.category)?;
        let viewer = viewer(request.viewer_id)?;
        let count = self
            .store
            .count_new_posts(viewer, category, request.after_post_id)
            .await?;
        Ok(Response::new(wire::NewPosts {
            count: count.try_into().unwrap_or(i32::MAX),
        }))
    }
}

pub(super) fn post_page(page: PostPage) -> wire::PostPage {
    wire::PostPage {
        posts: page.posts.into_iter().map(post).collect(),
        cursor: page.cursor,
    }
}

fn query(request: wire::ListPostsRequest) -> Result<PostQuery, CommunityError> {
    let category = category(request.category)?;
    let order = match request.order() {
        wire::PostOrder::Latest => PostOrder::Latest,
        wire::PostOrder::Hot => PostOrder::Hot,
        wire::PostOrder::Item if request.instrument_code.is_empty() => {
            return Err(CommunityError::Malformed);
        }
        wire::PostOrder::Item => PostOrder::Item(request.instrument_code),
        wire::PostOrder::Follow if request.viewer_id == 0 => return Err(CommunityError::Malformed),
        wire::PostOrder::Follow => PostOrder::Followed,
        wire::PostOrder::Unspecified => return Err(CommunityError::Malformed),
    };
    if request.page < 0 {
        return Err(CommunityError::Malformed);
    }
    let size = usize::try_from(request.size).ok();
    let size = size.filter(|size| (1..=MAX_SIZE).contains(size));
    let size = size.ok_or(CommunityError::Malformed)?;
    if request.page > MAX_PAGE {
        return Err(CommunityError::PageTooFar);
    }
    // Each page would read all the pages before of everybody who is followed.
    let is_far = order == PostOrder::Followed && request.page > 0;
    if is_far && request.cursor.is_empty() {
        return Err(CommunityError::PageTooFar);
    }
    let skipped = if request.cursor.is_empty() {
        i64::from(request.page) * i64::from(request.size)
    } else {
        0
    };
    Ok(PostQuery {
        viewer: viewer(request.viewer_id)?,
        category,
        after: cursor(&request.cursor, order.cursor_kind())?,
        order,
        skipped,
        size,
    })
}

/// `None` for all.
fn category(number: i32) -> Result<Option<Category>, CommunityError> {
    let category = wire::Category::try_from(number)
        .ok()
        .ok_or(CommunityError::Malformed)?;
    Ok(Some(match category {
        wire::Category::Unspecified => return Ok(None),
        wire::Category::Free => Category::Free,
        wire::Category::Stock => Category::Stock,
        wire::Category::Coin => Category::Coin,
        wire::Category::Product => Category::Product,
        wire::Category::Study => Category::Study,
        wire::Category::Notice => Category::Notice,
    }))
}

/// One in which the member may write.
fn own_category(member: MemberId, number: i32) -> Result<Category, CommunityError> {
    let category = category(number)?.ok_or(CommunityError::Malformed)?;
    if category == Category::Notice && member != MemberId::OPERATOR {
        return Err(CommunityError::CategoryNotAllowed);
    }
    Ok(category)
}

fn tags(tags: Vec<wire::InstrumentTag>) -> Result<Vec<Tag>, CommunityError> {
    let tags = tags.into_iter().map(|tag| Tag {
        code: tag.code,
        is_held: tag.is_held,
    });
    let tags: Vec<Tag> = tags.collect();
    if are_tags(&tags) {
        Ok(tags)
    } else {
        Err(CommunityError::TagUnknown)
    }
}

const MAX_PAGE: i32 = 100;
const MAX_SIZE: usize = 20;
