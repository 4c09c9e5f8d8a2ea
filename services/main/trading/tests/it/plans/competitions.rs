//! What an order of a competition reads (holdings, what waits, and the fills of the day), what finds
//! one of many events, and what a valuation reads of a large one.

use bootstrap::redis::Redis;
use chrono::TimeDelta;
use kernel::Clock;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::competitions::LiveBoards;

use crate::competitions::in_competition;
use crate::equity::closes::Closes;
use crate::world::{SAMSUNG, World, buy, number};

use super::{ME, PLANS, PlanReader, explained};

/// The statement that sums what an account has filled of a day.
pub(super) const FILLS_OF_DAY: &str = "account_id = any($3) and event_time >= $5";

/// Indexes by which statements find a few of many events.
pub(super) const INDEXED: [(&str, &str); 4] = [
    ("competition_of_host", "count(*) as leagues"),
    ("competition_by_kind", "update competition c set valued_at"),
    ("competition_to_value", "update competition set valued_at"),
    (
        "competition_to_cancel",
        "where is_canceled and closed_at is null",
    ),
];

/// What a statement of a valuation returns at most.
const SLICE: u64 = 5_000;

/// Two slices and a part of a third, each with two shares.
const ENTRANTS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into competition_entry (competition_id, member_id, account_id, joined_at, ranked_from)
        select c.id, 500000 + n, 5000000 + n, now(), '2026-11-01'
        from competition c, generate_series(1, 12000) n where c.kind = 'PRACTICE';
    insert into balance (account_id, asset, amount, held)
        select 5000000 + n, 'KRW', 1000000 + n * 100, 0 from generate_series(1, 12000) n;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market,
            currency, quantity, cost_won, cost_quote)
        select 5000000 + n, '005930', 500000 + n, 'Name', 'KOSPI', 'KRW', 2, 1, 1
        from generate_series(1, 12000) n;
    commit;
    analyze";

pub(super) async fn compete(world: &mut World) {
    let mut client = CompetitionServiceClient::connect(world.served.url.clone())
        .await
        .unwrap();
    let league = wire::CreateLeagueRequest {
        member_id: ME,
        request_id: "league-no-1".to_owned(),
        title: "우리끼리".to_owned(),
        days: 7,
        start_cash_won: 1_000_000,
        most_entrants: 2,
        shows_holdings: false,
    };
    client.create_league(league).await.unwrap();
    let mut set_mode = async |is_on| {
        let request = wire::SetCompetitionModeRequest {
            member_id: ME,
            is_on,
            competition_id: 0,
        };
        client.set_competition_mode(request).await.unwrap();
    };
    set_mode(true).await;
    for _ in 0..2 {
        world
            .placed(in_competition(buy(ME, SAMSUNG, "", "1")))
            .await;
        world.trade(SAMSUNG, "71600", 1_000).await;
    }
    set_mode(false).await;
    let closes = Closes::new().await;
    let mut worker = closes.competitions(world, LiveBoards::new(Redis::absent()));
    worker.step().await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_is_valued_by_statements_that_do_not_grow_with_it(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut world = World::new(explained(&pool, "on").await).await;
    compete(&mut world).await;
    sqlx::raw_sql(ENTRANTS).execute(&pool).await.unwrap();
    let closes = Closes::new().await;
    let mut worker = closes.competitions(&world, LiveBoards::new(Redis::absent()));
    world.clock.set(world.clock.now() + TimeDelta::minutes(2));
    world.log(Vec::new()).await;
    PLANS.lock().clear();
    worker.step().await.unwrap();
    let returned: Vec<u64> = {
        let plans = PLANS.lock();
        let rows = plans.iter();
        rows.filter_map(|one| one["Plan"]["Actual Rows"].as_u64())
            .collect()
    };
    assert_eq!(returned.into_iter().max(), Some(SLICE));

    let client = CompetitionServiceClient::connect(world.served.url.clone());
    let request = wire::GetBoardRequest {
        member_id: ME,
        competition_id: sqlx::query_scalar("select id from competition where kind = 'PRACTICE'")
            .fetch_one(&pool)
            .await
            .unwrap(),
        ..wire::GetBoardRequest::default()
    };
    let board = client.await.unwrap().get_board(request).await;
    let board = board.unwrap().into_inner();
    assert_eq!(board.ranked, 12_001);
    assert_eq!(board.rows[0].member_id, ME);
    // The last of the last slice: 2,200,000 won and two shares at 71,600.
    let second = &board.rows[1];
    assert_eq!(second.member_id, 512_000);
    assert_eq!(number(&second.return_rate), "-76.568".parse().unwrap());
}
