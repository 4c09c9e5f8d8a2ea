//! Education points: credited once, turned into won by the level before, spent once.

use std::time::Duration;

use futures_util::future::join_all;
use kernel::MemberId;
use proto::trading::v1 as wire;
use proto::trading::v1::point_service_client::PointServiceClient;
use sqlx::PgPool;
use tonic::transport::Channel;
use tonic::{Code, Status};
use trading::points::earn::EarnedPoints;
use uuid::Uuid;

use crate::world::{World, morning, reason};

pub(crate) const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const OPENED: i64 = 5_000_000;

async fn client(world: &World) -> PointServiceClient<Channel> {
    let client = PointServiceClient::connect(world.served.url.clone());
    client.await.unwrap()
}

pub(crate) async fn earn(world: &World, member: i64, key: &str, points: i64) {
    let earned = EarnedPoints {
        member_id: MemberId(member),
        source_key: key.to_owned(),
        points,
        kind: "QUIZ".to_owned(),
        earned_at: morning(),
    };
    let credited = world.store.credit_points(Uuid::new_v4(), &earned);
    credited.await.unwrap();
}

pub(crate) async fn transfer(
    world: &World,
    points: i64,
    key: &str,
) -> Result<wire::MovePointsReply, Status> {
    let request = wire::MovePointsRequest {
        member_id: ME,
        request_id: key.to_owned(),
        points,
        account_no: String::new(),
    };
    let moved = client(world).await.move_points(request).await;
    moved.map(tonic::Response::into_inner)
}

pub(crate) async fn spend(
    world: &World,
    points: i64,
    key: &str,
) -> Result<wire::SpendPointsReply, Status> {
    let request = wire::SpendPointsRequest {
        member_id: ME,
        points,
        key: key.to_owned(),
        reason: "STREAK_REPAIR".to_owned(),
    };
    let spent = client(world).await.spend_points(request).await;
    spent.map(tonic::Response::into_inner)
}

async fn points(world: &World) -> wire::Points {
    let request = wire::GetPointsRequest { member_id: ME };
    let points = client(world).await.get_points(request).await;
    points.unwrap().into_inner()
}

fn sentence(status: &Status) -> String {
    bootstrap::problem::of(status).unwrap().message
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_source_is_credited_once_however_often_it_is_told(pool: PgPool) {
    let world = World::new(pool).await;
    let earned = EarnedPoints {
        member_id: MemberId(ME),
        source_key: "quiz-1".to_owned(),
        points: 10,
        kind: "QUIZ".to_owned(),
        earned_at: morning(),
    };
    let event = Uuid::new_v4();
    // The same event twice, another event of the same key eight times at once, another member's.
    world.store.credit_points(event, &earned).await.unwrap();
    world.store.credit_points(event, &earned).await.unwrap();
    let copies = (0..8).map(|_| world.store.credit_points(Uuid::new_v4(), &earned));
    for copy in join_all(copies).await {
        copy.unwrap();
    }
    earn(&world, OTHER, "quiz-1", 7).await;
    let streak = EarnedPoints {
        source_key: "streak-7".to_owned(),
        points: 30,
        kind: "STREAK".to_owned(),
        ..earned
    };
    world
        .store
        .credit_points(Uuid::new_v4(), &streak)
        .await
        .unwrap();
    let now = points(&world).await;
    assert_eq!((now.balance, now.earned), (40, 40));
    // The cap does not count a streak, and another day begins at nothing.
    assert_eq!((now.earned_today, now.day_cap), (10, 100));
    world.clock.advance(chrono::TimeDelta::days(1));
    assert_eq!(points(&world).await.earned_today, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_transfer_is_multiplied_by_the_level_before_it(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "much", 6_000).await;
    // 5,000,000 won become 10,000,000: the level rises with this transfer, not before it.
    let first = transfer(&world, 5_000, "transfer-1").await.unwrap();
    assert_eq!(
        (first.won, first.multiplier_tenths, first.level),
        (5_000_000, 10, 1)
    );
    assert_eq!(first.message, "계좌에 5,000,000원을 넣었어요");
    assert_eq!(
        (first.deposit_won, first.education_points),
        (10_000_000, 1_000)
    );
    assert_eq!(points(&world).await.multiplier_tenths, 11);
    let second = transfer(&world, 3, "transfer-2").await.unwrap();
    assert_eq!(
        (second.won, second.multiplier_tenths, second.level),
        (3_300, 11, 2)
    );
    let summary = world.summary(ME).await;
    assert_eq!(summary.accounts[0].education_deposit_won, 5_003_300);
    assert_eq!(summary.total_won, summary.base_won, "points are no profit");
    let now = points(&world).await;
    assert_eq!(
        (now.balance, now.earned, now.moved, now.spent),
        (997, 6_000, 5_003, 0)
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_repeated_transfer_changes_nothing_and_reads_the_same(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 10).await;
    let copies = (0..20).map(|_| transfer(&world, 4, "the-same-key"));
    let replies: Vec<_> = join_all(copies)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    let body = |reply: &wire::MovePointsReply| wire::MovePointsReply {
        replayed: false,
        ..reply.clone()
    };
    assert!(replies.iter().all(|reply| body(reply) == body(&replies[0])));
    let other = transfer(&world, 5, "the-same-key").await.unwrap_err();
    assert_eq!(
        (other.code(), reason(&other).as_str()),
        (Code::AlreadyExists, "REQ_SID_REUSED")
    );
    assert_eq!(points(&world).await.balance, 6);
    assert_eq!(world.basic(ME).await.deposit_won, OPENED + 4_000);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn transfers_at_once_never_move_more_than_there_is(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 10).await;
    let keys: Vec<String> = (0..12).map(|index| format!("at-once-{index}")).collect();
    let moved = join_all(keys.iter().map(|key| transfer(&world, 3, key))).await;
    let done = moved.iter().filter(|reply| reply.is_ok()).count();
    assert_eq!(done, 3, "{moved:?}");
    for refused in moved.iter().filter_map(|reply| reply.as_ref().err()) {
        assert_eq!(reason(refused), "INSUFFICIENT_POINTS");
    }
    assert_eq!(points(&world).await.balance, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_refused_transfer_says_why_and_is_stored(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 10).await;
    let refused = transfer(&world, 11, "too-many-1").await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(reason(&refused), "INSUFFICIENT_POINTS");
    assert_eq!(
        sentence(&refused),
        "학습포인트 이전에 실패했습니다: 잔액 부족"
    );
    earn(&world, ME, "more", 10).await;
    let again = transfer(&world, 11, "too-many-1").await.unwrap_err();
    let problem = bootstrap::problem::of(&again).unwrap();
    assert!(problem.replayed);
    assert_eq!(problem.facts["have"], "10");
    for malformed in [0, -1, i64::MIN, i64::MAX] {
        let refused = transfer(&world, malformed, "malformed-1")
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{malformed}");
    }
    assert_eq!(points(&world).await.balance, 20);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_the_basic_account_takes_points(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 10).await;
    let mine = world.basic(ME).await.account_no;
    let others = world.basic(OTHER).await.account_no;
    let no_ones = "999999999999".to_owned();
    let mut client = client(&world).await;
    for (account_no, refusal) in [
        (mine, None),
        ("00".to_owned(), None),
        ("99".to_owned(), Some("COMPETITION_LOCKED")),
        (others, Some("ACCOUNT_FORBIDDEN")),
        (no_ones, Some("ACCOUNT_FORBIDDEN")),
    ] {
        let request = wire::MovePointsRequest {
            member_id: ME,
            points: 1,
            account_no,
            ..wire::MovePointsRequest::default()
        };
        let moved = client.move_points(request).await;
        assert_eq!(moved.as_ref().err().map(reason).as_deref(), refusal);
        if refusal == Some("COMPETITION_LOCKED") {
            let text = sentence(&moved.unwrap_err());
            assert_eq!(text, "학습포인트 이전에 실패했습니다: 대회 계좌 불가");
        }
    }
    assert_eq!(points(&world).await.balance, 8);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn points_are_spent_once_per_key_even_when_the_reply_is_forgotten(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 120).await;
    let copies = (0..8).map(|_| spend(&world, 50, "repair-20261119"));
    for copy in join_all(copies).await {
        assert_eq!(copy.unwrap().education_points, 70);
    }
    sqlx::query("delete from request")
        .execute(&world.pool)
        .await
        .unwrap();
    assert!(spend(&world, 50, "repair-20261119").await.unwrap().replayed);
    sqlx::query("delete from request")
        .execute(&world.pool)
        .await
        .unwrap();
    let other = spend(&world, 51, "repair-20261119").await.unwrap_err();
    assert_eq!(reason(&other), "REQ_SID_REUSED");
    spend(&world, 50, "repair-20261120").await.unwrap();
    let refused = spend(&world, 50, "repair-20261121").await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_POINTS");
    for (key, points) in [("short", 1), ("repair-20261122", 0)] {
        let malformed = spend(&world, points, key).await.unwrap_err();
        assert_eq!(malformed.code(), Code::InvalidArgument, "{key}");
    }
    let now = points(&world).await;
    assert_eq!((now.balance, now.spent), (20, 100));
    // The refused key works once there are enough points.
    earn(&world, ME, "more", 30).await;
    let paid = spend(&world, 50, "repair-20261121").await.unwrap();
    assert_eq!((paid.education_points, paid.replayed), (0, false));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_cannot_take_the_key_of_a_service(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 120).await;
    transfer(&world, 1, "repair-20261119").await.unwrap();
    let spent = spend(&world, 50, "repair-20261119").await.unwrap();
    assert_eq!((spent.education_points, spent.replayed), (69, false));
    assert!(spend(&world, 50, "repair-20261119").await.unwrap().replayed);
    // Nor is one that a service has used lost for the member.
    spend(&world, 50, "repair-20261120").await.unwrap();
    transfer(&world, 2, "repair-20261120").await.unwrap();
    let now = points(&world).await;
    assert_eq!((now.balance, now.moved, now.spent), (17, 3, 100));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_history_is_read_a_page_at_a_time(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "first", 10).await;
    earn(&world, OTHER, "others", 10).await;
    transfer(&world, 4, "transfer-1").await.unwrap();
    spend(&world, 5, "repair-20261119").await.unwrap();
    let mut client = client(&world).await;
    let mut before_id = 0;
    let mut seen = Vec::new();
    loop {
        let request = wire::ListPointChangesRequest {
            member_id: ME,
            before_id,
            size: 2,
        };
        let page = client
            .list_point_changes(request)
            .await
            .unwrap()
            .into_inner();
        seen.extend(page.changes);
        before_id = page.next_before_id;
        if before_id == 0 {
            break;
        }
    }
    let seen: Vec<_> = seen
        .iter()
        .map(|change| {
            (
                change.kind(),
                change.points,
                change.won,
                change.reason.as_str(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (wire::PointChangeKind::Spent, -5, 0, "STREAK_REPAIR"),
            (wire::PointChangeKind::Moved, -4, 4_000, ""),
            (wire::PointChangeKind::Earned, 10, 0, "QUIZ"),
        ]
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_popup_of_the_first_transfer_is_noted(pool: PgPool) {
    let world = World::new(pool).await;
    assert!(!points(&world).await.is_transfer_popup_seen);
    let mut client = client(&world).await;
    for _ in 0..2 {
        let request = wire::SeeTransferPopupRequest { member_id: ME };
        client.see_transfer_popup(request).await.unwrap();
    }
    assert!(points(&world).await.is_transfer_popup_seen);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_transfer_waits_for_what_changes_another_account(pool: PgPool) {
    let world = World::new(pool).await;
    earn(&world, ME, "some", 10).await;
    world.moved("00", "01", 1_000_000).await;
    let mut fill = world.pool.begin().await.unwrap();
    sqlx::query("select 1 from account where member_id = $1 and code = '01' for update")
        .bind(ME)
        .execute(&mut *fill)
        .await
        .unwrap();
    let moved = transfer(&world, 10, "transfer-1");
    tokio::pin!(moved);
    let early = tokio::time::timeout(Duration::from_millis(300), &mut moved).await;
    assert!(early.is_err(), "{early:?}");
    fill.rollback().await.unwrap();
    assert_eq!(moved.await.unwrap().won, 10_000);
    world.audit().await;
}
