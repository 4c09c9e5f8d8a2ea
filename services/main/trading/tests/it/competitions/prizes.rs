//! Prizes and objections: who receives what when, once.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};
use trading::competitions::LiveBoards;
use trading::competitions::operator::{self, Decision, NewEvent, OperatorError};

use super::{APPLE, CompetitionWorld, ME, OTHER, SAMSUNG, reason};

const OBJECTION: &str = "마지막 가격이 이상해서 다시 확인해 주세요.";

impl CompetitionWorld {
    /// An event of one day that is closed: the first is ME, the second OTHER.
    async fn with_results(pool: PgPool) -> (Self, i64) {
        let mut world = Self::two_compete(pool).await;
        world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
        let id = world.at_end().await.competition_id;
        world.closed(id).await;
        (world, id)
    }

    /// Market time comes to when prizes are awarded.
    pub(super) async fn objections_over(&mut self, id: i64) {
        let award = self.award_at(id).await;
        self.comes_to(award).await;
    }

    async fn award_at(&self, id: i64) -> DateTime<Utc> {
        let read = "select award_at from competition where id = $1";
        let read = sqlx::query_scalar(read).bind(id);
        read.fetch_one(&self.world.pool).await.unwrap()
    }

    async fn comes_to(&mut self, at: DateTime<Utc>) {
        self.world.now = at;
        self.world.clock.set(at);
        self.world.log(Vec::new()).await;
    }

    async fn object(&self, member: i64, id: i64, text: &str) -> Result<wire::Objection, Status> {
        let request = wire::FileObjectionRequest {
            member_id: member,
            competition_id: id,
            text: text.to_owned(),
        };
        let filed = self.client.clone().file_objection(request).await;
        filed.map(tonic::Response::into_inner)
    }

    async fn points(&self, member: i64) -> i64 {
        sqlx::query_scalar(
            "select coalesce(sum(b.amount), 0)::bigint from balance b join account a on a.id = b.account_id \
             where a.member_id = $1 and b.asset = 'EP'",
        )
        .bind(member)
        .fetch_one(&self.world.pool)
        .await
        .unwrap()
    }

    async fn decide(&self, is_upheld: bool, from: &[i64]) -> Result<(), OperatorError> {
        let objections = operator::undecided(&self.world.db()).await.unwrap();
        let decision = Decision {
            objection_id: objections.first().map_or(0, |one| one.id),
            is_upheld,
            answer: "가격을 다시 확인했어요.".to_owned(),
            withheld_from: from.iter().copied().map(MemberId).collect(),
        };
        operator::decide(&self.world.db(), &decision, self.world.now).await
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_late_end_leaves_as_many_days_for_objections(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let event = world.at_end().await;
    let id = event.competition_id;
    let CompetitionWorld {
        world: trading,
        equity,
        ..
    } = &mut world;
    trading
        .day_closed(equity, "2026-11-20".parse().unwrap())
        .await;
    world.comes_to(world.world.now + TimeDelta::days(2)).await;
    let days = |shown: i64| TimeDelta::microseconds(shown - event.ends_at_us).num_days();
    let expected = world.get(ME, id).await.award_at_us;
    assert_eq!(days(expected), 5, "before the results are there");
    world.closed(id).await;
    let shown = world.get(ME, id).await.award_at_us;
    assert_eq!(shown, world.award_at(id).await.timestamp_micros());
    assert_eq!(days(shown), 5);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn prizes_come_once_three_days_after_the_end(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::with_results(pool).await;
    let seen = world.get(ME, id).await;
    let firsts: Vec<(i32, i32, i64)> = seen
        .prizes
        .iter()
        .map(|prize| (prize.first_place, prize.last_place, prize.points))
        .collect();
    assert_eq!(
        firsts,
        [
            (1, 1, 500),
            (2, 3, 300),
            (4, 10, 100),
            (1, 1, 300),
            (2, 3, 200),
            (4, 10, 50)
        ]
    );
    let award = world.award_at(id).await;
    assert_eq!(seen.award_at_us, award.timestamp_micros());
    assert!(seen.can_object && !seen.is_awarded);
    world.comes_to(award - TimeDelta::seconds(1)).await;
    world.worker.step().await.unwrap();
    assert_eq!(world.points(ME).await, 0);

    // Two processes at once, and again.
    world.comes_to(award).await;
    let boards = LiveBoards::new(bootstrap::redis::Redis::absent());
    let mut second = world.closes.competitions(&world.world, boards);
    let (one, two) = tokio::join!(world.worker.step(), second.step());
    one.unwrap();
    two.unwrap();
    world.worker.step().await.unwrap();
    // A day is too short for the second board.
    assert_eq!(
        (world.points(ME).await, world.points(OTHER).await),
        (500, 300)
    );
    let seen = world.get(OTHER, id).await;
    assert!(seen.is_awarded && !seen.can_object);
    let awards: Vec<(wire::BoardKind, i32, i64, bool)> = seen
        .awards
        .iter()
        .map(|award| (award.board(), award.place, award.points, award.is_withheld))
        .collect();
    assert_eq!(awards, [(wire::BoardKind::Return, 2, 300, false)]);
    let late = world.object(ME, id, OBJECTION).await.unwrap_err();
    assert_eq!(reason(&late), "COMPETITION_OBJECTION_CLOSED");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_objection_holds_prizes_back_until_it_is_decided(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::with_results(pool).await;
    let filed = world.object(OTHER, id, OBJECTION).await.unwrap();
    assert_eq!(filed.status(), wire::ObjectionStatus::Pending);
    assert_eq!(world.object(OTHER, id, OBJECTION).await.unwrap(), filed);
    let again = world
        .object(OTHER, id, "다른 내용으로 다시 제기해요.")
        .await;
    assert_eq!(reason(&again.unwrap_err()), "COMPETITION_OBJECTED");
    world.objections_over(id).await;
    world.worker.step().await.unwrap();
    assert_eq!(world.points(ME).await, 0);

    world.decide(false, &[ME]).await.unwrap_err();
    world.decide(true, &[]).await.unwrap_err();
    world.decide(false, &[]).await.unwrap();
    world.decide(false, &[]).await.unwrap_err();
    let seen = world.get(OTHER, id).await.objection.unwrap();
    assert_eq!(seen.status(), wire::ObjectionStatus::Dismissed);
    assert_eq!(seen.answer, "가격을 다시 확인했어요.");
    world.worker.step().await.unwrap();
    assert_eq!(
        (world.points(ME).await, world.points(OTHER).await),
        (500, 300)
    );
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_objection_that_is_upheld_withholds_a_prize_and_no_place(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::with_results(pool).await;
    world.object(OTHER, id, OBJECTION).await.unwrap();
    world.decide(true, &[ME]).await.unwrap();
    world.objections_over(id).await;
    world.worker.step().await.unwrap();
    assert_eq!(
        (world.points(ME).await, world.points(OTHER).await),
        (0, 300)
    );
    let awards = world.get(ME, id).await.awards;
    assert!(awards[0].is_withheld && awards[0].place == 1);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_objection_and_the_prizes_at_once_are_one_before_the_other(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::with_results(pool).await;
    world.objections_over(id).await;
    // As if the clock of who files were a little behind.
    sqlx::query("update competition set award_at = award_at + interval '1 hour' where id = $1")
        .bind(id)
        .execute(&world.world.pool)
        .await
        .unwrap();
    let mut open = world.world.pool.begin().await.unwrap();
    sqlx::query("select from competition where id = $1 for share")
        .bind(id)
        .execute(&mut *open)
        .await
        .unwrap();
    sqlx::query(
        "insert into competition_objection (competition_id, member_id, text, filed_at) \
         values ($1, $2, $3, now())",
    )
    .bind(id)
    .bind(OTHER)
    .bind(OBJECTION)
    .execute(&mut *open)
    .await
    .unwrap();
    let award = world.award_at(id).await;
    world.comes_to(award).await;
    let commit = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        open.commit().await.unwrap();
    };
    let (stepped, ()) = tokio::join!(world.worker.step(), commit);
    stepped.unwrap();
    assert_eq!(world.points(ME).await, 0, "the objection was first");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_who_has_a_result_objects(pool: PgPool) {
    let (world, id) = CompetitionWorld::with_results(pool).await;
    let stranger = world.object(100_009, id, OBJECTION).await.unwrap_err();
    assert_eq!(reason(&stranger), "COMPETITION_NOT_FOUND");
    for text in [
        "짧아요",
        "  짧아요     ",
        &"길".repeat(501),
        "열 글자가 넘는데 \u{7} 이상해요",
    ] {
        let refused = world.object(ME, id, text).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{text}");
    }
    let practice = world.set_mode(ME, true, 0).await.unwrap().competition_id;
    let refused = world.object(ME, practice, OBJECTION).await.unwrap_err();
    assert_eq!(
        reason(&refused),
        "COMPETITION_NOT_FOUND",
        "it has no results yet"
    );
    assert_eq!(
        world
            .world
            .count("select count(*) from competition_objection")
            .await,
        0
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_operator_makes_an_event_that_can_be_joined(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let event = NewEvent {
        title: "봄 투자 대회".to_owned(),
        first_day: (world.world.now + TimeDelta::days(2)).date_naive(),
        days: 14,
        start_cash: kernel::Won(50_000_000),
        shows_holdings: false,
    };
    let db = &world.world.db();
    let wrong = [
        NewEvent {
            title: "봄".to_owned(),
            ..event.clone()
        },
        NewEvent {
            days: 2,
            ..event.clone()
        },
        NewEvent {
            start_cash: kernel::Won(1),
            ..event.clone()
        },
    ];
    for event in wrong {
        operator::create(db, &event, world.world.now)
            .await
            .unwrap_err();
    }
    let id = operator::create(db, &event, world.world.now).await.unwrap();
    let joined = world.join(ME, id, "join-spring").await.unwrap();
    assert_eq!(joined.start_cash_won, 50_000_000);
    assert_eq!(world.get(ME, id).await.prizes.len(), 6);
    world.world.audit().await;
}
