//! Articles: lists, readings, search and glossary.

use education::MIGRATOR;
use proto::education::v1::{
    AnswerRequest, ArticleList, ArticlePage, GetCompletionRequest, ListArticlesRequest,
    ListTermsRequest, OpenArticleRequest, SearchArticlesRequest,
};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, answer_of, reason};

const ARTICLE: &str = "deposits-4";

async fn list(world: &World, member_id: i64, list: ArticleList, page: i32) -> ArticlePage {
    let request = ListArticlesRequest {
        member_id,
        list: list.into(),
        page,
        size: 0,
    };
    let answer = world.articles.clone().list_articles(request).await;
    answer.unwrap().into_inner()
}

async fn open(world: &World, member_id: i64) -> proto::education::v1::Article {
    let request = OpenArticleRequest {
        article_id: ARTICLE.to_owned(),
        member_id,
    };
    let answer = world.articles.clone().open_article(request).await;
    answer.unwrap().into_inner()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_reading_needs_half_a_minute_and_the_right_answer(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let article = open(&world, MEMBER).await;
    let id = article.member_education_id;
    assert_eq!(open(&world, MEMBER).await.member_education_id, id);
    assert_eq!(article.points, 5);
    let right = world.content.articles[ARTICLE].check.right + 1;
    let wrong = right % 4 + 1;
    let answer = |key: usize| answer_of(MEMBER, id, vec![key.to_string()]);
    world.clock.advance(chrono::TimeDelta::milliseconds(29_500));
    let early = world.try_answer(answer(right)).await.unwrap_err();
    assert_eq!(reason(&early), "READING_TOO_SHORT");
    world.clock.advance(chrono::TimeDelta::milliseconds(500));
    let survey = AnswerRequest {
        is_survey: true,
        ..answer_of(MEMBER, id, vec!["GOOD".to_owned()])
    };
    let unread = world.try_answer(survey.clone()).await.unwrap_err();
    assert_eq!(reason(&unread), "ARTICLE_NOT_COMPLETED");
    for _ in 0..3 {
        let missed = world.try_answer(answer(wrong)).await.unwrap();
        assert!(!missed.is_correct && missed.points == 0);
        assert_eq!((missed.answer, missed.explanation), (vec![], String::new()));
    }
    let done = world.try_answer(answer(right)).await.unwrap();
    assert_eq!((done.is_correct, done.points), (true, 5));
    assert!(!done.explanation.is_empty());
    let again = world.try_answer(answer(wrong)).await.unwrap();
    assert_eq!(
        (again.is_correct, again.points, again.replayed),
        (true, 5, true)
    );
    for replayed in [false, true] {
        let told = world.try_answer(survey.clone()).await.unwrap();
        assert_eq!((told.points, told.replayed), (5, replayed));
    }
    assert_eq!(world.earned(MEMBER).await, (2, 10));
    let stranger = world
        .try_answer(answer_of(OTHER, id, vec!["1".to_owned()]))
        .await;
    assert_eq!(reason(&stranger.unwrap_err()), "STUDY_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_completed_article_moves_to_the_history(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let unread = list(&world, MEMBER, ArticleList::NotCompleted, 0).await;
    assert_eq!((unread.total, unread.articles.len()), (72, 10));
    assert!(unread.has_next);
    assert_eq!(
        list(&world, MEMBER, ArticleList::NotCompleted, 7)
            .await
            .articles
            .len(),
        2
    );
    let article = open(&world, MEMBER).await;
    world.set_time("2026-11-23T09:01");
    let right = world.content.articles[ARTICLE].check.right + 1;
    world
        .answer(MEMBER, article.member_education_id, vec![right.to_string()])
        .await;
    assert_eq!(
        list(&world, MEMBER, ArticleList::NotCompleted, 0)
            .await
            .total,
        71
    );
    let history = list(&world, MEMBER, ArticleList::Completed, 0).await;
    assert_eq!(history.articles[0].article_id, ARTICLE);
    assert!(history.articles[0].is_complete);
    let recommended = list(&world, MEMBER, ArticleList::Recommended, 7).await;
    assert_eq!(recommended.articles.last().unwrap().article_id, ARTICLE);
    let visitors = list(&world, 0, ArticleList::NotCompleted, 0).await;
    assert_eq!(visitors.total, 72);
    assert_eq!(list(&world, 0, ArticleList::Completed, 0).await.total, 0);
    assert_eq!(open(&world, 0).await.member_education_id, 0);
    let readings: i64 = sqlx::query_scalar("select count(*) from handout")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(readings, 1, "a visitor leaves no trace");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_question_says_nothing_about_its_answer(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let article = open(&world, MEMBER).await;
    let request = GetCompletionRequest {
        member_id: MEMBER,
        article_id: ARTICLE.to_owned(),
    };
    let completion = world.articles.clone().get_completion(request).await;
    let completion = completion.unwrap().into_inner();
    assert_eq!(
        (completion.seconds_left, completion.can_complete),
        (30, false)
    );
    assert_eq!(completion.options.len(), 4);
    let why = &world.content.articles[ARTICLE].check.why;
    let shown = format!("{article:?}{completion:?}");
    assert!(!shown.contains(why.as_str()));
    assert!(!article.body.contains("{{"), "{}", article.body);
    assert!(article.body.contains("50%예요") && !article.terms.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn articles_are_found_by_text_and_initials(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let search = async |text: &str, limit: i32| {
        let request = SearchArticlesRequest {
            text: text.to_owned(),
            limit,
        };
        let answer = world.articles.clone().search_articles(request).await;
        answer.map(|answer| answer.into_inner().hits)
    };
    let first = async |text: &str| {
        let hits = search(text, 15).await.unwrap();
        hits.into_iter()
            .next()
            .and_then(|hit| hit.card)
            .map(|card| card.article_id)
    };
    assert_eq!(first("깨기 전에").await.as_deref(), Some(ARTICLE));
    assert_eq!(first("ㄲㄱㅈㅇ").await.as_deref(), Some(ARTICLE));
    assert_eq!(first("전에계산").await.as_deref(), Some(ARTICLE));
    assert_eq!(first("/%").await, None, "taken literally");
    let hits = search("예금담보대출", 15).await.unwrap();
    let marked = hits
        .iter()
        .flat_map(|hit| &hit.snippet)
        .find(|part| part.is_match);
    assert_eq!(marked.map(|part| part.text.as_str()), Some("예금담보대출"));
    assert_eq!(search("돈", 3).await.unwrap().len(), 3);
    assert_eq!(reason(&search("돈", 16).await.unwrap_err()), "MALFORMED");
    let terms = async |text: &str| {
        let request = ListTermsRequest {
            text: text.to_owned(),
        };
        let answer = world.articles.clone().list_terms(request).await;
        answer.unwrap().into_inner().terms
    };
    assert!(terms("").await.len() >= 180);
    assert!(
        terms("ㄱㅅㅈㅅ")
            .await
            .iter()
            .any(|term| term.word == "가상자산")
    );
    assert!(
        terms("코인")
            .await
            .iter()
            .any(|term| term.word == "가상자산")
    );
}
