//! What a valuation and a list read of an entrant with a long history.

use bootstrap::redis::Redis;
use chrono::TimeDelta;
use kernel::Clock;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::competitions::LiveBoards;

use super::profits::fills_read;
use super::{ME, PLANS, PlanReader, explained};
use crate::equity::closes::Closes;
use crate::world::World;

/// Rows of fills of an entrant that are read at most, of 20,000.
const READ: u64 = 200;

/// All on one day, of two items, in orders of three purchases and a sale each; and as many accounts as are
/// usual with a fill each.
const HISTORY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market,
            currency, quantity, cost_won, cost_quote)
        select e.account_id, 'ITEM' || n, e.member_id, 'Name', 'KOSPI', 'KRW', 0, 0, 0
        from competition_entry e, generate_series(0, 1) n where e.member_id = 100001;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 100000 + n, 9000000 + n / 4 * 2 + n % 4 / 3, e.account_id, e.member_id, n,
            'ITEM' || n / 4 % 2, case n % 4 when 3 then 'SELL' else 'BUY' end, n,
            '2026-11-20T00:00:00Z'::timestamptz + n * interval '1 millisecond', 20261120, 1,
            'LIMIT', 0, 1, 1, 1, 1, 0, 0, 0, 0, 'v1', n
        from competition_entry e, generate_series(0, 19999) n where e.member_id = 100001;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 200000 + n, 8000000 + n, 6000000 + n, 6000000 + n, 1, 'CODE' || n % 100, 'BUY', n,
            '2026-11-20T00:00:00Z', 20261120, 1, 'LIMIT', 0, 1, 1, 1, 1, 0, 0, 0, 0, 'v1', n
        from generate_series(1, 20000) n;
    commit;
    analyze";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_entrant_is_counted_by_few_of_many_fills(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut world = World::new(explained(&pool, "on").await).await;
    let closes = Closes::new().await;
    world.log(Vec::new()).await;
    let mut worker = closes.competitions(&world, LiveBoards::new(Redis::absent()));
    worker.step().await.unwrap();
    let client = CompetitionServiceClient::connect(world.served.url.clone());
    let mut client = client.await.unwrap();
    let request = wire::SetCompetitionModeRequest {
        member_id: ME,
        is_on: true,
        competition_id: 0,
    };
    let mode = client.set_competition_mode(request).await.unwrap();
    let id = mode.into_inner().competition_id;
    sqlx::raw_sql(HISTORY).execute(&pool).await.unwrap();

    // A process that has read nothing of it.
    let mut worker = closes.competitions(&world, LiveBoards::new(Redis::absent()));
    world.clock.set(world.clock.now() + TimeDelta::minutes(2));
    world.log(Vec::new()).await;
    PLANS.lock().clear();
    worker.step().await.unwrap();
    let read = fills_read();
    assert!((1..READ).contains(&read), "a valuation read {read}");

    PLANS.lock().clear();
    let request = wire::ListCompetitionsRequest {
        member_id: ME,
        ..wire::ListCompetitionsRequest::default()
    };
    let listed = client.list_competitions(request).await.unwrap();
    let read = fills_read();
    assert!((1..READ).contains(&read), "a list read {read}");
    let listed = listed.into_inner().competitions;
    let mut found = listed.iter().filter(|one| one.competition_id == id);
    let entry = found.next().unwrap().entry.clone().unwrap();
    assert_eq!((entry.buys, entry.items, entry.days), (3, 2, 1));
}
