//! Releases whose content differs: quizzes that are gone, and quizzes of a newer release.

use education::MIGRATOR;
use proto::education::v1::OpenReviewsRequest;
use sqlx::PgPool;
use tonic::Code;

use crate::world::{MEMBER, World, answer_of, reason};

async fn rename(world: &World, handout: i64, quiz: &str) {
    sqlx::query("update handout set edu_id = $2 where id = $1")
        .bind(handout)
        .bind(quiz)
        .execute(&world.pool)
        .await
        .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_set_is_complete_without_a_quiz_that_is_gone(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    rename(&world, set.quizzes[4].member_education_id, "gone-01").await;
    let left = world.random_set(MEMBER).await;
    assert_eq!(left.quizzes.len(), 4);
    let last = world.complete(MEMBER, &left).await;
    assert!(last.is_day_done);
    assert_eq!(world.earned(MEMBER).await, (5, 4 * 10 + 10));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_set_that_the_release_before_completed_is_not_completed_again(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let last = &set.quizzes[4];
    rename(&world, last.member_education_id, "gone-01").await;
    world
        .complete(MEMBER, &world.random_set(MEMBER).await)
        .await;
    rename(&world, last.member_education_id, &last.quiz_id).await;
    let late = world.random_set(MEMBER).await;
    world.complete(MEMBER, &late).await;
    // Five quizzes and one bonus.
    assert_eq!(world.earned(MEMBER).await, (6, 5 * 10 + 10));
    let (sets, lessons): (i32, i32) = sqlx::query_as(
        "select d.sets, s.lessons from study_day d join student s using (member_id)",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!((sets, lessons), (1, 1));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn reviews_pass_over_quizzes_that_are_gone(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let real = &set.quizzes[0].quiz_id;
    let due = "insert into review_card \
            (member_id, quiz_id, theme, stability, difficulty, last_on, due_on, answers) \
         select $1, quiz_id, 'money', 1, 5, '2026-11-01', day, 1 \
         from (select 'gone-' || n as quiz_id, date '2026-11-02' as day \
             from generate_series(1, 12) n union all select $2, '2026-11-20') due";
    sqlx::query(due)
        .bind(MEMBER)
        .bind(real)
        .execute(&world.pool)
        .await
        .unwrap();
    assert_eq!(world.progress(MEMBER).await.reviews_due, 1);
    let request = OpenReviewsRequest { member_id: MEMBER };
    let reviews = world.quizzes.clone().open_reviews(request).await.unwrap();
    let reviews = reviews.into_inner().quizzes;
    let ids: Vec<&String> = reviews.iter().map(|quiz| &quiz.quiz_id).collect();
    assert_eq!(ids, [real]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_answer_to_a_quiz_of_a_newer_release_is_to_be_sent_again(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let quiz = &set.quizzes[0];
    let handout = quiz.member_education_id;
    rename(&world, handout, "newer-01").await;
    let answer = || answer_of(MEMBER, handout, vec!["1".to_owned()]);
    let refused = world.try_answer(answer()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    world.set_time("2026-11-24T12:00");
    let refused = world.try_answer(answer()).await.unwrap_err();
    assert_eq!(reason(&refused), "STUDY_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_solution_that_was_seen_elsewhere_earns_no_more_than_a_wrong_answer(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    // The fourth theme set of a day earns nothing.
    for theme in ["money", "rates", "taxes"] {
        world.theme_set(MEMBER, theme).await;
    }
    let practice = world.theme_set(MEMBER, "orders").await;
    assert!(!practice.earns);
    let seen = &practice.quizzes[0];
    let wrong = world.wrong(seen);
    world.answer(MEMBER, seen.member_education_id, wrong).await;
    let set = world.random_set(MEMBER).await;
    let handout = set.quizzes[0].member_education_id;
    rename(&world, handout, &seen.quiz_id).await;
    let result = world.answer(MEMBER, handout, world.right(seen)).await;
    assert_eq!((result.is_correct, result.points), (true, 3));
}
