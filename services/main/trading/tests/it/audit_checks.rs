//! What the audit sees of splits, charges, prices and opening deposits: each check names the row
//! that was falsified for it.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use sqlx::{Connection, Executor, PgConnection, PgPool};
use testkit::TempDatabase;
use tokio_util::sync::CancellationToken;
use trading::audit::{self, Report, across};
use trading::domain::matching::record::{NoticeKind, Scope};
use trading::domain::split::Ratio;

use crate::front::METRICS;
use crate::world::{APPLE, DAY, SAMSUNG, World, buy, sell};

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
    let ratio = Ratio {
        numerator: 1,
        denominator: 2,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let joined = world.notice(NoticeKind::Split(ratio), scope, DAY);
    world.log(vec![joined]).await;
    world.placed(buy(OTHER, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    world
}

/// The check that a test of its own proves.
pub(crate) const STANDS_STILL: &str = "the matcher moves on while orders wait";

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 32] = [
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
        "insert into journal select 900001, kind, order_id, fill_id, occurred_at from journal \
         where kind = 'SHARE_SPLIT' limit 1; \
         insert into entry select 900001, e.line, e.account_id, e.book, e.asset, e.amount \
         from entry e join journal j on j.id = e.journal_id where j.kind = 'SHARE_SPLIT' \
         and j.id < 900001 and j.fill_id = (select fill_id from journal where id = 900001); \
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
        "update journal set fill_id = null where kind = 'SHARE_SPLIT'",
        "every journal has its cause",
        "journal ",
    ),
    (
        "update journal set fill_id = fill_id + 1 where kind = 'ORDER_FILLED'",
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

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn history_that_was_checked_is_read_again_by_a_whole_audit_only(pool: PgPool) {
    let mut world = divided_world(pool).await;
    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(whole.fills >= 5 && whole.entries > whole.fills, "{whole}");
    world.keep().await;
    let falsified = "update fill set base_won = base_won - 1 where side = 'SELL'";
    tamper(&world, falsified).await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert_eq!((new.fills, new.entries, new.orders), (0, 0, 0), "{new}");

    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(names(&whole, CHARGED, "fill "), "{whole}");
    // It stays one until a whole audit no longer finds it.
    world.restore().await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(names(&new, CHARGED, "fill "), "{new}");
    world.audit().await;

    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    let wrong = "update fill set fee_won = fee_won + 1 where id = (select max(id) from fill)";
    tamper(&world, wrong).await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert_eq!((new.fills, new.orders), (1, 1), "{new}");
    assert!(names(&new, CHARGED, "fill "), "{new}");
}

const CHARGED: &str =
    "a fill is charged its price times quantity and rate, and the fees of its day";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_is_compared_with_its_history_though_nothing_happens_to_it(pool: PgPool) {
    let world = divided_world(pool).await;
    world.audit().await;
    for (falsified, check, row) in [
        (
            "update account set balance_won = balance_won + 1 where id = 2",
            "an account's balances are the sums of its entries",
            "account 2",
        ),
        (
            "update holding set quantity = quantity + 1 where account_id = 1",
            "a holding is what its fills made of it",
            "holding 1/005930",
        ),
        (
            "delete from hold",
            "an open order has its hold and no other order has one",
            "order ",
        ),
    ] {
        tamper(&world, falsified).await;
        let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
        assert!(names(&new, check, row), "{new}");
    }
}

/// A connection that the audit does not know of.
async fn stranger(world: &World) -> PgConnection {
    let options = world.pool.connect_options();
    PgConnection::connect_with(&options).await.unwrap()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn one_process_audits_at_a_time(pool: PgPool) {
    let world = divided_world(pool).await;
    let mut other = stranger(&world).await;
    // "audi" in ASCII.
    let lock = "select pg_advisory_lock(1635083369)";
    other.execute(lock).await.unwrap();
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap();
    assert_eq!(new, None);
    let whole = audit::run(&world.pool, ANY_AGE);
    tokio::pin!(whole);
    let soon = tokio::time::timeout(Duration::from_millis(500), &mut whole).await;
    assert!(soon.is_err());
    other.close().await.unwrap();
    let report = whole.await.unwrap();
    assert!(report.findings.is_empty(), "{report}");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_written_late_under_an_early_number_is_checked(pool: PgPool) {
    let mut world = divided_world(pool).await;
    world.audit().await;
    let mut late = stranger(&world).await;
    let mut late = late.begin().await.unwrap();
    let early: i64 = sqlx::query_scalar("select nextval('journal_id_seq')")
        .fetch_one(&mut *late)
        .await
        .unwrap();
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    let pool = world.pool.clone();
    let new = tokio::spawn(async move { audit::run_new(&pool, ANY_AGE).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(
        !new.is_finished(),
        "it does not pass over what is under way"
    );
    sqlx::query("insert into journal values ($1, 'ORDER_FILLED', null, null, now())")
        .bind(early)
        .execute(&mut *late)
        .await
        .unwrap();
    late.commit().await.unwrap();
    let report = new.await.unwrap().unwrap().unwrap();
    let row = format!("journal {early}");
    assert!(
        names(&report, "every journal has entries", &row),
        "{report}"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_matcher_that_stands_still_while_orders_wait_is_named(pool: PgPool) {
    let mut world = divided_world(pool).await;
    world.audit().await;
    let aged = "update audit_matcher set since = since - interval '2 minutes'";
    // The product is down, and no order has come since: nobody waits for it to move.
    tamper(&world, aged).await;
    world.audit().await;
    // Orders are accepted, and no process owns the shard.
    world.placed(buy(ME, SAMSUNG, "61000", "1")).await;
    let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(names(&report, STANDS_STILL, "matcher shard 0"), "{report}");
    // The shard has moved, and stands still again in the hands of a process.
    world.log(Vec::new()).await;
    world.audit().await;
    tamper(&world, aged).await;
    let mut owner = stranger(&world).await;
    // "matc" in ASCII.
    owner
        .execute("select pg_advisory_lock(1835103331, 0)")
        .await
        .unwrap();
    let report = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(names(&report, STANDS_STILL, "matcher shard 0"), "{report}");
    // It moves.
    world.placed(buy(ME, SAMSUNG, "61000", "1")).await;
    world.log(Vec::new()).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn metrics_tell_of_the_last_audit_and_of_every_shard(pool: PgPool) {
    LazyLock::force(&METRICS);
    let world = divided_world(pool).await;
    let shutdown = CancellationToken::new();
    let board = Arc::clone(&world.board);
    let told = tokio::spawn(audit::observe(world.pool.clone(), board, shutdown.clone()));
    let telling = async |wanted: &str| {
        let began = Instant::now();
        while !METRICS.render().lines().any(|line| line == wanted) {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{}",
                METRICS.render()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    telling("trading_matcher_shard_owned{shard=\"0\"} 0").await;
    telling("trading_matcher_lag_batches{shard=\"0\"} 0").await;
    assert!(
        !METRICS
            .render()
            .contains("trading_audit_completed_seconds ")
    );
    tamper(&world, "update account set balance_won = balance_won + 1").await;
    audit::run(&world.pool, ANY_AGE).await.unwrap();
    telling("trading_audit_findings 3").await;
    let at = world.count("select floor(extract(epoch from completed_at))::bigint from audit_run");
    telling(&format!("trading_audit_completed_seconds {}", at.await)).await;
    let mut owner = stranger(&world).await;
    owner
        .execute("select pg_advisory_lock(1835103331, 0)")
        .await
        .unwrap();
    telling("trading_matcher_shard_owned{shard=\"0\"} 1").await;
    telling("trading_matcher_shard_owned_here{shard=\"0\"} 1").await;
    // Another process owns it and is behind.
    owner
        .execute("set application_name = '1@elsewhere trading'")
        .await
        .unwrap();
    tamper(
        &world,
        "update matcher_offset set next_offset = next_offset - 3",
    )
    .await;
    telling("trading_matcher_shard_owned_here{shard=\"0\"} 0").await;
    telling("trading_matcher_lag_batches{shard=\"0\"} 3").await;
    shutdown.cancel();
    told.await.unwrap();
}

/// Another service's database on the same server, with its real schema.
async fn database_of(migrations: sqlx::migrate::Migrator) -> TempDatabase {
    let database = TempDatabase::create(&testkit::database_url("postgres"), 1).await;
    migrations.run(&database.pool).await.unwrap();
    database
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_of_a_member_that_auth_does_not_know_is_named(pool: PgPool) {
    let world = divided_world(pool).await;
    let auth = database_of(sqlx::migrate!("../auth/migrations")).await;
    let join = "insert into member (email, nickname, nickname_key, joined_at) \
                values ($1 || '@seedup.invalid', $1, $1, $2::timestamptz)";
    let joined = async |name: &str, at: &str| {
        let query = sqlx::query(join).bind(name).bind(at);
        query.execute(&auth.pool).await.unwrap();
    };
    let compared = async || {
        let mut here = world.pool.acquire().await.unwrap();
        let mut there = auth.pool.acquire().await.unwrap();
        let found = across::with_auth(&mut here, &mut there).await.unwrap();
        let found = found
            .iter()
            .map(|finding| (finding.check, finding.row.clone()));
        found.collect::<Vec<_>>()
    };
    let given_out = "an account's member has a number that auth has given out";
    let account = |check, id: i64| (check, format!("account {id}"));
    // The first number is nobody's account; the next three are those of the world.
    joined("nobody", "2026-11-01T00:00:00Z").await;
    let unknown = [1, 2, 3].map(|id| account(given_out, id));
    assert_eq!(compared().await, unknown);
    joined("me", "2026-11-20T00:59:59Z").await;
    assert_eq!(compared().await, unknown[1..]);
    // Auth was restored from before OTHER joined, and gave the number out again.
    joined("stranger", "2026-11-20T01:10:00Z").await;
    let later = "a member joined before their account was opened";
    assert_eq!(compared().await, [account(later, 2), account(given_out, 3)]);
    joined("third", "2026-11-20T00:59:59Z").await;
    assert_eq!(compared().await, [account(later, 2)]);
    let at_once =
        "update member set joined_at = '2026-11-20T01:00:00Z' where nickname = 'stranger'";
    auth.pool.execute(at_once).await.unwrap();
    assert_eq!(compared().await, []);
    // A member who left had a number that was given out.
    auth.pool
        .execute("delete from member where nickname = 'me'")
        .await
        .unwrap();
    assert_eq!(compared().await, []);
    auth.pool
        .execute("select setval('member_id_seq', 100002)")
        .await
        .unwrap();
    let behind = (
        "a sequence is never behind its table",
        "sequence member_id_seq of auth".into(),
    );
    assert_eq!(compared().await, [behind]);
    auth.remove().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_that_trading_missed_is_named(pool: PgPool) {
    let world = divided_world(pool).await;
    let market = database_of(sqlx::migrate!("../../sise/market-data/migrations")).await;
    let tell = "insert into instrument_split (code, trading_day, new_shares, old_shares) \
                values ($1, $2, $3, 1)";
    let told = async |code: &str, day: i32, shares: i64| {
        let query = sqlx::query(tell).bind(code).bind(day).bind(shares);
        query.execute(&market.pool).await.unwrap();
    };
    let compared = async || {
        let mut here = world.pool.acquire().await.unwrap();
        let mut there = market.pool.acquire().await.unwrap();
        let found = across::with_market(&mut here, &mut there).await.unwrap();
        let found = found.iter().map(|finding| finding.row.clone());
        found.collect::<Vec<_>>()
    };
    // Before anybody owned a share, and on a day that is not over.
    told(SAMSUNG, 20_180_504, 50).await;
    told(SAMSUNG, DAY + 1, 2).await;
    assert_eq!(compared().await, [""; 0]);
    // The next day has begun, and nothing was divided.
    tamper(
        &world,
        "update fill set trading_day = 20261123 where id = (select max(id) from fill)",
    )
    .await;
    assert_eq!(compared().await, ["holding 1/005930"]);
    // It was divided, by another ratio.
    tamper(&world, "update holding_split set trading_day = 20261121").await;
    let rows = compared().await;
    assert!(
        matches!(rows.as_slice(), [row] if row.starts_with("holding split ")),
        "{rows:?}"
    );
    let right = "update holding_split set numerator = 4, denominator = 2";
    tamper(&world, right).await;
    assert_eq!(compared().await, [""; 0]);
    market.remove().await;
}
