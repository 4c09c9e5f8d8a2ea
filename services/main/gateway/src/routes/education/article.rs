//! Articles: lists, one with its reading, what completing it needs, and search.

use std::collections::BTreeMap;

use actix_web::web;
use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::glossary::Term;
use super::words::{ArticleSid, Level, figure, filled, option_map};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path, Query};
use crate::routes::path::IdOrNobody;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::SearchText;
use crate::wire::member::NothingBody;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst_if_set;

/// Beyond every list.
const MAX_PAGE: i32 = 10_000;
const MAX_HITS: i32 = 15;

#[derive(OpenApi)]
#[openapi(paths(
    recommended_articles,
    open_article,
    article_completion,
    unread_articles,
    read_articles,
    search_articles
))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Owner, Public, PublicOrSelf};
    vec![
        Endpoint::get(
            "/api/v1/education/articles/{id}",
            PublicOrSelf("id"),
            recommended_articles,
        )
        .class(Class::Browse),
        Endpoint::post(
            "/api/v1/education/article/get-article/{a}/{b}",
            PublicOrSelf("b"),
            open_article,
        )
        .class(Class::Read),
        Endpoint::get(
            "/api/v1/education/complete/article/{articleSid}",
            Owner,
            article_completion,
        ),
        Endpoint::get(
            "/api/v1/education/articles/no-complete/{a}/{b}",
            PublicOrSelf("a"),
            unread_articles,
        ),
        Endpoint::get(
            "/api/v1/education/articles/history/{a}/{b}",
            PublicOrSelf("a"),
            read_articles,
        ),
        Endpoint::get(
            "/api/v1/education/articles/search/{text}/{limit}",
            Public,
            search_articles,
        )
        .class(Class::Search),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PageQuery {
    /// From 0.
    #[param(minimum = 0, maximum = 10_000)]
    page: Option<i32>,
    /// Articles of a page; 10 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ListPath {
    /// The caller, or 0 for nobody.
    #[serde(rename = "a")]
    #[param(rename = "a")]
    _member: i64,
    /// The page from 0.
    #[serde(rename = "b")]
    #[param(rename = "b", minimum = 0, maximum = 10_000)]
    page: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct OpenPath {
    #[serde(rename = "a")]
    #[param(rename = "a", inline)]
    article: ArticleSid,
    /// The caller, or 0 for nobody.
    #[serde(rename = "b")]
    #[param(rename = "b")]
    _member: i64,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct ArticlePath {
    #[param(inline)]
    article_sid: ArticleSid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct SearchPath {
    #[param(inline)]
    text: SearchText,
    #[param(minimum = 1, maximum = 15)]
    limit: i32,
}

/// A page of articles.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ArticlePage {
    rows: Vec<ArticleCard>,
    /// From 0.
    page: i32,
    has_next: bool,
    /// On all pages.
    total: i32,
}

/// An article in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ArticleCard {
    article_sid: String,
    title: String,
    summary: String,
    /// Its theme.
    education_title: String,
    theme_sid: String,
    level: Level,
    /// To read it.
    minutes: i32,
    /// The data of its picture.
    #[schema(value_type = Option<Object>)]
    figure: Option<Box<RawValue>>,
    is_complete: bool,
    completed_at: Option<String>,
}

/// An article. For a member a reading is open.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Article {
    #[serde(flatten)]
    card: ArticleCard,
    /// Markdown with `[[term]]` links.
    body: String,
    source: String,
    as_of: String,
    /// The reading, which its completion and survey name; null for a visitor.
    member_education_sid: Option<i64>,
    /// Education points for completing it now.
    point: i32,
    /// GOOD or BAD; null before the survey.
    survey: Option<String>,
    quiz_sids: Vec<String>,
    /// Others of its theme.
    related: Vec<ArticleCard>,
    /// Terms that the body links.
    terms: Vec<Term>,
}

/// What completing a reading still needs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Completion {
    is_complete: bool,
    can_complete: bool,
    seconds_left: i32,
    question: String,
    answer_option: BTreeMap<String, String>,
    /// Null before the article was opened.
    member_education_sid: Option<i64>,
}

/// An article that was found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ArticleHit {
    sid: String,
    education_title: String,
    title: String,
    /// The data of its picture.
    #[schema(value_type = Option<Object>)]
    figure: Option<Box<RawValue>>,
    snippet: Vec<SnippetPart>,
}

/// Part of the text around a match.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SnippetPart {
    text: String,
    is_match: bool,
}

/// Articles for the caller: unread ones of the chosen themes first.
#[utoipa::path(get, path = "/api/v1/education/articles/{id}", tag = "education",
    params(IdOrNobody, PageQuery),
    responses((status = 200, description = "A page.", body = ArticlePage)))]
async fn recommended_articles(
    state: State,
    caller: Option<Caller>,
    query: Query<PageQuery>,
) -> Reply<ArticlePage> {
    let size = crate::wire::page::page_size(query.0.size)?;
    let page = query.0.page.unwrap_or(0);
    list(
        &state,
        caller,
        education::ArticleList::Recommended,
        page,
        size,
    )
    .await
}

/// Articles that the caller has not completed.
#[utoipa::path(get, path = "/api/v1/education/articles/no-complete/{a}/{b}", tag = "education",
    params(ListPath), responses((status = 200, description = "A page of 10.", body = ArticlePage)))]
async fn unread_articles(
    state: State,
    caller: Option<Caller>,
    path: Path<ListPath>,
) -> Reply<ArticlePage> {
    let kind = education::ArticleList::NotCompleted;
    list(&state, caller, kind, path.0.page, 0).await
}

/// Articles that the caller has completed, newest first.
#[utoipa::path(get, path = "/api/v1/education/articles/history/{a}/{b}", tag = "education",
    params(ListPath), responses((status = 200, description = "A page of 10.", body = ArticlePage)))]
async fn read_articles(
    state: State,
    caller: Option<Caller>,
    path: Path<ListPath>,
) -> Reply<ArticlePage> {
    let kind = education::ArticleList::Completed;
    list(&state, caller, kind, path.0.page, 0).await
}

async fn list(
    state: &AppState,
    caller: Option<Caller>,
    kind: education::ArticleList,
    page: i32,
    size: i32,
) -> Reply<ArticlePage> {
    if !(0..=MAX_PAGE).contains(&page) {
        return Err(ApiError::field("page", "쪽 번호가 올바르지 않아요"));
    }
    let request = education::ListArticlesRequest {
        member_id: caller.map_or(0, |caller| caller.member_id.0),
        list: kind.into(),
        page,
        size,
    };
    let page = state
        .articles
        .call_idempotent(async |mut articles| articles.list_articles(request).await)
        .await?;
    Ok(web::Json(ArticlePage {
        rows: decode_rows(page.articles),
        page: page.page,
        has_next: page.has_next,
        total: page.total,
    }))
}

/// Open an article. Nothing but the reading of a member is noted.
#[utoipa::path(post, path = "/api/v1/education/article/get-article/{a}/{b}", tag = "education",
    params(OpenPath), request_body = NothingBody,
    responses((status = 200, description = "The article.", body = Article)))]
async fn open_article(
    state: State,
    caller: Option<Caller>,
    path: Path<OpenPath>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<Article> {
    let request = education::OpenArticleRequest {
        article_id: path.0.article.into(),
        member_id: caller.map_or(0, |caller| caller.member_id.0),
    };
    // Idempotent: a reading is opened once.
    let article = state
        .articles
        .call_idempotent(async |mut articles| articles.open_article(request.clone()).await)
        .await?;
    Ok(web::Json(article.try_into()?))
}

/// What completing an article still needs.
#[utoipa::path(get, path = "/api/v1/education/complete/article/{articleSid}", tag = "education",
    params(ArticlePath),
    responses((status = 200, description = "Its question, and how long to wait.", body = Completion)))]
async fn article_completion(
    state: State,
    caller: Caller,
    path: Path<ArticlePath>,
) -> Reply<Completion> {
    let request = education::GetCompletionRequest {
        member_id: caller.member_id.0,
        article_id: path.0.article_sid.into(),
    };
    let completion = state
        .articles
        .call_idempotent(async |mut articles| articles.get_completion(request.clone()).await)
        .await?;
    Ok(web::Json(Completion {
        is_complete: completion.is_complete,
        can_complete: completion.can_complete,
        seconds_left: completion.seconds_left,
        question: completion.question,
        answer_option: option_map(completion.options),
        member_education_sid: set_id(completion.member_education_id),
    }))
}

/// Find articles by title, summary, text, terms or 초성.
#[utoipa::path(get, path = "/api/v1/education/articles/search/{text}/{limit}", tag = "education",
    params(SearchPath),
    responses((status = 200, description = "Best first.", body = Vec<ArticleHit>),
        (status = 403, description = "The text is two dots, which lead to the path of a list.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn search_articles(state: State, path: Path<SearchPath>) -> Reply<Vec<ArticleHit>> {
    let Path(path) = path;
    if !(1..=MAX_HITS).contains(&path.limit) {
        return Err(ApiError::field("path", "개수는 1에서 15까지예요"));
    }
    let text = path.text.as_str().trim().to_owned();
    if text.is_empty() {
        return Ok(web::Json(Vec::new()));
    }
    let request = education::SearchArticlesRequest {
        text,
        limit: path.limit,
    };
    let found = state
        .articles
        .call_idempotent(async |mut articles| articles.search_articles(request.clone()).await)
        .await?;
    Ok(web::Json(decode_rows(found.hits)))
}

/// `None` for 0.
fn set_id(id: i64) -> Option<i64> {
    (id != 0).then_some(id)
}

impl TryFrom<education::ArticleCard> for ArticleCard {
    type Error = InvalidField;

    fn try_from(card: education::ArticleCard) -> Result<Self, InvalidField> {
        Ok(Self {
            level: card.level().try_into()?,
            article_sid: card.article_id,
            title: card.title,
            summary: card.summary,
            education_title: card.theme_name,
            theme_sid: card.theme_id,
            minutes: card.minutes,
            figure: figure(card.figure_json)?,
            is_complete: card.is_complete,
            completed_at: kst_if_set(card.completed_at_us, "completed_at_us")?,
        })
    }
}

impl TryFrom<education::Article> for Article {
    type Error = InvalidField;

    fn try_from(article: education::Article) -> Result<Self, InvalidField> {
        let card = article.card.ok_or(InvalidField("card"))?;
        Ok(Self {
            card: card.try_into()?,
            body: article.body,
            source: article.source,
            as_of: article.as_of,
            member_education_sid: set_id(article.member_education_id),
            point: article.points,
            survey: filled(article.survey),
            quiz_sids: article.quiz_ids,
            related: decode_rows(article.related),
            terms: article.terms.into_iter().map(Term::from).collect(),
        })
    }
}

impl TryFrom<education::ArticleHit> for ArticleHit {
    type Error = InvalidField;

    fn try_from(hit: education::ArticleHit) -> Result<Self, InvalidField> {
        let card = ArticleCard::try_from(hit.card.ok_or(InvalidField("card"))?)?;
        let snippet = hit.snippet.into_iter().map(|part| SnippetPart {
            text: part.text,
            is_match: part.is_match,
        });
        Ok(Self {
            sid: card.article_sid,
            education_title: card.education_title,
            title: card.title,
            figure: card.figure,
            snippet: snippet.collect(),
        })
    }
}
