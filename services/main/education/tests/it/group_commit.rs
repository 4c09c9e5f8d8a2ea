//! Answers that share a transaction: each has the result that it has alone, and none harms another.

use std::time::Duration;

use education::MIGRATOR;
use education::store::{Answer, GroupedAnswer};
use fault_proxy::FaultProxy;
use futures_util::future::join_all;
use kernel::MemberId;
use proto::education::v1::{OpenArticleRequest, QuizSet};
use secrecy::SecretString;
use sqlx::{Executor, PgPool};
use tokio::task::JoinSet;

use crate::world::{MEMBER, World, answer_of};

const FIRST: i64 = 200_000;

fn grouped(member: i64, handout: i64, given: Vec<String>) -> GroupedAnswer {
    let answer = Answer {
        member: MemberId(member),
        handout,
        given,
        is_survey: false,
        claimed_at: None,
    };
    GroupedAnswer {
        answer,
        trace: None,
    }
}

async fn sets(world: &World, members: impl Iterator<Item = i64>) -> Vec<(i64, QuizSet)> {
    let mut sets = Vec::new();
    for member in members {
        sets.push((member, world.random_set(member).await));
    }
    sets
}

async fn answered(pool: &PgPool) -> Vec<i64> {
    let members = "select member_id from handout where answered_at is not null order by member_id";
    sqlx::query_scalar(members).fetch_all(pool).await.unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_group_stores_first_answers_and_leaves_the_rest(pool: PgPool) {
    let world = World::at(pool.clone(), "2026-11-23T09:00").await;
    let sets = sets(&world, FIRST..FIRST + 8).await;
    let handout = |place: usize| sets[place].1.quizzes[0].member_education_id;
    let right = |place: usize| world.right(&sets[place].1.quizzes[0]);
    let member = |place: usize| sets[place].0;
    world.answer(member(2), handout(2), right(2)).await;
    let article = OpenArticleRequest {
        member_id: member(3),
        article_id: "orders-1".to_owned(),
    };
    let article = world.articles.clone().open_article(article).await.unwrap();
    let article = article.into_inner().member_education_id;
    let mut survey = grouped(member(4), handout(4), right(4));
    survey.answer.is_survey = true;
    let mut locked = pool.begin().await.unwrap();
    locked
        .execute("select from student where member_id = 200005 for update")
        .await
        .unwrap();

    let group = [
        grouped(member(0), handout(0), right(0)),
        grouped(member(1), handout(1), world.wrong(&sets[1].1.quizzes[0])),
        grouped(member(2), handout(2), right(2)),
        grouped(member(3), article, vec!["1".to_owned()]),
        survey,
        grouped(member(5), handout(5), right(5)),
        grouped(member(6), handout(7), right(7)),
        grouped(member(7), handout(7), vec!["9".to_owned()]),
    ];
    let graded = world.store.answer_together(&group).await.unwrap();
    let outcomes: Vec<Option<(bool, i32)>> = graded
        .iter()
        .map(|graded| {
            graded
                .as_ref()
                .map(|graded| (graded.is_correct, graded.points))
        })
        .collect();
    let alone = [None; 6];
    assert_eq!(outcomes[..2], [Some((true, 10)), Some((false, 3))]);
    assert_eq!(outcomes[2..], alone);
    assert_eq!(answered(&pool).await, [member(0), member(1), member(2)]);
    assert_eq!(world.earned(member(0)).await, (1, 10));
    assert_eq!(world.earned(member(1)).await, (1, 3));
    assert_eq!(world.earned(member(2)).await, (1, 10));

    let again = world.store.answer_together(&group[..2]).await.unwrap();
    assert!(again.iter().all(Option::is_none), "these are stored");
    assert_eq!(world.earned(member(0)).await, (1, 10));
}

/// The rows that answers change, without ids and times.
async fn rows(pool: &PgPool) -> Vec<String> {
    let rows = "\
        select 'student ' || (to_jsonb(t) #- '{freezes_version}')::text from student t \
        union all select 'handout ' || (to_jsonb(t) #- '{id}' #- '{set_id}')::text from handout t \
        union all select 'set ' || (to_jsonb(t) #- '{id}')::text from quiz_set t \
        union all select 'grant ' || (to_jsonb(t) #- '{id}')::text from point_grant t \
        union all select 'day ' || to_jsonb(t)::text from study_day t \
        union all select 'card ' || to_jsonb(t)::text from review_card t \
        union all select 'event ' || aggregate_id || encode(body, 'hex') from outbox \
        order by 1";
    sqlx::query_scalar(rows).fetch_all(pool).await.unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn answers_given_together_and_alone_store_the_same(pool: PgPool) {
    let world = World::at(pool.clone(), "2026-11-23T09:00").await;
    let members: Vec<i64> = (FIRST..FIRST + 12).collect();
    let mut stored = Vec::new();
    for is_together in [true, false] {
        let clear =
            "truncate student, handout, quiz_set, point_grant, study_day, review_card, outbox";
        pool.execute(clear).await.unwrap();
        let sets = sets(&world, members.iter().copied()).await;
        for place in 0..5 {
            let group = sets.iter().map(|(member, set)| {
                let quiz = &set.quizzes[place];
                let given = if member % 3 == 0 {
                    world.wrong(quiz)
                } else {
                    world.right(quiz)
                };
                grouped(*member, quiz.member_education_id, given)
            });
            let group: Vec<GroupedAnswer> = group.collect();
            if is_together {
                let graded = world.store.answer_together(&group).await.unwrap();
                assert!(graded.iter().all(Option::is_some));
            } else {
                for one in &group {
                    world.store.answer(&one.answer).await.unwrap();
                }
            }
        }
        stored.push(rows(&pool).await);
    }
    assert!(stored[0].len() > members.len() * 20);
    assert_eq!(stored[0], stored[1]);
}

/// One call at a time of each member, all members at once.
async fn answer_all(world: &World, sets: &[(i64, QuizSet)]) -> Vec<(i64, bool)> {
    let mut calls = JoinSet::new();
    for (member, set) in sets {
        let quiz = &set.quizzes[0];
        let request = answer_of(*member, quiz.member_education_id, world.right(quiz));
        let (member, mut quizzes) = (*member, world.quizzes.clone());
        calls.spawn(async move { (member, quizzes.answer(request).await.is_ok()) });
    }
    let mut results = calls.join_all().await;
    results.sort_unstable();
    results
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_answer_that_the_database_refuses_takes_no_other_along(pool: PgPool) {
    let world = World::at(pool.clone(), "2026-11-23T09:00").await;
    let sets = sets(&world, FIRST..FIRST + 30).await;
    let refused = FIRST + 7;
    let refuse = "create function refuse() returns trigger language plpgsql as $$ begin \
        if new.member_id = 200007 then raise exception 'no'; end if; return new; end $$; \
        create trigger refuse before update on handout for each row execute function refuse()";
    pool.execute(refuse).await.unwrap();
    let results = answer_all(&world, &sets).await;
    for (member, is_ok) in &results {
        assert_eq!(*is_ok, *member != refused, "{member}");
    }
    assert_eq!(answered(&pool).await.len(), 29);
    assert_eq!(world.earned(refused).await, (0, 0));
    pool.execute("drop trigger refuse on handout")
        .await
        .unwrap();
    let again = answer_all(&world, &sets).await;
    assert!(again.iter().all(|(_, is_ok)| *is_ok));
    for (member, _) in &again {
        assert_eq!(world.earned(*member).await, (1, 10), "{member}");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_locked_member_delays_nobodys_answer(pool: PgPool) {
    let world = World::at(pool.clone(), "2026-11-23T09:00").await;
    let members = std::iter::once(MEMBER).chain(FIRST..FIRST + 20);
    let sets = sets(&world, members).await;
    let mut held = pool.begin().await.unwrap();
    held.execute("select from student where member_id = 100007 for update")
        .await
        .unwrap();
    let (locked, others) = sets.split_first().unwrap();
    let quiz = &locked.1.quizzes[0];
    let request = answer_of(MEMBER, quiz.member_education_id, world.right(quiz));
    let mut quizzes = world.quizzes.clone();
    let waits = tokio::spawn(async move { quizzes.answer(request).await });
    let results = tokio::time::timeout(Duration::from_secs(20), answer_all(&world, others)).await;
    assert!(results.unwrap().iter().all(|(_, is_ok)| *is_ok));
    assert!(!waits.is_finished());
    held.rollback().await.unwrap();
    assert!(waits.await.unwrap().unwrap().into_inner().is_correct);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_connection_that_is_half_open_stops_no_later_answers(pool: PgPool) {
    let name = pool.connect_options().get_database().unwrap().to_owned();
    let url = testkit::database_url(&name);
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    let through = bootstrap::database::connect(&SecretString::from(url), 4).await;
    let (through, _) = through.unwrap();
    let world = World::at(through.clone(), "2026-11-23T09:00").await;
    let sets = sets(&world, FIRST..FIRST + 12).await;
    let answer = |place: usize| {
        let (member, set): &(i64, QuizSet) = &sets[place];
        let quiz = &set.quizzes[0];
        let request = answer_of(*member, quiz.member_education_id, world.right(quiz));
        let mut quizzes = world.quizzes.clone();
        async move {
            let answered = quizzes.answer(request);
            let within = tokio::time::timeout(Duration::from_secs(5), answered).await;
            matches!(within, Ok(Ok(_)))
        }
    };
    // Its group waits for the lock, and the answer of the database gets lost.
    let mut holder = pool.begin().await.unwrap();
    holder
        .execute("lock table point_grant in exclusive mode")
        .await
        .unwrap();
    let lost = tokio::spawn(answer(0));
    tokio::time::sleep(Duration::from_millis(500)).await;
    proxy.abandon();
    holder.rollback().await.unwrap();
    assert!(!lost.await.unwrap());

    let begun = std::time::Instant::now();
    testkit::eventually(Duration::from_secs(20), async || answer(1).await).await;
    let mut later = JoinSet::new();
    for place in 2..12 {
        later.spawn(answer(place));
    }
    assert!(later.join_all().await.into_iter().all(|stored| stored));
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(answer(0).await, "it is stored once, whenever it was");
    for (member, _) in &sets {
        assert_eq!(world.earned(*member).await, (1, 10));
    }
    // No place in the pool is lost for long.
    testkit::eventually(Duration::from_secs(20), async || {
        let held = join_all((0..4).map(|_| through.acquire())).await;
        held.into_iter().all(|connection| connection.is_ok())
    })
    .await;
}
