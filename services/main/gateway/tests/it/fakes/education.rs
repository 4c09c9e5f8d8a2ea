//! The education service of a test.

use std::sync::Arc;

use proto::education::v1::article_service_server::ArticleService;
use proto::education::v1::card_service_server::CardService;
use proto::education::v1::progress_service_server::ProgressService;
use proto::education::v1::quiz_service_server::QuizService;
use proto::education::v1::{
    AnswerRequest, AnswerResult, Article, ArticleHit, ArticleHits, ArticlePage, Calendar,
    Completion, Day, GetCalendarRequest, GetCompletionRequest, GetDayRequest, GetProgressRequest,
    GetTermRequest, ListArticlesRequest, ListTermsRequest, ListThemesRequest,
    ListTradeCardsRequest, OpenArticleRequest, OpenCardQuizRequest, OpenRandomSetRequest,
    OpenReviewsRequest, OpenThemeSetRequest, Progress, QuizSet, RepairStreakRequest, RestDay,
    SearchArticlesRequest, SetRestDayRequest, SnippetPart, Streak, Term, Terms, Themes, TradeCards,
};

use super::samples::education as samples;
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { QuizService:
    get_day(GetDayRequest) -> Day = |_| samples::day();
    open_random_set(OpenRandomSetRequest) -> QuizSet = |_| samples::quiz_set(31);
    open_theme_set(OpenThemeSetRequest) -> QuizSet = |_| samples::quiz_set(32);
    open_reviews(OpenReviewsRequest) -> QuizSet = |_| samples::quiz_set(0);
    list_themes(ListThemesRequest) -> Themes = |request| Themes {
        themes: vec![samples::theme(request.member_id)],
    };
    answer(AnswerRequest) -> AnswerResult = |request| samples::result(request.answers);
}

fake! { ArticleService:
    list_articles(ListArticlesRequest) -> ArticlePage = |request| ArticlePage {
        articles: vec![samples::card()],
        page: request.page,
        has_next: false,
        total: 1,
    };
    open_article(OpenArticleRequest) -> Article = |request| samples::article(request.member_id);
    get_completion(GetCompletionRequest) -> Completion = |_| samples::completion();
    search_articles(SearchArticlesRequest) -> ArticleHits = |request| ArticleHits {
        hits: vec![ArticleHit {
            card: Some(samples::card()),
            snippet: vec![SnippetPart { text: request.text, is_match: true }],
        }],
    };
    list_terms(ListTermsRequest) -> Terms = |_| Terms { terms: vec![samples::term()] };
    get_term(GetTermRequest) -> Term = |_| samples::term();
}

fake! { ProgressService:
    get_progress(GetProgressRequest) -> Progress = |_| samples::progress();
    get_calendar(GetCalendarRequest) -> Calendar = |_| samples::calendar();
    set_rest_day(SetRestDayRequest) -> RestDay = |request| RestDay {
        weekday: 0,
        next_weekday: request.weekday,
        next_from: "2026-11-23".to_owned(),
    };
    repair_streak(RepairStreakRequest) -> Streak = |_| samples::streak();
}

fake! { CardService:
    list_trade_cards(ListTradeCardsRequest) -> TradeCards = |_| TradeCards {
        cards: [vec![samples::trade_card()], samples::other_cards().to_vec()].concat(),
    };
    open_card_quiz(OpenCardQuizRequest) -> QuizSet = |_| samples::quiz_set(0);
}
