//! Answers: one result and one credit, whatever is sent.

use chrono::TimeDelta;
use education::MIGRATOR;
use futures::all;
use proto::convert::micros;
use proto::education::v1::AnswerRequest;
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, answer_of, kst, reason};

mod futures {
    /// Awaits all at once.
    pub(super) async fn all<F: Future<Output: Send + 'static> + Send + 'static>(
        futures: impl IntoIterator<Item = F>,
    ) -> Vec<F::Output> {
        let set: tokio::task::JoinSet<F::Output> = futures.into_iter().collect();
        set.join_all().await
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_hundred_copies_and_two_phones_are_one_answer(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let quiz = &set.quizzes[0];
    let (right, wrong) = (world.right(quiz), world.wrong(quiz));
    let copies = (0..100).map(|copy| {
        let given = if copy % 2 == 0 {
            right.clone()
        } else {
            wrong.clone()
        };
        let request = answer_of(MEMBER, quiz.member_education_id, given);
        let mut quizzes = world.quizzes.clone();
        async move { quizzes.answer(request).await.unwrap().into_inner() }
    });
    let results = all(copies).await;
    let first: Vec<_> = results.iter().filter(|result| !result.replayed).collect();
    assert_eq!(first.len(), 1);
    for result in &results {
        assert_eq!(
            (result.is_correct, result.points, result.totals),
            (first[0].is_correct, first[0].points, first[0].totals)
        );
    }
    let points = if first[0].is_correct { 10 } else { 3 };
    assert_eq!(world.earned(MEMBER).await, (1, points));
    assert_eq!(first[0].totals.unwrap().tried, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn answers_are_graded_and_a_complete_set_earns_more(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let quiz = &set.quizzes[0];
    let wrong = world
        .answer(MEMBER, quiz.member_education_id, world.wrong(quiz))
        .await;
    assert_eq!(
        (wrong.is_correct, wrong.points, wrong.streak),
        (false, 3, 0)
    );
    assert_eq!(wrong.answer, world.right(quiz));
    assert!(!wrong.explanation.is_empty() && !wrong.is_day_done);
    let last = world
        .complete(MEMBER, &world.random_set(MEMBER).await)
        .await;
    assert_eq!((last.points, last.set_bonus, last.streak), (10, 10, 1));
    assert!(last.is_day_done);
    assert_eq!(world.earned(MEMBER).await, (6, 53));
    let totals = last.totals.unwrap();
    assert_eq!((totals.points, totals.tried, totals.correct), (53, 5, 4));
    let progress = world.progress(MEMBER).await;
    assert_eq!(progress.day.unwrap().points, 53);
    assert_eq!(progress.completed_lessons, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_cannot_be_graded_changes_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let mut multiple = None;
    for theme in ["money", "deposits", "rates", "stocks", "orders"] {
        let set = world.theme_set(MEMBER, theme).await;
        multiple = multiple.or(set.quizzes.into_iter().find(|quiz| quiz.answer_count > 1));
    }
    let quiz = multiple.expect("one of twenty-five has several answers");
    let id = quiz.member_education_id;
    let every: Vec<String> = quiz
        .options
        .iter()
        .map(|option| option.key.clone())
        .collect();
    let refusals = [
        (answer_of(MEMBER, id, every), "TOO_MANY_ANSWERS"),
        (
            answer_of(MEMBER, id, vec!["9".to_owned()]),
            "INVALID_ANSWER",
        ),
        (answer_of(MEMBER, id, vec![]), "INVALID_ANSWER"),
        (
            answer_of(MEMBER, id, vec!["GOOD".to_owned()]),
            "INVALID_ANSWER",
        ),
        (
            AnswerRequest {
                is_survey: true,
                ..answer_of(MEMBER, id, vec!["GOOD".to_owned()])
            },
            "INVALID_ANSWER",
        ),
        (answer_of(OTHER, id, world.right(&quiz)), "STUDY_NOT_FOUND"),
        (
            answer_of(MEMBER, id + 1_000, world.right(&quiz)),
            "STUDY_NOT_FOUND",
        ),
        (
            AnswerRequest {
                answered_at_us: i64::MAX,
                ..answer_of(MEMBER, id, world.right(&quiz))
            },
            "MALFORMED",
        ),
    ];
    for (request, expected) in refusals {
        let refused = world.try_answer(request.clone()).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{request:?}");
    }
    assert_eq!(world.earned(MEMBER).await, (0, 0));
    let some = world.right(&quiz).into_iter().take(1).collect();
    let part = world.answer(MEMBER, id, some).await;
    assert!(!part.is_correct, "one of several is not all");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_day_earns_a_hundred_points_and_a_quiz_earns_once(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let random = world.random_set(MEMBER).await;
    assert_eq!(world.complete(MEMBER, &random).await.set_bonus, 10);
    let theme = world.theme_set(MEMBER, "gold").await;
    let last = world.complete(MEMBER, &theme).await;
    assert_eq!((last.points, last.set_bonus), (0, 0), "60 + 40");
    assert_eq!(world.earned(MEMBER).await.1, 100);
    let practice = world.theme_set(MEMBER, "coins").await;
    world.complete(MEMBER, &practice).await;
    assert_eq!(world.earned(MEMBER).await.1, 100);
    // All thirty quizzes of a theme, and then those that were answered before.
    for day in 24..=30 {
        world.set_time(&format!("2026-11-{day}T09:00"));
        let set = world.theme_set(MEMBER, "gold").await;
        world.complete(MEMBER, &set).await;
    }
    let quizzes: i64 = sqlx::query_scalar(
        "select count(*) from point_grant where kind = 'QUIZ' and edu_id like 'gold-%'",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(quizzes, 30);
    let day = world.progress(MEMBER).await.day.unwrap();
    assert_eq!(day.points, 10, "of a repeated set only the bonus");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn late_answers_count_until_noon_if_they_were_given_in_time(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T23:50").await;
    let set = world.random_set(MEMBER).await;
    let answer = async |index: usize, claimed: Option<&str>| {
        let quiz = &set.quizzes[index];
        let request = AnswerRequest {
            answered_at_us: claimed.map(kst).map(micros).unwrap_or_default(),
            ..answer_of(MEMBER, quiz.member_education_id, world.right(quiz))
        };
        world.try_answer(request).await.unwrap()
    };
    world.set_time("2026-11-24T00:29");
    assert_eq!(answer(0, None).await.points, 10, "half an hour of grace");
    world.set_time("2026-11-24T11:59");
    assert_eq!(answer(1, Some("2026-11-23T23:58")).await.points, 10);
    // A clock that is set back, and one that is ahead.
    assert_eq!(answer(2, Some("2026-01-01T00:00")).await.points, 10);
    let late = answer(3, Some("2026-12-01T00:00")).await;
    assert_eq!((late.is_correct, late.points), (true, 0));
    world.set_time("2026-11-24T12:00");
    let last = answer(4, Some("2026-11-23T23:59")).await;
    assert_eq!((last.points, last.set_bonus, last.streak), (0, 0, 0));
    let first_day = sqlx::query_as::<_, (i32, i32)>(
        "select points, sets from study_day where day = '2026-11-23'",
    );
    assert_eq!(first_day.fetch_one(&world.pool).await.unwrap(), (30, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_clock_that_is_set_back_gives_no_second_credit(pool: PgPool) {
    let world = World::at(pool, "2026-11-25T09:00").await;
    let set = world.random_set(MEMBER).await;
    world.complete(MEMBER, &set).await;
    let earned = world.earned(MEMBER).await;
    world.clock.advance(TimeDelta::days(-2));
    for quiz in &set.quizzes {
        let again = world
            .answer(MEMBER, quiz.member_education_id, world.right(quiz))
            .await;
        assert!(again.replayed);
    }
    assert_eq!(world.earned(MEMBER).await, earned);
}
