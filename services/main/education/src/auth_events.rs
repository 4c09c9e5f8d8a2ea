//! What auth says of members: the themes and levels they want to be asked about.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::QuizFilterChanged;
use tokio_util::sync::CancellationToken;

use crate::content::Level;
use crate::domain::selection::QuizFilter;
use crate::error::StudyError;
use crate::store::Store;

pub const QUIZ_FILTER_CHANGED: &str = "auth.member.quiz_filter_changed.v1";

pub const QUEUE: &str = "education.auth-events";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[QUIZ_FILTER_CHANGED],
        prefetch: 12,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let changed = QuizFilterChanged::decode(event.body)?;
            copy(&store, &changed).await.map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Keeps the newest filter of a member. Idempotent, in any order.
///
/// # Errors
/// [`StudyError::Malformed`] for an unknown level or a number out of its range, and those of the
/// database.
pub async fn copy(store: &Store, changed: &QuizFilterChanged) -> Result<(), StudyError> {
    if changed.member_id <= 0 || changed.version <= 0 {
        return Err(StudyError::Malformed);
    }
    let levels = changed.levels.iter().map(|word| Level::parse(word));
    let filter = QuizFilter {
        themes: changed.themes.clone(),
        levels: levels.collect::<Option<_>>().ok_or(StudyError::Malformed)?,
    };
    store
        .keep_quiz_filter(MemberId(changed.member_id), &filter, changed.version)
        .await
}
