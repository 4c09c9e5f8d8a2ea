//! The glossary.

use actix_web::web;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use crate::endpoint::{Class, Endpoint, Subject};
use crate::extract::{Path, Query};
use crate::routes::{Reply, State};
use crate::wire::code::SearchText;

#[derive(OpenApi)]
#[openapi(paths(glossary, glossary_term))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::Public;
    vec![
        Endpoint::get("/api/v1/education/glossary", Public, glossary)
            .class(Class::Browse)
            .extension(),
        Endpoint::get(
            "/api/v1/education/glossary/{termSid}",
            Public,
            glossary_term,
        )
        .class(Class::Browse)
        .extension(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GlossaryQuery {
    /// Part of a word or of one of its other names, or 초성; absent = every term.
    #[param(inline)]
    text: Option<SearchText>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct TermPath {
    /// The word.
    #[param(inline)]
    term_sid: SearchText,
}

/// A term of finance.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Term {
    /// Its word.
    sid: String,
    word: String,
    /// At most forty characters.
    gist: String,
    /// An example, in Markdown.
    text: String,
    theme_sid: String,
    theme_name: String,
    /// Other names.
    aliases: Vec<String>,
}

/// Terms of finance.
#[utoipa::path(get, path = "/api/v1/education/glossary", tag = "education", params(GlossaryQuery),
    responses((status = 200, description = "The terms, in the order of their words.", body = Vec<Term>)))]
async fn glossary(state: State, query: Query<GlossaryQuery>) -> Reply<Vec<Term>> {
    let text = query.0.text.map(String::from).unwrap_or_default();
    let request = education::ListTermsRequest { text };
    let answer = state
        .articles
        .call_idempotent(async |mut articles| articles.list_terms(request.clone()).await)
        .await?;
    let terms = answer.terms.into_iter().map(Term::from);
    Ok(web::Json(terms.collect()))
}

/// One term.
#[utoipa::path(get, path = "/api/v1/education/glossary/{termSid}", tag = "education",
    params(TermPath), responses((status = 200, description = "The term.", body = Term)))]
async fn glossary_term(state: State, path: Path<TermPath>) -> Reply<Term> {
    let request = education::GetTermRequest {
        word: path.0.term_sid.into(),
    };
    let term = state
        .articles
        .call_idempotent(async |mut articles| articles.get_term(request.clone()).await)
        .await?;
    Ok(web::Json(term.into()))
}

impl From<education::Term> for Term {
    fn from(term: education::Term) -> Self {
        Self {
            sid: term.word.clone(),
            word: term.word,
            gist: term.gist,
            text: term.text,
            theme_sid: term.theme_id,
            theme_name: term.theme_name,
            aliases: term.aliases,
        }
    }
}
