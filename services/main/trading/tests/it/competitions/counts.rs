//! What entrants bought is counted as far as a rank may require it.

use sqlx::PgPool;

use super::{APPLE, CompetitionWorld, ME, SAMSUNG};

/// By member: a purchase in thirty parts; two of one item with a sale between them; five of one item on two
/// days; of two items on one day, the first of them on the next day too; of three items on one day. The sixth
/// bought nothing.
const FILLS: &str = "
    begin;
    set local session_replication_role = replica;
    create temp table bought as
        select row_number() over (order by member, day, placed) as id, b.* from (
            select 0 as member, 1 as placed, 'ITEM1' as code, 'BUY' as side, 20261119 as day
                from generate_series(1, 30)
            union all select 1, * from (values
                (1, 'ITEM1', 'BUY', 20261119), (1, 'ITEM1', 'BUY', 20261119),
                (2, 'ITEM1', 'SELL', 20261119), (3, 'ITEM1', 'BUY', 20261119),
                (4, 'ITEM1', 'SELL', 20261120)) v
            union all select 2, n, 'ITEM1', 'BUY', case when n = 5 then 20261120 else 20261119 end
                from generate_series(1, 5) n
            union all select 3, * from (values
                (1, 'ITEM1', 'BUY', 20261119), (2, 'ITEM2', 'BUY', 20261119),
                (3, 'ITEM1', 'BUY', 20261120), (4, 'ITEM1', 'SELL', 20261120),
                (5, 'ITEM2', 'SELL', 20261120)) v
            union all select 4, n, 'ITEM' || n, 'BUY', 20261119 from generate_series(1, 3) n) b;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select b.id, 8000000 + b.member * 10 + b.placed, e.account_id, e.member_id, b.id, b.code,
            b.side, b.id, '2026-11-19T03:00:00Z'::timestamptz + b.id * interval '1 second', b.day, 1,
            'LIMIT', 0, 1, 1, 1, 1, 0, 0, 0, 0, 'v1', b.id
        from bought b join competition_entry e on e.member_id = 100001 + b.member;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market, currency,
            quantity, cost_won, cost_quote)
        select distinct e.account_id, b.code, e.member_id, 'Name', 'KOSPI', 'KRW', 0, 0, 0
        from bought b join competition_entry e on e.member_id = 100001 + b.member;
    drop table bought;
    commit";
const COUNTS: [(i32, i32, i32); 6] = [
    (1, 1, 1),
    (2, 1, 1),
    (3, 1, 2),
    (3, 2, 2),
    (3, 2, 1),
    (0, 0, 0),
];
/// Results that say anything else than the fills do.
const DIFFERENT: &str = "
    select count(*) from competition_entry e join competition_result r using (competition_id, member_id)
    cross join lateral (select least(count(distinct order_id), 3) as buys,
            least(count(distinct instrument_code), 2) as items,
            least(count(distinct trading_day), 2) as days
        from fill where account_id = e.account_id and side = 'BUY') f
    where (r.buys, r.items, r.days) <> (f.buys, f.items, f.days)";
const FALSIFIED: &str = "
    begin;
    set local session_replication_role = replica;
    update competition_result set buys = 7, items = 6, days = 5 where member_id = 100001;
    commit";

impl CompetitionWorld {
    async fn counts_of(&self, member: i64, id: i64) -> (i32, i32, i32) {
        let entry = self.get(member, id).await.entry.unwrap();
        (entry.buys, entry.items, entry.days)
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn lists_and_results_count_as_far_as_a_rank_requires(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let members = ME..ME + 6;
    for member in members.clone() {
        world.compete(member).await;
    }
    world.begins_today().await;
    let ends = "update competition set ends_at = '2026-11-20T15:00:00Z', \
        join_until = '2026-11-20T14:00:00Z' where starts_at = '2026-11-19T15:00:00Z'";
    world.sql(ends).await;
    world.sql(FILLS).await;
    let id = world.running().await.competition_id;
    for (member, expected) in members.clone().zip(COUNTS) {
        assert_eq!(world.counts_of(member, id).await, expected, "{member}");
    }

    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.at_end().await;
    world.closed(id).await;
    let results = "select count(*) from competition_result";
    assert_eq!(world.world.count(results).await, 6);
    assert_eq!(world.world.count(DIFFERENT).await, 0);
    for (member, expected) in members.zip(COUNTS) {
        assert_eq!(world.counts_of(member, id).await, expected, "{member}");
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_list_shows_what_the_result_of_an_ended_event_counted(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    assert_eq!(world.counts_of(ME, id).await, (3, 2, 1));
    world.sql(FALSIFIED).await;
    assert_eq!(world.counts_of(ME, id).await, (7, 6, 5));
}
