//! Sets of a day: stable, and silent about what is not answered.

use education::MIGRATOR;
use education::content::Quiz as Source;
use proto::education::v1::{ListThemesRequest, OpenReviewsRequest, QuizSet};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World};

fn ids(set: &QuizSet) -> Vec<&str> {
    set.quizzes
        .iter()
        .map(|quiz| quiz.quiz_id.as_str())
        .collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_set_is_the_same_on_every_call_of_its_day(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let (first, second) = tokio::join!(world.random_set(MEMBER), world.random_set(MEMBER));
    assert_eq!(first, second, "two phones at once");
    assert_eq!(first.quizzes.len(), 5);
    assert!(first.earns);
    world.set_time("2026-11-23T23:59");
    assert_eq!(world.random_set(MEMBER).await, first);
    assert_ne!(ids(&world.random_set(OTHER).await), ids(&first));
    world.set_time("2026-11-24T00:00");
    let next = world.random_set(MEMBER).await;
    assert_ne!(next.set_id, first.set_id);
    assert_eq!(next.date, "2026-11-24");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_theme_set_is_of_its_theme_and_repeats_nothing_of_the_day(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let random = world.random_set(MEMBER).await;
    let theme = world.theme_set(MEMBER, "taxes").await;
    assert!(theme.quizzes.iter().all(|quiz| quiz.theme_id == "taxes"));
    assert!(ids(&theme).iter().all(|id| !ids(&random).contains(id)));
    let first = world.theme_set(MEMBER, "").await;
    assert_eq!(first.quizzes[0].theme_id, "money");
    let mut earning = vec![theme.earns, first.earns];
    for theme in ["rates", "stocks"] {
        earning.push(world.theme_set(MEMBER, theme).await.earns);
    }
    assert_eq!(earning, [true, true, true, false]);
}

/// Texts of a quiz that only its answer reveals.
fn secrets(source: &Source) -> Vec<String> {
    let slips = source.options.iter().map(|option| &option.slip);
    let texts = slips.chain(&source.explanation);
    let texts = texts.filter(|text| !text.is_empty());
    // A filled reference differs, so what stands before it must do.
    texts
        .map(|text| text.split("{{").next().unwrap().to_owned())
        .filter(|text| text.chars().count() > 10)
        .collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nothing_reveals_an_answer_before_it_is_given(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let mut sets = vec![world.random_set(MEMBER).await];
    for theme in &world.content.themes {
        sets.push(world.theme_set(MEMBER, &theme.id).await);
    }
    let mut checked = 0;
    for set in &sets {
        let shown = format!("{set:?}");
        for quiz in &set.quizzes {
            assert_eq!(quiz.solution, None);
            for secret in secrets(&world.content.quizzes[&quiz.quiz_id]) {
                assert!(!shown.contains(&secret), "{}: {secret}", quiz.quiz_id);
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
    let quiz = &sets[0].quizzes[0];
    let answered = world
        .answer(MEMBER, quiz.member_education_id, world.wrong(quiz))
        .await;
    let secret = secrets(&world.content.quizzes[&quiz.quiz_id])
        .pop()
        .unwrap();
    assert!(answered.explanation.contains(&secret), "the check can fail");
    let again = world.random_set(MEMBER).await;
    let solved: Vec<bool> = again
        .quizzes
        .iter()
        .map(|quiz| quiz.solution.is_some())
        .collect();
    assert_eq!(solved, [true, false, false, false, false]);
    let shown = format!("{again:?}");
    for quiz in again.quizzes.iter().skip(1) {
        for secret in secrets(&world.content.quizzes[&quiz.quiz_id]) {
            assert!(!shown.contains(&secret), "{}: {secret}", quiz.quiz_id);
        }
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn wrong_answers_come_back_for_review_and_earn_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for theme in ["money", "rates", "taxes"] {
        for quiz in world.theme_set(MEMBER, theme).await.quizzes {
            world
                .answer(MEMBER, quiz.member_education_id, world.wrong(&quiz))
                .await;
        }
    }
    let reviews = async || {
        let request = OpenReviewsRequest { member_id: MEMBER };
        let answer = world.quizzes.clone().open_reviews(request).await;
        answer.unwrap().into_inner()
    };
    assert!(reviews().await.quizzes.is_empty());
    world.set_time("2026-11-24T09:00");
    let due = reviews().await;
    assert_eq!(due.quizzes.len(), 10, "fifteen are due, ten are a day's");
    assert_eq!(reviews().await, due);
    let points = world.earned(MEMBER).await;
    let quiz = &due.quizzes[0];
    let result = world
        .answer(MEMBER, quiz.member_education_id, world.right(quiz))
        .await;
    assert_eq!((result.is_correct, result.points), (true, 0));
    assert!(result.next_review_on.as_str() > "2026-11-24");
    assert_eq!(world.earned(MEMBER).await, points);
    let progress = world.progress(MEMBER).await;
    assert_eq!(progress.reviews_due, 9);
    assert_eq!(progress.next_review_on, "2026-11-25");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn themes_tell_what_a_member_remembers(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.theme_set(MEMBER, "money").await;
    world.complete(MEMBER, &set).await;
    let themes = async |member_id| {
        let request = ListThemesRequest { member_id };
        let answer = world.quizzes.clone().list_themes(request).await;
        answer.unwrap().into_inner().themes
    };
    let mine = themes(MEMBER).await;
    assert_eq!(mine.len(), 12);
    assert_eq!((mine[0].total, mine[0].done), (30, Some(5)));
    // Five of thirty, remembered wholly on the day of the answer.
    assert_eq!(mine[0].mastery_percent, Some(17));
    assert_eq!(mine[1].mastery_percent, Some(0));
    let visitors = themes(0).await;
    assert_eq!(
        (visitors[0].done, visitors[0].mastery_percent),
        (None, None)
    );
    assert!(visitors[0].levels.iter().all(|level| level.total == 10));
}
