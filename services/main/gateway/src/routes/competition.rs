//! Competitions: events, entries, leagues and boards.

mod board;
mod entry;
mod holdings;
mod league;
mod list;
mod prizes;

use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;

#[derive(OpenApi)]
#[openapi(paths(
    list::competitions,
    list::competition,
    entry::join_competition,
    entry::leave_competition,
    board::competition_board,
    board::competition_me,
    holdings::entrant_holdings,
    league::create_league,
    league::close_league,
    prizes::object
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/competition/list",
            Subject::Owner,
            list::competitions,
        ),
        Endpoint::post(
            "/api/v1/competition/league",
            Subject::Body("memberSid"),
            league::create_league,
        ),
        Endpoint::patch(
            "/api/v1/competition/league/{eventSid}",
            Subject::Body("memberSid"),
            league::close_league,
        ),
        Endpoint::get(
            "/api/v1/competition/{eventSid}",
            Subject::Owner,
            list::competition,
        ),
        Endpoint::post(
            "/api/v1/competition/{eventSid}/join",
            Subject::Body("memberSid"),
            entry::join_competition,
        ),
        Endpoint::delete(
            "/api/v1/competition/{eventSid}/join",
            Subject::Body("memberSid"),
            entry::leave_competition,
        ),
        Endpoint::get(
            "/api/v1/competition/{eventSid}/board",
            Subject::Owner,
            board::competition_board,
        ),
        Endpoint::get(
            "/api/v1/competition/{eventSid}/me",
            Subject::Owner,
            board::competition_me,
        ),
        Endpoint::get(
            "/api/v1/competition/{eventSid}/user/{userSid}/holdings",
            Subject::Owner,
            holdings::entrant_holdings,
        ),
        Endpoint::post(
            "/api/v1/competition/{eventSid}/objection",
            Subject::Body("memberSid"),
            prizes::object,
        ),
    ]
    .into_iter()
    .map(Endpoint::extension)
    .collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
#[serde(rename_all = "camelCase")]
struct EventPath {
    /// The event.
    #[param(minimum = 1)]
    event_sid: i64,
}

impl EventPath {
    fn event(&self) -> Result<i64, ApiError> {
        if self.event_sid >= 1 {
            return Ok(self.event_sid);
        }
        Err(ApiError::field("eventSid", "1 이상의 숫자여야 해요"))
    }
}
