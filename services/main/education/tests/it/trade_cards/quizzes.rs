//! The question of a card: once a day, no place of a review, only for the member whose card it is.

use education::MIGRATOR;
use proto::education::v1::{
    CardKind as Kind, ListTradeCardsRequest, OpenCardQuizRequest, OpenReviewsRequest, Quiz,
    QuizSet, SetKind,
};
use sqlx::PgPool;
use tonic::Status;

use super::{bought, cards, changed, hear};
use crate::world::{MEMBER, OTHER, World, reason};

async fn quiz(world: &World, order_id: i64, kind: Kind) -> Result<QuizSet, Status> {
    let request = OpenCardQuizRequest {
        member_id: MEMBER,
        order_id,
        kind: kind.into(),
        ..OpenCardQuizRequest::default()
    };
    let answer = world.cards.clone().open_card_quiz(request).await;
    answer.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_quiz_of_a_card_is_asked_once_a_day_and_not_again_for_a_week(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear(&world, &bought(7)).await;
    let set = quiz(&world, 7, Kind::Slippage).await.unwrap();
    assert_eq!((set.kind(), set.earns), (SetKind::Review, false));
    assert_eq!(set.quizzes.len(), 1);
    let asked = &set.quizzes[0];
    assert_eq!(asked.quiz_id, "orders-basic-03");
    let again = quiz(&world, 7, Kind::Slippage).await.unwrap();
    assert_eq!(again, set, "the same all day");
    let right = world.right(asked);
    let result = world.answer(MEMBER, asked.member_education_id, right).await;
    assert!(result.is_correct);
    assert_eq!(result.points, 0);
    assert_eq!(world.earned(MEMBER).await, (0, 0));
    let due = async || {
        let cards = cards(&world).await.into_iter();
        cards.map(|card| card.is_due).collect::<Vec<bool>>()
    };
    assert_eq!(due().await, [false, true]);
    world.set_time("2026-11-30T10:00");
    hear(&world, &bought(8)).await;
    assert_eq!(due().await, [false, true]);
    world.set_time("2026-11-30T10:02");
    assert_eq!(due().await, [true, true]);
    let next = quiz(&world, 8, Kind::Slippage).await.unwrap();
    assert!(next.quizzes[0].solution.is_none(), "asked anew");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_quiz_of_a_card_takes_no_place_of_a_review(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear(&world, &bought(7)).await;
    for theme in ["money", "rates", "taxes"] {
        for quiz in world.theme_set(MEMBER, theme).await.quizzes {
            let wrong = world.wrong(&quiz);
            world.answer(MEMBER, quiz.member_education_id, wrong).await;
        }
    }
    world.set_time("2026-11-24T09:00");
    let asked = quiz(&world, 7, Kind::Slippage).await.unwrap();
    let reviews = async || {
        let request = OpenReviewsRequest { member_id: MEMBER };
        let set = world.quizzes.clone().open_reviews(request).await;
        set.unwrap().into_inner().quizzes
    };
    assert_eq!(reviews().await.len(), 10);

    // Due the day after as well, it is asked once: in the reviews that have it already.
    let wrong = world.wrong(&asked.quizzes[0]);
    let handout = asked.quizzes[0].member_education_id;
    world.answer(MEMBER, handout, wrong).await;
    for review in reviews().await {
        let right = world.right(&review);
        world
            .answer(MEMBER, review.member_education_id, right)
            .await;
    }
    world.set_time("2026-11-25T09:00");
    let reviews = reviews().await;
    let same = |quiz: &&Quiz| quiz.quiz_id == asked.quizzes[0].quiz_id;
    let review = reviews.iter().find(same).unwrap();
    let again = quiz(&world, 7, Kind::Slippage).await.unwrap();
    assert_eq!(again.quizzes.as_slice(), std::slice::from_ref(review));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_taps_at_once_hand_out_one_quiz(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear(&world, &bought(7)).await;
    let (one, other) = tokio::join!(
        quiz(&world, 7, Kind::Slippage),
        quiz(&world, 7, Kind::Slippage)
    );
    assert_eq!(one.unwrap().quizzes, other.unwrap().quizzes);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_card_that_is_not_the_members_has_no_quiz(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let anothers = changed(bought(6), |notice, _, _| notice.member_id = OTHER);
    hear(&world, &anothers).await;
    hear(&world, &bought(7)).await;
    for (order, kind) in [
        (6, Kind::Slippage),
        (7, Kind::Exchange),
        (8, Kind::Slippage),
        (0, Kind::Slippage),
        (-1, Kind::Slippage),
        (i64::MAX, Kind::Fee),
    ] {
        let refused = quiz(&world, order, kind).await.unwrap_err();
        assert_eq!(reason(&refused), "STUDY_NOT_FOUND", "{order} {kind:?}");
    }
    let refused = quiz(&world, 7, Kind::Unspecified).await.unwrap_err();
    assert_eq!(reason(&refused), "MALFORMED");
    let request = ListTradeCardsRequest {
        member_id: MEMBER,
        order_id: -1,
        ..ListTradeCardsRequest::default()
    };
    let refused = world.cards.clone().list_trade_cards(request).await;
    assert_eq!(reason(&refused.unwrap_err()), "MALFORMED");
    let handouts: i64 = sqlx::query_scalar("select count(*) from handout")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(handouts, 0);
}
