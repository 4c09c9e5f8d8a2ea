use std::collections::HashMap;

use bootstrap::grpc::Reply;
use chrono::{DateTime, Utc};
use kernel::MemberId;
use proto::convert::micros;
use proto::education::v1 as wire;
use proto::education::v1::article_service_server::ArticleService;
use tonic::{Request, Response};

use super::{Service, int, level, term};
use crate::domain::points::ARTICLE;
use crate::error::StudyError;
use crate::library::Reading;

const PAGE_SIZE: usize = 10;
const MAX_PAGE_SIZE: i32 = 100;
const MAX_HITS: i32 = 15;
const RELATED: usize = 3;

/// When a member completed each article.
type Completed = HashMap<String, DateTime<Utc>>;

#[tonic::async_trait]
impl ArticleService for Service {
    async fn list_articles(
        &self,
        request: Request<wire::ListArticlesRequest>,
    ) -> Reply<wire::ArticlePage> {
        let request = request.into_inner();
        let size = match request.size {
            0 => PAGE_SIZE,
            size if (1..=MAX_PAGE_SIZE).contains(&size) => {
                usize::try_from(size).unwrap_or(PAGE_SIZE)
            }
            _ => return Err(StudyError::Malformed.into()),
        };
        let page = usize::try_from(request.page).map_err(|_negative| StudyError::Malformed)?;
        let history = self.history(request.member_id).await?;
        let completed: Completed = history.iter().cloned().collect();
        let is_recommended = request.list() == wire::ArticleList::Recommended;
        let themes = match request.member_id {
            member if member != 0 && is_recommended => {
                self.store.quiz_filter(MemberId(member)).await?.themes
            }
            _ => Vec::new(),
        };
        let rows = self.listed(request.list(), &themes, &history, &completed)?;
        let skipped = page.saturating_mul(size);
        let shown = rows.iter().skip(skipped).take(size);
        let cards = shown.map(|reading| self.card(reading, &completed));
        Ok(Response::new(wire::ArticlePage {
            articles: cards.collect(),
            page: request.page,
            has_next: rows.len() > skipped.saturating_add(size),
            total: int(rows.len()),
        }))
    }

    async fn open_article(
        &self,
        request: Request<wire::OpenArticleRequest>,
    ) -> Reply<wire::Article> {
        let request = request.into_inner();
        let reading = self.library().reading(&request.article_id);
        let reading = reading.ok_or(StudyError::NotFound)?;
        let article = &reading.article;
        let own = match request.member_id {
            0 => None,
            member => Some(
                self.store
                    .open_reading(MemberId(member), &article.id)
                    .await?,
            ),
        };
        let history = self.history(request.member_id).await?;
        let completed: Completed = history.into_iter().collect();
        let others = self
            .library()
            .readings()
            .filter(|other| other.article.theme == article.theme && other.article.id != article.id);
        // Unread ones first.
        let mut others: Vec<&Reading> = others.collect();
        others.sort_by_key(|other| completed.contains_key(&other.article.id));
        let related = others.into_iter().take(RELATED);
        let linked = self.library().linked_terms(&article.text).into_iter();
        let is_new = own.as_ref().is_some_and(|own| own.completed_at.is_none());
        Ok(Response::new(wire::Article {
            card: Some(self.card(reading, &completed)),
            body: article.text.clone(),
            source: article.source.clone(),
            as_of: article.as_of.clone(),
            member_education_id: own.as_ref().map_or(0, |own| own.id),
            quiz_ids: article.quizzes.clone(),
            related: related.map(|other| self.card(other, &completed)).collect(),
            terms: linked.map(|linked| term(self.library(), linked)).collect(),
            points: if is_new { ARTICLE } else { 0 },
            survey: own.and_then(|own| own.survey).unwrap_or_default(),
        }))
    }

    async fn get_completion(
        &self,
        request: Request<wire::GetCompletionRequest>,
    ) -> Reply<wire::Completion> {
        let request = request.into_inner();
        let reading = self.library().reading(&request.article_id);
        let reading = reading.ok_or(StudyError::NotFound)?;
        let member = MemberId(request.member_id);
        let own = self.store.reading(member, &request.article_id).await?;
        let options = reading.options().map(|(key, text)| wire::QuizOption {
            key,
            text: text.clone(),
        });
        let is_complete = own.as_ref().is_some_and(|own| own.completed_at.is_some());
        let seconds_left = own.as_ref().map_or(0, |own| own.seconds_left);
        Ok(Response::new(wire::Completion {
            is_complete,
            can_complete: own.is_some() && !is_complete && seconds_left == 0,
            seconds_left: int(seconds_left),
            question: reading.article.check.question.clone(),
            options: options.collect(),
            member_education_id: own.map_or(0, |own| own.id),
        }))
    }

    async fn search_articles(
        &self,
        request: Request<wire::SearchArticlesRequest>,
    ) -> Reply<wire::ArticleHits> {
        let request = request.into_inner();
        if !(1..=MAX_HITS).contains(&request.limit) {
            return Err(StudyError::Malformed.into());
        }
        let limit = usize::try_from(request.limit).unwrap_or_default();
        let none = Completed::new();
        let hits = self.library().search(&request.text, limit).into_iter();
        let hits = hits.map(|(reading, snippet)| {
            let parts = snippet.into_iter().map(|part| wire::SnippetPart {
                text: part.text,
                is_match: part.is_match,
            });
            wire::ArticleHit {
                card: Some(self.card(reading, &none)),
                snippet: parts.collect(),
            }
        });
        Ok(Response::new(wire::ArticleHits {
            hits: hits.collect(),
        }))
    }

    async fn list_terms(&self, request: Request<wire::ListTermsRequest>) -> Reply<wire::Terms> {
        let request = request.into_inner();
        let terms = self.library().terms_like(&request.text).into_iter();
        Ok(Response::new(wire::Terms {
            terms: terms.map(|found| term(self.library(), found)).collect(),
        }))
    }

    async fn get_term(&self, request: Request<wire::GetTermRequest>) -> Reply<wire::Term> {
        let found = self.library().term(&request.into_inner().word);
        let found = found.ok_or(StudyError::NotFound)?;
        Ok(Response::new(term(self.library(), found)))
    }
}

impl Service {
    /// Completed articles, newest first; none for a visitor.
    async fn history(&self, member: i64) -> Result<Vec<(String, DateTime<Utc>)>, StudyError> {
        if member == 0 {
            return Ok(Vec::new());
        }
        let rows = self.store.completed_articles(MemberId(member)).await?;
        let pair = |row: crate::store::CompletedArticle| (row.edu_id, row.answered_at);
        Ok(rows.into_iter().map(pair).collect())
    }

    fn listed(
        &self,
        list: wire::ArticleList,
        themes: &[String],
        history: &[(String, DateTime<Utc>)],
        completed: &Completed,
    ) -> Result<Vec<&Reading>, StudyError> {
        let is_read = |reading: &&Reading| completed.contains_key(&reading.article.id);
        let all = || self.library().readings();
        match list {
            wire::ArticleList::Recommended => {
                let is_wanted = |reading: &Reading| themes.contains(&reading.article.theme);
                let mut rows: Vec<&Reading> = all().collect();
                rows.sort_by_key(|reading| (is_read(reading), !is_wanted(reading)));
                Ok(rows)
            }
            wire::ArticleList::NotCompleted => {
                Ok(all().filter(|reading| !is_read(reading)).collect())
            }
            wire::ArticleList::Completed => {
                let ids = history.iter().map(|(id, _)| id);
                Ok(ids.filter_map(|id| self.library().reading(id)).collect())
            }
            wire::ArticleList::Unspecified => Err(StudyError::Malformed),
        }
    }

    fn card(&self, reading: &Reading, completed: &Completed) -> wire::ArticleCard {
        let article = &reading.article;
        let completed_at = completed.get(&article.id);
        wire::ArticleCard {
            article_id: article.id.clone(),
            title: article.title.clone(),
            summary: article.summary.clone(),
            theme_id: article.theme.clone(),
            theme_name: self.library().theme_name(&article.theme).to_owned(),
            level: level(article.level),
            minutes: reading.minutes,
            figure_json: reading.figure_json.clone(),
            is_complete: completed_at.is_some(),
            completed_at_us: completed_at.copied().map(micros).unwrap_or_default(),
        }
    }
}
