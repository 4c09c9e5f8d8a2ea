//! What the audit sees of splits, charges, prices and opening deposits: each check names the row
//! that was falsified for it.

mod across;
pub(crate) mod assets;
mod runs;
pub(crate) mod slow;

use std::collections::BTreeSet;

use proto::trading::v1 as wire;
use sqlx::{Executor, PgPool};
use trading::audit::{self, Report};
use trading::domain::split::SplitRatio;
use trading::tick_log::{Scope, SessionRecordKind};

use crate::world::{APPLE, BITCOIN, DAY, SAMSUNG, World, buy, sell};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const THIRD: i64 = 100_003;
/// Events may be as old as they like: nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;

/// Purchases of three members, one in dollars, a sale in parts, shares joined two to one, and a
/// purchase after it.
async fn divided_world(pool: PgPool) -> World {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "72000", "7")).await;
    world.placed(buy(ME, SAMSUNG, "71900", "2")).await;
    world.placed(buy(OTHER, SAMSUNG, "", "5")).await;
    world.placed(buy(OTHER, APPLE, "", "3")).await;
    world.placed(buy(THIRD, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    world.placed(sell(OTHER, APPLE, "", "3")).await;
    world.trade(APPLE, "231.50", 8).await;
    world.trade(APPLE, "231.60", 8).await;
    world.placed(buy(ME, SAMSUNG, "60000", "2")).await;
    world.log(Vec::new()).await;
    let ratio = SplitRatio {
        numerator: 1,
        denominator: 2,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let joined = world.session_record(SessionRecordKind::Split(ratio), scope, DAY);
    world.log(vec![joined]).await;
    // By amount: one fills, one stays open.
    for won in [300_000, 400_000] {
        let by_amount = wire::PlaceOrderRequest {
            order_amount_won: Some(won),
            ..buy(THIRD, BITCOIN, "", "1")
        };
        world.placed(by_amount).await;
        if won == 300_000 {
            world.trade(BITCOIN, "150000000", 1_000).await;
        }
    }
    world.placed(buy(OTHER, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    world
}

const GAINED: &str = "an account has its base and what its trades, dividends and interest brought";

/// The check that a test of its own proves.
pub(crate) const STANDS_STILL: &str = "the matcher moves on while orders wait";

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 46] = [
    (
        "update fill set cost_won = cost_won + 1 where side = 'SELL' and account_id = 2",
        GAINED,
        "account 2",
    ),
    (
        "update fill set fee_won = fee_won + 1 where side = 'BUY' and account_id = 1 \
            and id = (select min(id) from fill where account_id = 1)",
        GAINED,
        "account 1",
    ),
    (
        "update holding_split set cost_won = cost_won - 1 where account_id = 1",
        GAINED,
        "account 1",
    ),
    (
        "update account set bought_deposit_won = bought_deposit_won + 1 where id = 1",
        GAINED,
        "account 1",
    ),
    (
        "update holding set cost_won = cost_won + 1 where account_id = 3",
        GAINED,
        "account 3",
    ),
    (
        "update balance set amount = amount - 1 where account_id = 2 and asset = 'KRW'",
        GAINED,
        "account 2",
    ),
    (
        "update transfer set amount_won = amount_won + 1",
        "a transfer moves its amount from one account of its member to another",
        "transfer ",
    ),
    (
        "update transfer set member_id = 100002",
        "a transfer moves its amount from one account of its member to another",
        "transfer ",
    ),
    (
        "delete from transfer",
        "every journal has its cause",
        "journal ",
    ),
    (
        "delete from cash_movement m using journal j \
         where j.id = m.journal_id and j.kind = 'TRANSFERRED'",
        "the history of cash shows every journal without an order",
        "journal ",
    ),
    (
        "insert into cash_movement select account_id, journal_id from entry e \
         join journal j on j.id = e.journal_id \
         where j.kind = 'ORDER_FILLED' and account_id is not null limit 1",
        "the history of cash shows every journal without an order",
        "journal ",
    ),
    (
        "update account set net_transfers_won = net_transfers_won + 1 where code = '01'",
        "an account's base counts what was moved into it and out of it",
        "account ",
    ),
    (
        "update holding_split set quantity_before = quantity_before + 2 where account_id = 1",
        "a split divides what a holding had by its ratio",
        "holding split ",
    ),
    (
        "update holding_split set quantity_after = quantity_after + 1 where account_id = 1",
        "a split divides what a holding had by its ratio",
        "holding split ",
    ),
    (
        "update holding_split set cost_won = cost_won - 1 where account_id = 1",
        "a split divides what a holding had by its ratio",
        "holding split ",
    ),
    (
        "update holding_split set numerator = 3 where account_id = 2",
        "a split divides what a holding had by its ratio",
        "holding split ",
    ),
    (
        "update holding_split set numerator = 1000000000000000000",
        "a split divides what a holding had by its ratio",
        "holding split ",
    ),
    (
        "update holding_split set numerator = 2, denominator = 4 where account_id = 2",
        "a split has one ratio for everybody",
        "holding split ",
    ),
    (
        "delete from holding_split where account_id = 2",
        "a split reaches everybody who owned the share",
        "holding 2/005930",
    ),
    (
        "update holding_split set paid_won = paid_won + 1 where account_id = 1",
        "cash paid for a part of a share is in the ledger",
        "holding split ",
    ),
    (
        "delete from entry where journal_id in (select id from journal where kind = 'SHARE_SPLIT'); \
         delete from journal where kind = 'SHARE_SPLIT'",
        "cash paid for a part of a share is in the ledger",
        "holding split ",
    ),
    (
        "insert into journal (id, kind, source_type, source_id, occurred_at) \
         select 900001, kind, source_type, '0' || source_id, occurred_at from journal \
         where kind = 'SHARE_SPLIT' limit 1; \
         insert into entry select 900001, e.line, e.account_id, e.book, e.asset, e.amount \
         from entry e join journal j on j.id = e.journal_id where j.kind = 'SHARE_SPLIT' \
         and j.id < 900001 and '0' || j.source_id = (select source_id from journal \
         where id = 900001); \
         select setval('journal_id_seq', 900001)",
        "cash paid for a part of a share is in the ledger",
        "holding split ",
    ),
    (
        "update holding_split set paid_won = 7 where account_id = 3",
        "cash paid for a part of a share is its price",
        "holding split ",
    ),
    (
        "update holding_split set paid_won = paid_won + 1000 where account_id = 1",
        "cash paid for a part of a share is its price",
        "split of 005930",
    ),
    (
        "update journal set source_type = 'JOURNAL' where kind = 'SHARE_SPLIT'",
        "every journal has its cause",
        "journal ",
    ),
    (
        "update journal set source_id = 9 || source_id where kind = 'ORDER_FILLED'",
        "every journal has its cause",
        "journal ",
    ),
    (
        "update journal set kind = 'DIVIDEND_PAID' where kind = 'ORDER_FILLED'",
        "every journal has its cause",
        "journal ",
    ),
    (
        "update fill set amount_won = amount_won + 1 where instrument_code = 'AAPL'",
        "a fill is charged its price times quantity and rate, and the fees of its day",
        "fill ",
    ),
    (
        "update fill set base_won = base_won - 1 where side = 'SELL'",
        "a fill is charged its price times quantity and rate, and the fees of its day",
        "fill ",
    ),
    (
        // The whole of the books agrees with it.
        "update fill set fee_won = fee_won - 1, amount_won = amount_won + 1 where side = 'BUY'; \
         update trade_order set fee_won = fee_won - 1, amount_won = amount_won + 1 \
         where side = 'BUY' and filled_quantity > 0; \
         update entry set amount = amount - 1 where book = 'FEE'; \
         update entry set amount = amount + 1 where book = 'FX'",
        "a fill is charged its price times quantity and rate, and the fees of its day",
        "fill ",
    ),
    (
        "update fill set tax_won = tax_won + 1 where side = 'SELL'",
        "a fill is charged its price times quantity and rate, and the fees of its day",
        "fill ",
    ),
    (
        "update fill set fx_rate = fx_rate + 10 where instrument_code = 'AAPL'",
        "a fill is charged its price times quantity and rate, and the fees of its day",
        "fill ",
    ),
    (
        "update trade_order set gross_exact = gross_exact + 1 where side = 'SELL'",
        "an order's exact sums are those of its fills",
        "order ",
    ),
    (
        "update trade_order set price = 71200 where price = 72000",
        "a fill keeps to its limit, its reference and its rule",
        "fill ",
    ),
    (
        "update trade_order set reference_price = 67000 where reference_price is not null \
         and side = 'BUY'",
        "a fill keeps to its limit, its reference and its rule",
        "fill ",
    ),
    (
        "update fill set tick_price = 72100 where rule = 'LIMIT_TAKER'",
        "a fill keeps to its limit, its reference and its rule",
        "fill ",
    ),
    (
        "update fill set rule = 'LIMIT_THROUGH' where rule = 'MARKET_ONE_TICK_WORSE'",
        "a fill keeps to its limit, its reference and its rule",
        "fill ",
    ),
    (
        "update fill set cap_quantity = 1 where side = 'SELL'",
        "an account takes no more of a trade than its share",
        "fill ",
    ),
    (
        "update fill set cap_quantity = 8 where account_id = 1",
        "an account takes no more of a trade than its share",
        "fill ",
    ),
    (
        "update fill set member_id = 100009 where side = 'SELL'",
        "a fill is of its order",
        "fill ",
    ),
    (
        "update account set initial_deposit_won = initial_deposit_won + 1 where id = 1",
        "an account was opened with its initial deposit",
        "account 1",
    ),
    (
        "update journal set kind = 'ORDER_FILLED' where kind = 'ACCOUNT_OPENED' \
         and id = (select min(id) from journal)",
        "an account was opened with its initial deposit",
        "account ",
    ),
    (
        // A filled order: one won less than it cost.
        "update trade_order set order_amount_won = amount_won + fee_won - 1 \
         where order_amount_won is not null and status = 'FILLED'",
        "a market buy by amount costs and holds no more than its amount",
        "order ",
    ),
    (
        // An open one: one won less than it holds.
        "update trade_order o set order_amount_won = h.amount_won - 1 from hold h \
         where h.order_id = o.id and o.order_amount_won is not null",
        "a market buy by amount costs and holds no more than its amount",
        "order ",
    ),
    (
        "update trade_order set trading_day = 20261101 where status = 'ACCEPTED'",
        "no DAY order outlives its day",
        "order ",
    ),
    (
        "select setval('fill_id_seq', 1)",
        "a sequence is never behind its table",
        "sequence fill_id_seq",
    ),
];

fn names(report: &Report, check: &str, row: &str) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| finding.check == check && finding.row.starts_with(row))
}

/// What only a superuser can do: past triggers and foreign keys, and back again afterwards.
async fn tamper(world: &World, sql: &'static str) {
    let mut connection = world.pool.acquire().await.unwrap();
    let past_guards = "begin; set local session_replication_role = replica";
    connection.execute(past_guards).await.unwrap();
    connection.execute(sqlx::raw_sql(sql)).await.unwrap();
    connection.execute("commit").await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_falsified_is_named(pool: PgPool) {
    let world = divided_world(pool).await;
    world.moved("00", "01", 1_000).await;
    world.audit().await;
    world.keep().await;
    let mut unseen = BTreeSet::new();
    for (tampering, check, row) in TAMPERINGS {
        let fills = world.count("select last_value from fill_id_seq").await;
        let journals = world.count("select last_value from journal_id_seq").await;
        tamper(&world, tampering).await;
        let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
        if !names(&report, check, row) {
            unseen.insert(format!("{check}: {row}: {tampering}: {report}"));
        }
        world.restore().await;
        sqlx::query("select setval('fill_id_seq', $1), setval('journal_id_seq', $2)")
            .bind(fills)
            .bind(journals)
            .execute(&world.pool)
            .await
            .unwrap();
    }
    assert!(unseen.is_empty(), "{unseen:#?}");
    world.audit().await;
}
