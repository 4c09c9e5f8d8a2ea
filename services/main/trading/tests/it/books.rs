//! The audit: green after everything, and red, with the name of the row, after tampering.

use sqlx::{Executor, PgPool};
use trading::audit;

use crate::world::{SAMSUNG, World, buy, sell};

const ME: i64 = 100_001;

/// A purchase, a partial sale and two orders that wait.
async fn busy_world(pool: PgPool) -> World {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "90000", "3")).await;
    world.placed(buy(ME, SAMSUNG, "60000", "2")).await;
    world.log(Vec::new()).await;
    world.audit().await;
    world.keep().await;
    world
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_row_that_was_tampered_with_is_named(pool: PgPool) {
    let world = busy_world(pool).await;
    let cases = [
        (
            "update account set balance_won = balance_won + 1",
            "account 1",
        ),
        ("update account set held_won = held_won - 1", "account 1"),
        ("update account set open_orders = 0", "account 1"),
        ("update account set education_points = 1", "account 1"),
        (
            "update entry set amount = amount + 1 where book = 'FEE'",
            "journal ",
        ),
        ("delete from entry where book = 'TAX'", "journal "),
        (
            "update holding set quantity = quantity + 1",
            "holding 1/005930",
        ),
        (
            "update holding set cost_won = cost_won - 1",
            "holding 1/005930",
        ),
        ("update holding set held_quantity = 0", "holding 1/005930"),
        ("delete from hold where quantity > 0", "order "),
        (
            "update hold set amount_won = amount_won + 1 where quantity = 0",
            "account 1",
        ),
        ("update fill set quantity = quantity + 1", "order "),
        (
            "update fill set cost_won = cost_won + 1 where side = 'SELL'",
            "fill ",
        ),
        (
            "update trade_order set status = 'CANCELED' where price = 60000",
            "order ",
        ),
        (
            "update trade_order set fee_won = fee_won + 1 where price is null",
            "order ",
        ),
        ("delete from fill where side = 'SELL'", "order "),
        ("update member_fill_seq set last_seq = 7", "member 100001"),
        ("delete from holding", "holding 1/005930"),
    ];
    for (tampering, named) in cases {
        let mut connection = world.pool.acquire().await.unwrap();
        // What only a superuser can do: past triggers and foreign keys, and back again afterwards.
        connection
            .execute("begin; set local session_replication_role = replica")
            .await
            .unwrap();
        connection.execute(tampering).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&world.pool, i64::from(u32::MAX)).await.unwrap();
        let found = report
            .findings
            .iter()
            .any(|finding| finding.row.starts_with(named));
        assert!(found, "{tampering}: {report}");
        world.restore().await;
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn history_cannot_be_rewritten_and_unbalanced_journals_cannot_be_written(pool: PgPool) {
    let world = busy_world(pool).await;
    for forbidden in [
        "update entry set amount = 1",
        "delete from entry",
        "truncate entry cascade",
        "update journal set kind = 'SHARE_SPLIT'",
        "delete from fill",
        "update order_event set reason = ''",
    ] {
        let refused = world.pool.execute(forbidden).await.unwrap_err();
        assert!(
            refused.to_string().contains("append-only"),
            "{forbidden}: {refused}"
        );
    }
    let journal = "insert into journal values (999999, 'SHARE_SPLIT', null, null, now())";
    world.pool.execute(journal).await.unwrap();
    let unbalanced = "insert into entry values (999999, 1, 1, null, 'KRW', 5), \
                      (999999, 2, null, 'ADJUST', 'KRW', -4)";
    let refused = world.pool.execute(unbalanced).await.unwrap_err();
    assert!(refused.to_string().contains("sum to zero"), "{refused}");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_that_is_not_sent_is_a_finding(pool: PgPool) {
    let world = busy_world(pool).await;
    let late = "update outbox set occurred_at = now() - interval '2 minutes'";
    world.pool.execute(late).await.unwrap();
    let report = audit::run(&world.pool, 60).await.unwrap();
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.row.starts_with("event "))
    );
    assert!(!report.findings.is_empty());
    assert!(report.to_string().contains("rows do not add up"));
}
