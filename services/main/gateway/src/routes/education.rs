//! Learning: quizzes, articles, the glossary and a member's progress.

mod answer;
mod article;
mod calendar;
mod glossary;
mod progress;
mod quiz;
mod themes;
mod trade_card;
mod words;

use utoipa::OpenApi;
use utoipa::openapi::OpenApi as OpenApiDocument;

use crate::endpoint::Endpoint;

/// The description of these routes.
pub(crate) fn document() -> OpenApiDocument {
    let mut document = quiz::Document::openapi();
    for part in [
        answer::Document::openapi(),
        themes::Document::openapi(),
        progress::Document::openapi(),
        calendar::Document::openapi(),
        article::Document::openapi(),
        glossary::Document::openapi(),
        trade_card::Document::openapi(),
    ] {
        document.merge(part);
    }
    document
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    [
        quiz::endpoints(),
        answer::endpoints(),
        themes::endpoints(),
        progress::endpoints(),
        calendar::endpoints(),
        article::endpoints(),
        glossary::endpoints(),
        trade_card::endpoints(),
    ]
    .concat()
}
