use proto::common::v1::Currency;
use proto::education::v1::{
    AnswerResult, Article, ArticleCard, Calendar, CalendarDay, CardKind, ClosedContract,
    Completion, Concentration, Day, Level, LevelCount, Progress, Quiz, QuizForm, QuizOption,
    QuizSet, Repair, SetKind, SetProgress, Solution, Streak, Term, Theme, Totals, TradeCard,
};

use super::INSTANT_US;

const FIGURE: &str =
    r#"{"kind":"table","alt":"이자와 세금","columns":["이자"],"rows":[["15,000원"]]}"#;

fn options(texts: &[&str]) -> Vec<QuizOption> {
    let option = |(number, text): (i32, &&str)| QuizOption {
        key: number.to_string(),
        text: (*text).to_owned(),
    };
    (1..).zip(texts).map(option).collect()
}

fn totals() -> Option<Totals> {
    Some(Totals {
        points: 53,
        tried: 6,
        correct: 5,
    })
}

fn quiz(member_education_id: i64, solution: Option<Solution>) -> Quiz {
    Quiz {
        member_education_id,
        quiz_id: "deposits-intro-02".to_owned(),
        form: QuizForm::Single.into(),
        level: Level::Easy.into(),
        theme_id: "deposits".to_owned(),
        theme_name: "예금과 적금".to_owned(),
        question: "세금을 떼기 전 이자는 얼마일까요?".to_owned(),
        options: options(&["2,500원", "15,000원"]),
        answer_count: 1,
        hint: "1년을 맡겼을 때의 값이에요.".to_owned(),
        figure_json: FIGURE.to_owned(),
        solution,
        ..Quiz::default()
    }
}

/// One quiz that is answered and one that is not.
pub(in crate::fakes) fn quiz_set(set_id: i64) -> QuizSet {
    let solution = Solution {
        given: vec!["1".to_owned()],
        is_correct: false,
        answer: vec!["2".to_owned()],
        explanation: "절반만 맡겼어요.".to_owned(),
        misconceptions: options(&["한 달 치예요."]),
        points: 3,
    };
    QuizSet {
        set_id,
        kind: SetKind::Random.into(),
        date: "2026-11-21".to_owned(),
        earns: set_id != 0,
        quizzes: vec![quiz(9001, Some(solution)), quiz(9002, None)],
        totals: totals(),
        is_day_done: false,
    }
}

pub(in crate::fakes) fn day() -> Day {
    let set = |set_id, theme: &str, done| SetProgress {
        set_id,
        theme_id: theme.to_owned(),
        done,
        total: 5,
    };
    Day {
        date: "2026-11-21".to_owned(),
        random: Some(set(31, "", 1)),
        themes: vec![set(32, "deposits", 5)],
        points: 53,
        cap: 100,
        is_done: true,
    }
}

/// For 0, a visitor, without what was learned.
pub(in crate::fakes) fn theme(member_id: i64) -> Theme {
    Theme {
        theme_id: "deposits".to_owned(),
        name: "예금과 적금".to_owned(),
        description: "이자를 직접 계산해요.".to_owned(),
        total: 30,
        levels: vec![LevelCount {
            level: Level::Easy.into(),
            total: 10,
        }],
        done: (member_id != 0).then_some(6),
        mastery_percent: (member_id != 0).then_some(18),
    }
}

pub(in crate::fakes) fn result(given: Vec<String>) -> AnswerResult {
    AnswerResult {
        is_correct: given == ["2"],
        answer: vec!["2".to_owned()],
        explanation: "절반만 맡겼어요.".to_owned(),
        misconceptions: options(&["한 달 치예요."]),
        points: 10,
        set_bonus: 10,
        totals: totals(),
        streak: 4,
        is_day_done: true,
        next_review_on: "2026-11-24".to_owned(),
        replayed: false,
    }
}

pub(in crate::fakes) fn card() -> ArticleCard {
    ArticleCard {
        article_id: "deposits-4".to_owned(),
        title: "깨기 전에 계산해요".to_owned(),
        summary: "이율과 기간이 함께 줄어요.".to_owned(),
        theme_id: "deposits".to_owned(),
        theme_name: "예금과 적금".to_owned(),
        level: Level::Normal.into(),
        minutes: 3,
        figure_json: FIGURE.to_owned(),
        is_complete: true,
        completed_at_us: INSTANT_US,
    }
}

pub(in crate::fakes) fn article(member_id: i64) -> Article {
    Article {
        card: Some(card()),
        body: "급히 [[정기예금|예금]]을 깨요.".to_owned(),
        member_education_id: if member_id == 0 { 0 } else { 9003 },
        quiz_ids: vec!["deposits-basic-10".to_owned()],
        related: vec![card()],
        terms: vec![term()],
        points: 5,
        ..Article::default()
    }
}

pub(in crate::fakes) fn completion() -> Completion {
    Completion {
        is_complete: false,
        can_complete: false,
        seconds_left: 12,
        question: "우대금리는 어떻게 될까요?".to_owned(),
        options: options(&["그대로 남아요", "모두 사라져요"]),
        member_education_id: 9003,
    }
}

pub(in crate::fakes) fn term() -> Term {
    Term {
        word: "정기예금".to_owned(),
        gist: "한 번 맡기는 예금".to_owned(),
        text: "100만원을 맡겨요.".to_owned(),
        theme_id: "deposits".to_owned(),
        theme_name: "예금과 적금".to_owned(),
        aliases: vec!["예금".to_owned()],
    }
}

pub(in crate::fakes) fn streak() -> Streak {
    Streak {
        current: 4,
        best: 9,
        freezes: 1,
        at_risk_until_us: INSTANT_US,
        rest_weekday: 7,
        repair: Some(Repair {
            date: "2026-11-20".to_owned(),
            streak: 9,
            points: 50,
            until_us: INSTANT_US,
        }),
        ..Streak::default()
    }
}

pub(in crate::fakes) fn progress() -> Progress {
    Progress {
        day: Some(day()),
        streak: Some(streak()),
        themes: vec![theme(super::MEMBER)],
        reviews_due: 3,
        next_review_on: "2026-11-22".to_owned(),
        totals: totals(),
        completed_lessons: 2,
    }
}

pub(in crate::fakes) fn calendar() -> Calendar {
    Calendar {
        month: "2026-11".to_owned(),
        days: vec![CalendarDay {
            date: "2026-11-20".to_owned(),
            points: 60,
            answered: 5,
            correct: 4,
            sets: 1,
            articles: 1,
            streak: "DONE".to_owned(),
        }],
    }
}

pub(in crate::fakes) fn trade_card() -> TradeCard {
    TradeCard {
        kind: CardKind::Slippage.into(),
        order_id: 7_001,
        instrument_name: "삼성전자".to_owned(),
        traded_at_us: INSTANT_US,
        won: 1_200,
        slippage_ticks: 3,
        fills: 1,
        filled_quantity: super::decimal("40"),
        currency: Currency::Krw.into(),
        category: "STOCK".to_owned(),
        term: Some(term()),
        article_id: "orders-3".to_owned(),
        article_title: "슬리피지, 보이지 않는 한 칸".to_owned(),
        article_summary: "칸과 수량을 곱해 봐요.".to_owned(),
        is_due: true,
        ..TradeCard::default()
    }
}

/// A card of each subject besides orders.
pub(in crate::fakes) fn other_cards() -> [TradeCard; 2] {
    let early = TradeCard {
        kind: CardKind::EarlyClose.into(),
        contract: Some(ClosedContract {
            account_no: "110000123403".to_owned(),
            name: "새싹 정기예금".to_owned(),
            paid_in_won: 1_000_000,
            interest_won: 1_200,
            tax_won: 180,
            interest_at_maturity_won: 12_300,
            opened_on: 20_261_021,
            closed_on: 20_261_121,
            matures_on: 20_271_021,
        }),
        article_id: "deposits-4".to_owned(),
        article_title: "깨기 전에 계산해요".to_owned(),
        article_summary: "받을 돈을 먼저 계산해 봐요.".to_owned(),
        ..TradeCard::default()
    };
    let concentration = TradeCard {
        kind: CardKind::Concentration.into(),
        concentration: Some(Concentration {
            instrument_code: "005930".to_owned(),
            instrument_name: "삼성전자".to_owned(),
            percent: super::decimal("52.3"),
            value_won: 2_615_000,
            total_won: 5_000_000,
            noticed_at_us: INSTANT_US,
        }),
        article_id: "etf-2".to_owned(),
        article_title: "열 종목인데 왜 같이 내릴까요".to_owned(),
        article_summary: "무엇에 흔들리는지 봐요.".to_owned(),
        is_due: true,
        ..TradeCard::default()
    };
    [early, concentration]
}
