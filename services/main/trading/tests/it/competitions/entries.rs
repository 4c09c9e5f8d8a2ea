use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use super::{APPLE, CASH, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, reason};
use crate::seasons::reset;
use crate::world::{buy, sell};

impl CompetitionWorld {
    async fn league(
        &self,
        member: i64,
        key: &str,
        most: i32,
    ) -> Result<wire::CreateLeagueReply, Status> {
        let request = wire::CreateLeagueRequest {
            member_id: member,
            request_id: key.to_owned(),
            title: "우리끼리".to_owned(),
            days: 7,
            start_cash_won: 1_000_000,
            most_entrants: most,
            shows_holdings: false,
        };
        let reply = self.client.clone().create_league(request).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn join_league(
        &self,
        member: i64,
        league: &wire::CreateLeagueReply,
    ) -> Result<wire::JoinCompetitionReply, Status> {
        let request = wire::JoinCompetitionRequest {
            member_id: member,
            request_id: format!("join-{member}"),
            competition_id: league.competition_id,
            invite_code: league.invite_code.clone(),
        };
        let reply = self.client.clone().join_competition(request).await;
        reply.map(tonic::Response::into_inner)
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_is_joined_once_with_its_cash(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let id = world.running().await.competition_id;
    let joined = world.join(ME, id, "join-once").await.unwrap();
    assert_eq!((joined.start_cash_won, joined.replayed), (CASH, false));
    assert_eq!(joined.message, "첫걸음 투자 대회에 참여했어요");
    let again = world.join(ME, id, "join-once").await.unwrap();
    assert_eq!(
        (again.account_no, again.replayed),
        (joined.account_no, true)
    );
    let refused = world.join(ME, id, "join-twice").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_JOINED");
    let none = world.join(ME, 999, "join-none").await.unwrap_err();
    assert_eq!(
        (none.code(), reason(&none).as_str()),
        (Code::NotFound, "COMPETITION_NOT_FOUND")
    );
    let entry = world.get(ME, id).await.entry.unwrap();
    assert_eq!(entry.equity_won, CASH);
    // Late entrants are ranked from the next midnight in Korea.
    let day_us = 86_400_000_000;
    assert_eq!((entry.ranked_from_us + 9 * 3_600_000_000) % day_us, 0);
    let later = entry.ranked_from_us - entry.joined_at_us;
    assert!(0 < later && later < day_us, "{later}");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_taps_at_once_open_one_account(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let id = world.running().await.competition_id;
    let (one, other) = tokio::join!(
        world.join(ME, id, "tap-no-1"),
        world.join(ME, id, "tap-no-2")
    );
    let refused = [one.err(), other.err()];
    let refused: Vec<Status> = refused.into_iter().flatten().collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(reason(&refused[0]), "COMPETITION_JOINED");
    let accounts = "select count(*) from account where code = '99'";
    assert_eq!(world.world.count(accounts).await, 1);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_leaves_has_nothing_left_there_and_cannot_come_back(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let mode = world.compete(ME).await;
    let id = mode.competition_id;
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "", "10")))
        .await;
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "70000", "1")))
        .await;
    world
        .world
        .placed(in_competition(sell(ME, SAMSUNG, "75000", "4")))
        .await;

    let left = world.leave(ME, id, "leave-once").await.unwrap();
    assert_eq!(left.message, "첫걸음 투자 대회에서 나왔어요");
    assert!(world.leave(ME, id, "leave-once").await.unwrap().replayed);
    let refused = world.leave(ME, id, "leave-again").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_NOT_FOUND");
    let refused = world.join(ME, id, "join-again").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_LEFT");
    // The mode goes on in the practice league.
    assert_eq!(world.mode(ME).await.title, "11월 연습 리그");
    assert!(world.world.waiting(ME).await.is_empty());
    // Nothing fills any more.
    world.world.trade(SAMSUNG, "60000", 100_000).await;
    world.world.trade(SAMSUNG, "76000", 100_000).await;
    let entry = world.get(ME, id).await.entry.unwrap();
    assert!(entry.has_left);
    assert_ne!(entry.equity_won, 0, "what it ended with");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_leaves_twice_at_once_is_told_the_second_time_that_it_is_left(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let id = world.compete(ME).await.competition_id;
    // Both have read the entry when the first of them leaves.
    let mut held = world.world.pool.begin().await.unwrap();
    sqlx::query("select from account where member_id = $1 for update")
        .bind(ME)
        .execute(&mut *held)
        .await
        .unwrap();
    let release = async {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        held.rollback().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(
        world.leave(ME, id, "leave-no-1"),
        world.leave(ME, id, "leave-no-2"),
        release
    );
    let refused: Vec<String> = [one, other]
        .into_iter()
        .filter_map(|left| left.err().map(|error| reason(&error)))
        .collect();
    assert_eq!(refused, ["COMPETITION_NOT_FOUND"]);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_league_is_for_those_who_are_invited_until_it_is_full(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let league = world.league(ME, "league-no-1", 3).await.unwrap();
    assert!(world.league(ME, "league-no-1", 3).await.unwrap().replayed);
    assert_eq!(league.invite_code.len(), 8);
    let id = league.competition_id;
    let uninvited = world.join(OTHER, id, "join-uninvited").await.unwrap_err();
    assert_eq!(reason(&uninvited), "COMPETITION_NOT_FOUND");
    assert!(
        !world
            .list(OTHER)
            .await
            .iter()
            .any(|one| one.competition_id == id)
    );

    // Two places are left for three.
    let members = [200_001, 200_002, 200_003];
    let joins = members.map(|member| world.join_league(member, &league));
    let [a, b, c] = joins;
    let (a, b, c) = tokio::join!(a, b, c);
    let refused: Vec<Status> = [a, b, c].into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(reason(&refused[0]), "COMPETITION_FULL");
    let mine = world.get(ME, id).await;
    assert!(mine.is_host && mine.entry.is_some());
    assert_eq!(mine.invite_code, league.invite_code);
    // It begins at midnight.
    let early = world.set_mode(ME, true, id).await.unwrap_err();
    assert_eq!(reason(&early), "COMPETITION_NOT_ONGOING");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_host_closes_a_league_and_nobody_else_does(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let league = world.league(ME, "league-no-1", 50).await.unwrap();
    let close = async |member| {
        let request = wire::CloseLeagueRequest {
            member_id: member,
            competition_id: league.competition_id,
        };
        world.client.clone().close_league(request).await
    };
    let refused = close(OTHER).await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_NOT_FOUND");
    close(ME).await.unwrap();
    assert!(!close(ME).await.unwrap().into_inner().can_join);
    let late = world.join_league(OTHER, &league).await.unwrap_err();
    assert_eq!(reason(&late), "COMPETITION_JOIN_CLOSED");
    for number in 2..=5 {
        world
            .league(ME, &format!("league-no-{number}"), 2)
            .await
            .unwrap();
    }
    let refused = world.league(ME, "league-no-6", 2).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_LEAGUES");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_league_with_odd_terms_is_malformed(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let good = wire::CreateLeagueRequest {
        member_id: ME,
        request_id: "league-odd".to_owned(),
        title: "우리끼리".to_owned(),
        days: 3,
        start_cash_won: 100_000_000,
        most_entrants: 50,
        shows_holdings: false,
    };
    let odd = [
        wire::CreateLeagueRequest {
            title: " a ".to_owned(),
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            title: "가".repeat(21),
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            title: "가\n나".to_owned(),
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            days: 2,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            days: 31,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            start_cash_won: 10,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            most_entrants: 1,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            most_entrants: 51,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            member_id: 0,
            ..good.clone()
        },
        wire::CreateLeagueRequest {
            request_id: "x".to_owned(),
            ..good.clone()
        },
    ];
    for request in odd {
        let refused = world.client.clone().create_league(request.clone()).await;
        assert_eq!(reason(&refused.unwrap_err()), "MALFORMED", "{request:?}");
    }
    let leagues = "select count(*) from competition where kind = 'LEAGUE'";
    assert_eq!(world.world.count(leagues).await, 0);
    world.client.clone().create_league(good).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_of_a_competition_trades_dollars_as_any(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let mode = world.compete(ME).await;
    world
        .world
        .placed(in_competition(buy(ME, APPLE, "", "3")))
        .await;
    world.world.trade(APPLE, "230.50", 1_000).await;
    let entry = world.get(ME, mode.competition_id).await.entry.unwrap();
    assert_eq!((entry.buys, entry.items, entry.days), (1, 1, 1));
    assert!(entry.equity_won < CASH, "fee and spread");
    let summary = world.world.summary(ME).await;
    assert_eq!(summary.total_won, entry.equity_won);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_practice_league_is_not_left_and_opens_once(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    world.world.basic(ME).await;
    sqlx::query("update account set competition_mode = true where code = '00'")
        .execute(&world.world.pool)
        .await
        .unwrap();
    let (one, other) = tokio::join!(world.mode(ME), world.mode(ME));
    assert_eq!(one, other);
    assert!(one.is_on);
    let accounts = "select count(*) from account where code = '99'";
    assert_eq!(world.world.count(accounts).await, 1);
    let refused = world.leave(ME, one.competition_id, "leave-practice").await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_PRACTICE");
    assert_eq!(world.mode(ME).await, one);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reset_forgets_no_trades_of_a_competition(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "", "10")))
        .await;
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    let before = world.world.summary(ME).await.day_traded_won;
    assert!(before.is_some_and(|won| won != 0), "{before:?}");
    let mode = world.set_mode(ME, false, 0).await.unwrap();
    let ended = world.world.reset(reset(ME, "season-1", false)).await;
    ended.unwrap();
    world.set_mode(ME, true, mode.competition_id).await.unwrap();
    assert_eq!(world.world.summary(ME).await.day_traded_won, before);
}
