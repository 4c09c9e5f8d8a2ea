//! The gRPC services: convert the request, call the store, convert the result.

mod comments;
mod files;
mod moderation;
mod people;
mod posts;

use std::io;
use std::sync::Arc;

use kernel::{MemberId, RequestId};
use proto::community::v1 as wire;
use proto::community::v1::comment_service_server::CommentServiceServer;
use proto::community::v1::file_service_server::FileServiceServer;
use proto::community::v1::moderation_service_server::ModerationServiceServer;
use proto::community::v1::people_service_server::PeopleServiceServer;
use proto::community::v1::post_service_server::PostServiceServer;
use proto::convert::micros;
use tonic::service::Routes;
use uuid::Uuid;

use crate::domain::cursor::{CursorKind, Key};
use crate::domain::pictures::check_alt_text;
use crate::domain::post::{Category, Publication};
use crate::error::CommunityError;
use crate::likes::Likes;
use crate::pictures::files::Files;
use crate::pictures::upload::Uploads;
use crate::store::{ChosenPicture, CommentRow, LikeState, PictureRow, PostRow, Store, Thread};

pub struct Service {
    store: Store,
    likes: Likes,
    files: Files,
    uploads: Uploads,
}

impl Service {
    /// Spawns the task that stores likes and the threads that decode pictures.
    ///
    /// # Errors
    /// When those cannot be started.
    pub fn new(store: Store, files: Files) -> io::Result<Self> {
        Ok(Self {
            likes: Likes::start(store.clone()),
            uploads: Uploads::new(store.clone(), files.clone())?,
            files,
            store,
        })
    }

    #[must_use]
    pub fn into_routes(self) -> Routes {
        let service = Arc::new(self);
        Routes::new(PostServiceServer::from_arc(Arc::clone(&service)))
            .add_service(CommentServiceServer::from_arc(Arc::clone(&service)))
            .add_service(ModerationServiceServer::from_arc(Arc::clone(&service)))
            .add_service(FileServiceServer::from_arc(Arc::clone(&service)))
            .add_service(PeopleServiceServer::from_arc(service))
    }
}

/// Who reads: a member, or 0 for a visitor.
fn viewer(member: i64) -> Result<MemberId, CommunityError> {
    if member < 0 {
        return Err(CommunityError::Malformed);
    }
    Ok(MemberId(member))
}

fn member(member: i64) -> Result<MemberId, CommunityError> {
    if member <= 0 {
        return Err(CommunityError::Malformed);
    }
    Ok(MemberId(member))
}

fn request_id(text: &str) -> Result<RequestId, CommunityError> {
    RequestId::parse(text).ok().ok_or(CommunityError::Malformed)
}

fn cursor(text: &str, kind: CursorKind) -> Result<Key, CommunityError> {
    Key::decode(text, kind)
        .ok()
        .ok_or(CommunityError::CursorUnknown)
}

/// The pictures of a text with at most `most`, each once.
fn pictures(
    ids: Vec<String>,
    alt_texts: Vec<String>,
    most: usize,
) -> Result<Vec<ChosenPicture>, CommunityError> {
    if ids.len() > most || alt_texts.len() > ids.len() {
        return Err(CommunityError::TooManyImages);
    }
    let alt_texts = alt_texts
        .into_iter()
        .map(Some)
        .chain(std::iter::repeat(None));
    let mut chosen: Vec<ChosenPicture> = Vec::with_capacity(ids.len());
    for (id, alt_text) in ids.into_iter().zip(alt_texts) {
        let id = Uuid::try_parse(&id).ok();
        let id = id.filter(|id| chosen.iter().all(|other| other.id != *id));
        chosen.push(ChosenPicture {
            id: id.ok_or(CommunityError::ImageUnknown)?,
            alt_text: check_alt_text(&alt_text.unwrap_or_default())?,
        });
    }
    Ok(chosen)
}

/// `None` where a change keeps those that the text has.
fn changed_pictures(
    keeps: bool,
    (ids, alt_texts): (Vec<String>, Vec<String>),
    most: usize,
) -> Result<Option<Vec<ChosenPicture>>, CommunityError> {
    if !keeps {
        return pictures(ids, alt_texts, most).map(Some);
    }
    if ids.is_empty() && alt_texts.is_empty() {
        Ok(None)
    } else {
        Err(CommunityError::Malformed)
    }
}

fn picture(row: PictureRow) -> wire::Picture {
    wire::Picture {
        id: row.id.simple().to_string(),
        width: row.width,
        height: row.height,
        placeholder: row.placeholder,
        alt_text: row.alt_text,
    }
}

fn publication(word: &str) -> i32 {
    let publication = match Publication::parse(word) {
        Some(Publication::Published) => wire::Publication::Published,
        Some(Publication::Held) => wire::Publication::Held,
        Some(Publication::Hidden) => wire::Publication::Hidden,
        None => wire::Publication::Unspecified,
    };
    publication.into()
}

fn likes(state: LikeState) -> wire::Likes {
    wire::Likes {
        count: state.count.into(),
        is_liked: state.is_liked,
    }
}

fn post(row: PostRow) -> wire::Post {
    let category = match Category::parse(&row.category) {
        Some(Category::Free) => wire::Category::Free,
        Some(Category::Stock) => wire::Category::Stock,
        Some(Category::Coin) => wire::Category::Coin,
        Some(Category::Product) => wire::Category::Product,
        Some(Category::Study) => wire::Category::Study,
        Some(Category::Notice) => wire::Category::Notice,
        None => wire::Category::Unspecified,
    };
    let tags = row.tags.0.into_iter().map(|tag| wire::InstrumentTag {
        code: tag.code,
        is_held: tag.is_held,
    });
    wire::Post {
        id: row.id,
        author_id: if row.is_author_erased {
            0
        } else {
            row.author_id
        },
        category: category.into(),
        content: row.content,
        pictures: row.pictures.0.into_iter().map(picture).collect(),
        tags: tags.collect(),
        created_at_us: micros(row.created_at),
        modified_at_us: row.modified_at.map(micros).unwrap_or_default(),
        like_count: row.like_count.into(),
        comment_count: row.comment_count.into(),
        is_liked: row.is_liked,
        publication: publication(&row.publication),
        is_muted: row.is_muted,
    }
}

fn thread(thread: Thread) -> wire::Comment {
    wire::Comment {
        replies: thread.replies.into_iter().map(comment).collect(),
        ..comment(thread.comment)
    }
}

fn comment(row: CommentRow) -> wire::Comment {
    wire::Comment {
        id: row.id,
        post_id: row.post_id,
        parent_id: row.parent_id.unwrap_or_default(),
        author_id: row.author_id,
        content: row.content,
        pictures: row.pictures.0.into_iter().map(picture).collect(),
        tagged_member_id: row.tagged_member_id.unwrap_or_default(),
        created_at_us: micros(row.created_at),
        modified_at_us: row.modified_at.map(micros).unwrap_or_default(),
        like_count: row.like_count.into(),
        is_liked: row.is_liked,
        reply_count: row.reply_count.into(),
        replies: Vec::new(),
        is_deleted: row.is_deleted,
        is_blocked: row.is_blocked,
        publication: publication(&row.publication),
    }
}
