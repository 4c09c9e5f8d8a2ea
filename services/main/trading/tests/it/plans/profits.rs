//! What lists of gains read: of a long history, a page takes its own groups.

use std::collections::BTreeSet;

use proto::trading::v1 as wire;
use proto::trading::v1::ProfitGrouping as Group;
use serde_json::Value;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;

use super::{ME, PLANS, PlanReader, explained, rows_of, rows_read};
use crate::profits::all;
use crate::world::{SAMSUNG, World};

const GROUPS: [Group; 5] = [
    Group::Unspecified,
    Group::Day,
    Group::Month,
    Group::Year,
    Group::Sale,
];
const FILLS: u64 = 20_000;
/// What a page of twenty reads of them at most.
const READ: u64 = 4_000;

/// For thousand days 20 sales a day, of five orders; an item is sold for five days, and never again. The
/// numbers of fills rise with their time.
const HISTORY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market,
            currency, quantity, cost_won, cost_quote)
        select a.id, 'ITEM' || n, a.member_id, 'Name', 'KOSPI', 'KRW', 0, 0, 0
        from account a, generate_series(0, 199) n where a.member_id = 100001 and a.code = '00';
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 100000 - n, 9000000 - n / 4, a.id, a.member_id, 20000 - n, 'ITEM' || n / 100, 'SELL',
            n, '2026-11-19T03:00:00Z'::timestamptz - n / 20 * interval '1 day', 20261119, 1,
            'LIMIT', 0, 1, 10, 10, 10, 1, 0, 7, 7, 'v1', n
        from account a, generate_series(0, 19999) n where a.member_id = 100001 and a.code = '00';
    insert into member_fill_seq (member_id, last_seq) values (100001, 20000)
        on conflict (member_id) do update set last_seq = excluded.last_seq;
    commit;
    analyze";

/// Lists of all kinds of groups, with and without an item.
pub(super) async fn listed(world: &World, member: i64) {
    for grouping in GROUPS {
        for instrument_code in ["", SAMSUNG] {
            let request = wire::ListProfitsRequest {
                instrument_code: instrument_code.to_owned(),
                grouping: grouping.into(),
                ..all(member)
            };
            world.profits(request).await;
        }
    }
}

/// The rows of fills that all statements have read.
pub(super) fn fills_read() -> u64 {
    fn of_fills(node: &Value) -> u64 {
        if node["Relation Name"] == "fill" {
            rows_of(node)
        } else {
            0
        }
    }
    rows_read("", of_fills).iter().sum()
}

fn after(request: &wire::ListProfitsRequest, page: &wire::Profits) -> wire::ListProfitsRequest {
    let last = page.rows.last().unwrap();
    wire::ListProfitsRequest {
        after_day: last.day,
        after_key: last.key.clone(),
        ..request.clone()
    }
}

async fn add_history(world: &World) {
    world.summary(ME).await;
    sqlx::raw_sql(HISTORY).execute(&world.pool).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_page_of_gains_reads_the_fills_of_its_groups(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let world = World::new(explained(&pool, "on").await).await;
    add_history(&world).await;
    for grouping in [Group::Unspecified, Group::Day, Group::Sale] {
        let request = wire::ListProfitsRequest {
            grouping: grouping.into(),
            ..all(ME)
        };
        PLANS.lock().clear();
        let first = world.profits(request.clone()).await;
        // The sums are of all.
        assert!(fills_read() >= FILLS, "{grouping:?}");
        PLANS.lock().clear();
        let second = world.profits(after(&request, &first)).await;
        let read = fills_read();
        assert!((1..READ).contains(&read), "{grouping:?} read {read}");
        assert_eq!(second.rows.len(), 20);
        assert_eq!(second.summary, first.summary);
        assert_eq!(second.total_count, first.total_count);
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn all_pages_together_have_every_gain_once(pool: PgPool) {
    let world = World::new(pool).await;
    add_history(&world).await;
    for (grouping, groups) in GROUPS.into_iter().zip([200, 1_000, 34, 3, 5_000]) {
        let mut request = wire::ListProfitsRequest {
            grouping: grouping.into(),
            size: 100,
            ..all(ME)
        };
        let (mut keys, mut won) = (BTreeSet::new(), 0);
        let mut before: Option<(i32, String)> = None;
        loop {
            let page = world.profits(request.clone()).await;
            assert_eq!(page.total_count, groups, "{grouping:?}");
            assert_eq!(page.summary.unwrap().total_won, 40_000);
            for row in &page.rows {
                let place = (row.day, row.key.clone());
                assert!(before.is_none_or(|before| place < before), "{row:?}");
                before = Some(place);
                keys.insert(row.key.clone());
                won += row.profit_won;
            }
            if !page.has_more {
                break;
            }
            request = after(&request, &page);
        }
        assert_eq!(i64::try_from(keys.len()).unwrap(), groups, "{grouping:?}");
        assert_eq!(won, 40_000, "{grouping:?}");
    }
    // The same by the number of a page.
    let request = wire::ListProfitsRequest {
        grouping: Group::Day.into(),
        ..all(ME)
    };
    let first = world.profits(request.clone()).await;
    let next = world.profits(after(&request, &first)).await;
    let second = wire::ListProfitsRequest { page: 1, ..request };
    assert_eq!(world.profits(second).await.rows, next.rows);
}
