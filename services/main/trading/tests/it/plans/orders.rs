//! What an order of a competition reads of what its account has filled: each fill of a long day once.

use kernel::Quantity;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use rust_decimal::Decimal;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;

use super::profits::fills_read;
use super::{ME, PLANS, PlanReader, explained};
use crate::competitions::in_competition;
use crate::world::{DAY, SAMSUNG, World, buy, reason};

const FILLS: u64 = 20_000;
/// What an order reads of them once they are known.
const READ: u64 = 200;

/// What a program has bought today, a share at a time.
const TODAY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 100000 + n, 9000000 + n, a.id, a.member_id, n, '005930', 'BUY', n,
            '2026-11-20T00:00:00Z'::timestamptz + n * interval '1 millisecond', 20261120, 1,
            'LIMIT', 0, 1, 1, 1, 1, 0, 0, 1, 1, 'v1', n
        from account a, generate_series(1, 20000) n where a.member_id = 100001 and a.code = '99';
    insert into member_fill_seq (member_id, last_seq) values (100001, 20000)
        on conflict (member_id) do update set last_seq = excluded.last_seq;
    commit;
    analyze";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_of_a_competition_reads_no_fill_again(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut world = World::new(explained(&pool, "on").await).await;
    world.basic(ME).await;
    let client = CompetitionServiceClient::connect(world.served.url.clone()).await;
    let mode = wire::SetCompetitionModeRequest {
        member_id: ME,
        is_on: true,
        competition_id: 0,
    };
    client.unwrap().set_competition_mode(mode).await.unwrap();
    sqlx::raw_sql(TODAY).execute(&pool).await.unwrap();
    // A tenth is ten more than what has filled.
    let volume = Quantity(Decimal::from(200_100));
    world.market_cache.set_volume_before(SAMSUNG, DAY, volume);

    PLANS.lock().clear();
    let first = in_competition(buy(ME, SAMSUNG, "", "1"));
    world.placed(first).await;
    assert!(fills_read() >= FILLS);
    world.trade(SAMSUNG, "71300", 1_000).await;

    PLANS.lock().clear();
    let second = in_competition(buy(ME, SAMSUNG, "70000", "1"));
    let second = world.placed(second).await;
    let read = fills_read();
    assert!((1..READ).contains(&read), "the second order read {read}");

    PLANS.lock().clear();
    world.cancel(&second, ME).await.unwrap();
    let read = fills_read();
    assert!(read < READ, "the cancellation read {read}");

    // The first one counts as those before it do.
    let refused = world.place(in_competition(buy(ME, SAMSUNG, "70000", "10")));
    let refused = refused.await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_VOLUME");
    assert_eq!(bootstrap::problem::of(&refused).unwrap().facts["most"], "9");
    let placed = in_competition(buy(ME, SAMSUNG, "70000", "9"));
    world.placed(placed).await;
}
