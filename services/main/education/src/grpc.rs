//! The gRPC services: convert the request, call the store, convert the result.

mod articles;
mod cards;
mod progress;
mod quizzes;

use std::sync::Arc;

use proto::education::v1 as wire;
use proto::education::v1::article_service_server::ArticleServiceServer;
use proto::education::v1::card_service_server::CardServiceServer;
use proto::education::v1::progress_service_server::ProgressServiceServer;
use proto::education::v1::quiz_service_server::QuizServiceServer;
use tonic::service::Routes;

use crate::answers::Answers;
use crate::content::{Level, Term};
use crate::library::Library;
use crate::repair::Repairs;
use crate::store::{Store, Totals};

pub struct Service {
    store: Store,
    answers: Answers,
    repairs: Repairs,
}

impl Service {
    /// Spawns the task that stores answers.
    #[must_use]
    pub fn new(store: Store, repairs: Repairs) -> Self {
        Self {
            answers: Answers::start(store.clone()),
            store,
            repairs,
        }
    }

    #[must_use]
    pub fn into_routes(self) -> Routes {
        let service = Arc::new(self);
        Routes::new(QuizServiceServer::from_arc(Arc::clone(&service)))
            .add_service(ArticleServiceServer::from_arc(Arc::clone(&service)))
            .add_service(CardServiceServer::from_arc(Arc::clone(&service)))
            .add_service(ProgressServiceServer::from_arc(service))
    }

    fn library(&self) -> &Library {
        self.store.library()
    }
}

fn level(level: Level) -> i32 {
    let level = match level {
        Level::Intro => wire::Level::Easy,
        Level::Basic => wire::Level::Normal,
        Level::Advanced => wire::Level::Hard,
    };
    level.into()
}

fn totals(totals: Totals) -> wire::Totals {
    wire::Totals {
        points: totals.points,
        tried: totals.tried,
        correct: totals.correct,
    }
}

fn term(library: &Library, term: &Term) -> wire::Term {
    wire::Term {
        word: term.word.clone(),
        gist: term.gist.clone(),
        text: term.text.clone(),
        theme_id: term.theme.clone(),
        theme_name: library.theme_name(&term.theme).to_owned(),
        aliases: term.aliases.clone(),
    }
}

/// Saturates.
fn int(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}
