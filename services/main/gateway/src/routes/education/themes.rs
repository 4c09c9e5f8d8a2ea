//! The themes of quizzes.

use actix_web::web;
use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use super::words::Level;
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::routes::{Reply, State};
use crate::wire::rows::decode_rows;

#[derive(OpenApi)]
#[openapi(paths(themes))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/education/dailyQuiz/theme/meta",
            Subject::Anyone,
            themes,
        )
        .class(Class::Browse),
    ]
}

/// A theme, and what the caller has learned of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Theme {
    theme_sid: String,
    name: String,
    description: String,
    /// Always null: the client draws themes by their sid.
    image: Option<String>,
    /// Quizzes of it.
    total: i32,
    levels: Vec<LevelCount>,
    /// Quizzes answered; null for a visitor.
    done: Option<i32>,
    /// How well it is remembered, 0 to 100; null for a visitor.
    mastery: Option<i32>,
}

/// Quizzes of a level.
#[derive(Debug, Serialize, ToSchema)]
struct LevelCount {
    level: Level,
    total: i32,
}

/// Every theme in the order of teaching.
#[utoipa::path(get, path = "/api/v1/education/dailyQuiz/theme/meta", tag = "education",
    responses((status = 200, description = "The themes.", body = Vec<Theme>)))]
async fn themes(state: State, caller: Option<Caller>) -> Reply<Vec<Theme>> {
    let request = education::ListThemesRequest {
        member_id: caller.map_or(0, |caller| caller.member_id.0),
    };
    let answer = state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.list_themes(request).await)
        .await?;
    Ok(web::Json(decode_rows(answer.themes)))
}

impl TryFrom<education::Theme> for Theme {
    type Error = InvalidField;

    fn try_from(theme: education::Theme) -> Result<Self, InvalidField> {
        Ok(Self {
            theme_sid: theme.theme_id,
            name: theme.name,
            description: theme.description,
            image: None,
            total: theme.total,
            levels: decode_rows(theme.levels),
            done: theme.done,
            mastery: theme.mastery_percent,
        })
    }
}

impl TryFrom<education::LevelCount> for LevelCount {
    type Error = InvalidField;

    fn try_from(count: education::LevelCount) -> Result<Self, InvalidField> {
        Ok(Self {
            level: count.level().try_into()?,
            total: count.total,
        })
    }
}
