//! The community: posts, comments, and what members are to each other.

mod activity;
mod comment_view;
mod comments;
mod moderation;
mod mute;
mod people;
mod post_tags;
mod post_view;
mod posts;
mod relations;
mod report;
mod words;
mod write_comment;
mod write_post;

use utoipa::OpenApi;
use utoipa::openapi::OpenApi as OpenApiDocument;

use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint};

/// The description of these routes.
pub(crate) fn document() -> OpenApiDocument {
    let mut document = posts::Document::openapi();
    for part in [
        write_post::Document::openapi(),
        comments::Document::openapi(),
        write_comment::Document::openapi(),
        activity::Document::openapi(),
        relations::Document::openapi(),
        report::Document::openapi(),
        moderation::Document::openapi(),
        mute::Document::openapi(),
    ] {
        document.merge(part);
    }
    document
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let writes = [
        write_post::endpoints(),
        write_comment::endpoints(),
        relations::endpoints(),
        report::endpoints(),
        moderation::endpoints(),
        mute::endpoints(),
    ];
    // No text is as urgent as an order, whose permits these must not take.
    let writes = writes.concat().into_iter();
    [
        posts::endpoints(),
        comments::endpoints(),
        activity::endpoints(),
        writes.map(|write| write.class(Class::Read)).collect(),
    ]
    .concat()
}

/// Who reads: 0 for a visitor.
fn viewer(caller: Option<&Caller>) -> i64 {
    caller.map_or(0, |caller| caller.member_id.0)
}
