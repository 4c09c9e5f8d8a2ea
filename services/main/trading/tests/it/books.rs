//! The audit: green after everything, and red, with the name of the row, after tampering.

use std::collections::BTreeSet;

use proto::common::v1::Currency;
use proto::market::v1 as market;
use proto::trading::v1 as wire;
use sqlx::{Executor, PgPool};
use trading::audit;

use crate::audit_checks;
use crate::competitions;
use crate::contracts;
use crate::equity;
use crate::seasons;
use crate::world::{DAY, SAMSUNG, World, buy, dec, sell};

const ME: i64 = 100_001;

/// A purchase, a partial sale, a dividend of what is left, two orders that wait, and one that was modified twice.
async fn busy_world(pool: PgPool) -> World {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "90000", "3")).await;
    world.placed(buy(ME, SAMSUNG, "60000", "2")).await;
    let told = market::Dividend {
        dividend_id: 1,
        code: SAMSUNG.to_owned(),
        ex_day: DAY + 1,
        pay_day: DAY,
        amount: dec("361"),
        currency: Currency::Krw.into(),
        ..market::Dividend::default()
    };
    world.store.receive_dividends(&[told]).await.unwrap();
    let noted = world.store.record_dividend_claims(1, 1_000).await.unwrap();
    assert_eq!((noted.shares, noted.is_last), (1, true));
    for due in world.store.due_dividends().await.unwrap() {
        assert_eq!(world.store.pay_dividend(&due).await.unwrap(), 1);
    }
    let mut order = world.placed(buy(ME, SAMSUNG, "61000", "9")).await;
    for quantity in ["5", "4"] {
        let request = wire::ModifyOrderRequest {
            member_id: ME,
            order_id: order.order_id,
            side: order.side,
            category: order.category,
            quantity: dec(quantity),
            ..wire::ModifyOrderRequest::default()
        };
        let reply = world.orders.clone().modify_order(request).await.unwrap();
        order = reply.into_inner().order.unwrap();
    }
    world.log(Vec::new()).await;
    world.audit().await;
    world.keep().await;
    world
}

/// What is done to the books, the check that must see it and how its finding begins.
const TAMPERINGS: [(&str, &str, &str); 42] = [
    (
        "update entry set amount = amount + 1 where book = 'FEE'",
        "entries of a journal sum to zero per asset",
        "journal ",
    ),
    (
        "delete from entry where journal_id = (select max(journal_id) from entry)",
        "every journal has entries",
        "journal ",
    ),
    (
        "update balance set amount = amount + 1",
        "an account's balances are the sums of its entries",
        "account 1",
    ),
    (
        "insert into balance (account_id, asset, amount) values (1, 'EP', 1)",
        "an account's balances are the sums of its entries",
        "account 1",
    ),
    (
        "update entry set account_id = 77 where account_id is not null",
        "every entry of a member belongs to an account",
        "journal ",
    ),
    (
        "alter table balance drop constraint balance_held_within_amount; \
         update balance set held = amount + 1",
        "no balance is negative and no account holds more than it has",
        "account 1",
    ),
    (
        "update balance set held = held - 1",
        "an account keeps aside what its open buys hold",
        "account 1",
    ),
    (
        "update hold set amount_won = amount_won + 1 where quantity = 0",
        "an account keeps aside what its open buys hold",
        "account 1",
    ),
    (
        "update account set open_orders = 0",
        "an account counts its open orders",
        "account 1",
    ),
    (
        "update holding set held_quantity = 0",
        "a holding keeps aside what its open sells hold",
        "holding 1/005930",
    ),
    (
        "delete from hold where quantity > 0",
        "an open order has its hold and no other order has one",
        "order ",
    ),
    (
        "update trade_order set status = 'CANCELED' where price = 60000",
        "an open order has its hold and no other order has one",
        "order ",
    ),
    (
        "update fill set quantity = quantity + 1",
        "an order is the sum of its fills",
        "order ",
    ),
    (
        "update trade_order set fee_won = fee_won + 1 where price is null",
        "an order is the sum of its fills",
        "order ",
    ),
    (
        "delete from fill where side = 'SELL'",
        "an order is the sum of its fills",
        "order ",
    ),
    (
        "update trade_order set status = 'PARTIAL' where price = 60000",
        "an order's state fits what was filled",
        "order ",
    ),
    (
        "update order_event set to_status = 'EXPIRED' where to_status = 'FILLED'",
        "the newest event of an order is its state",
        "order ",
    ),
    (
        "update fill set tax_won = tax_won + 1 where side = 'SELL'",
        "the ledger says of a fill what the fill says",
        "fill ",
    ),
    (
        "delete from entry where book = 'TAX'",
        "the ledger says of a fill what the fill says",
        "fill ",
    ),
    (
        "update member_fill_seq set last_seq = 7",
        "the fills of a member are numbered without a hole",
        "member 100001",
    ),
    (
        "alter table holding drop constraint holding_cost_not_negative; \
         update holding set cost_won = -1",
        "no holding is negative and none keeps aside more than there is",
        "holding 1/005930",
    ),
    (
        "update hold set amount_won = amount_won - 100 where quantity = 0",
        "a limit buy in won holds what is left of it",
        "order ",
    ),
    (
        "update order_event set from_status = 'PARTIAL' where to_status = 'REPLACED'",
        "events of an order follow each other and none follows its end",
        "order ",
    ),
    (
        "insert into order_event (order_id, from_status, to_status, reason, occurred_at) \
         select id, status, 'FILLED', '', now() from trade_order where status = 'REPLACED'",
        "events of an order follow each other and none follows its end",
        "order ",
    ),
    (
        "delete from trade_order where quantity = 4 and price = 61000",
        "a replaced order has one successor and only a replaced order has one",
        "order ",
    ),
    (
        "update trade_order set status = 'CANCELED' where status = 'REPLACED'",
        "a replaced order has one successor and only a replaced order has one",
        "order ",
    ),
    (
        "update trade_order set placed_at = placed_at + interval '1 second' \
         where orig_order_id is not null",
        "what was left of a replaced order goes on in its successor at once",
        "order ",
    ),
    (
        "update trade_order set side = 'SELL' where orig_order_id is not null",
        "what was left of a replaced order goes on in its successor at once",
        "order ",
    ),
    (
        "update trade_order set priority_id = 1 where orig_order_id is not null",
        "an order stands where it was placed or where the one it replaced stood",
        "order ",
    ),
    (
        "update holding set quantity = quantity + 1",
        "a holding is what its fills made of it",
        "holding 1/005930",
    ),
    (
        "update fill set cost_won = cost_won + 1 where side = 'SELL'",
        "a holding is what its fills made of it",
        "fill ",
    ),
    (
        "delete from holding",
        "a holding is what its fills made of it",
        "holding 1/005930",
    ),
    (
        "update outbox set occurred_at = now() - interval '200 years'",
        "every event is sent in time",
        "event ",
    ),
    (
        "update dividend_share set gross_won = gross_won - 1",
        "a paid dividend is what its shares earned",
        "dividend share 1",
    ),
    (
        "update dividend_share set tax_won = tax_won + 10",
        "a paid dividend is what its shares earned",
        "dividend share 1",
    ),
    (
        "update dividend set amount = 362",
        "a paid dividend is what its shares earned",
        "dividend share 1",
    ),
    (
        "update dividend_share set paid_at = null",
        "a paid dividend is what its shares earned",
        "dividend share 1",
    ),
    (
        "update entry set amount = amount - 1 where book = 'DIVIDEND'",
        "the ledger says of a dividend what its share says",
        "dividend share 1",
    ),
    (
        "delete from dividend_share",
        "who owned shares before an ex-day has a claim to the dividend and nobody else has",
        "dividend 1 of account 1",
    ),
    (
        "update dividend_share set quantity = quantity + 1",
        "who owned shares before an ex-day has a claim to the dividend and nobody else has",
        "dividend 1 of account 1",
    ),
    (
        "delete from dividend_share; update dividend set noted_at = null, ex_day = 20261101; \
         update fill set trading_day = 20261001 where side = 'BUY'",
        "who owned shares before an ex-day has a claim to the dividend and nobody else has",
        "dividend 1 of account 1",
    ),
    (
        "update dividend_share set paid_at = null; update dividend set pay_day = 20261101",
        "a dividend is paid in time",
        "dividend share 1",
    ),
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_row_that_was_tampered_with_is_named_by_the_check_that_is_meant_for_it(pool: PgPool) {
    let world = busy_world(pool).await;
    let mut unproved: BTreeSet<&str> = audit::names().collect();
    let elsewhere = audit_checks::TAMPERINGS
        .iter()
        .chain(&contracts::books::TAMPERINGS)
        .chain(&seasons::books::TAMPERINGS)
        .chain(&competitions::books::TAMPERINGS);
    for (_, elsewhere, _) in elsewhere {
        unproved.remove(elsewhere);
    }
    for (_, elsewhere, _) in audit_checks::assets::TAMPERINGS {
        unproved.remove(elsewhere);
    }
    for (_, elsewhere) in equity::FALSIFIED {
        unproved.remove(elsewhere);
    }
    unproved.remove(audit_checks::STANDS_STILL);
    unproved.remove(audit_checks::slow::COMPARED);
    unproved.remove(contracts::cma::CHECK);
    unproved.remove(competitions::dividends::AFTER_END);
    unproved.remove(competitions::cancel::CHECK);
    unproved.remove(contracts::cma::UNPAID);
    for (tampering, check, named) in TAMPERINGS {
        let mut connection = world.pool.acquire().await.unwrap();
        // What only a superuser can do: past triggers and foreign keys, and back again afterwards.
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(tampering)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&world.pool, i64::from(u32::MAX)).await.unwrap();
        let found = report
            .findings
            .iter()
            .any(|finding| finding.check == check && finding.row.starts_with(named));
        assert!(found, "{tampering}: {report}");
        unproved.remove(check);
        world.restore().await;
    }
    world.audit().await;
    assert!(unproved.is_empty(), "no test breaks {unproved:?}");
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
    let journal = "insert into journal (id, kind, source_type, source_id, occurred_at) \
                   values (999999, 'SHARE_SPLIT', 'HOLDING_SPLIT', '999999', now())";
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
