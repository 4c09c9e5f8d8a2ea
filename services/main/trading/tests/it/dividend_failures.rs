//! Dividends of which one cannot be noted or paid, or that many accounts have a claim to.

use std::time::Duration;

use proto::common::v1::Currency;
use sqlx::PgPool;
use trading::dividends::DividendWorker;

use crate::dividends::{EARLY, EX_DAY, PAY_DAY, SELLER, dividend};
use crate::faults::after_steps;
use crate::world::{APPLE, SAMSUNG, World, buy};

/// Every retry comes within this.
const RETRIED: Duration = Duration::from_secs(60);

/// Two members who own both, and the days on which that matters.
async fn owners(pool: PgPool) -> World {
    let mut world = World::new(pool).await;
    for code in [SAMSUNG, APPLE] {
        for member in [EARLY, SELLER] {
            world.placed(buy(member, code, "", "2")).await;
        }
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    world
}

async fn execute(world: &World, sql: &'static str) {
    sqlx::raw_sql(sql).execute(&world.pool).await.unwrap();
}

impl World {
    /// Works as the task does until `count` rows are found.
    async fn worked_until(&mut self, worker: &mut DividendWorker, sql: &'static str, count: i64) {
        let begun = std::time::Instant::now();
        loop {
            self.log(Vec::new()).await;
            // What fails is the worker's to remember.
            let _failed = worker.step().await;
            let found = self.count(sql).await;
            if found == count {
                return;
            }
            assert!(begun.elapsed() < RETRIED, "{found} and not {count}: {sql}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

const REFUSE_SAMSUNG: &str = "
    create function refuse_samsung() returns trigger language plpgsql as $$
    begin
        if new.instrument_name = '삼성전자' then raise exception 'on purpose'; end if;
        return new;
    end $$;
    create trigger refuse_samsung before insert on dividend_share
        for each row execute function refuse_samsung()";
const NOTED: &str = "select count(*) from dividend_share";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_dividend_that_cannot_be_noted_keeps_no_other_waiting(pool: PgPool) {
    let mut world = owners(pool).await;
    let announced = [
        dividend(1, SAMSUNG, "361", Currency::Krw),
        dividend(2, APPLE, "1", Currency::Usd),
    ];
    world.store.receive_dividends(&announced).await.unwrap();
    execute(&world, REFUSE_SAMSUNG).await;
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    world.traded_on(APPLE, "230.50", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.worked_until(&mut worker, NOTED, 2).await;

    // It is tried again, and found mended.
    execute(&world, "drop trigger refuse_samsung on dividend_share").await;
    world.worked_until(&mut worker, NOTED, 4).await;
    world.audit().await;
}

const PAID: &str = "select count(*) from dividend_share where paid_at is not null";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_dividend_that_cannot_be_paid_keeps_no_other_waiting(pool: PgPool) {
    let mut world = owners(pool).await;
    let announced = [
        // More won than there are.
        dividend(1, APPLE, "10000000000000000000", Currency::Usd),
        dividend(2, SAMSUNG, "361", Currency::Krw),
    ];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    world.traded_on(APPLE, "230.50", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    world.day(PAY_DAY, 2).await;
    world.worked_until(&mut worker, PAID, 2).await;

    execute(&world, "update dividend set amount = 1 where id = 1").await;
    world.worked_until(&mut worker, PAID, 4).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_is_paid_later_and_the_others_now(pool: PgPool) {
    let mut world = owners(pool.clone()).await;
    let announced = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(PAY_DAY, 5).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    let mut holder = pool.begin().await.unwrap();
    sqlx::query("select 1 from account where member_id = $1 for no key update")
        .bind(EARLY)
        .execute(&mut *holder)
        .await
        .unwrap();
    let paid = world.worked_until(&mut worker, PAID, 1);
    tokio::time::timeout(RETRIED, paid).await.unwrap();
    holder.rollback().await.unwrap();
    world.worked_until(&mut worker, PAID, 2).await;
    world.audit().await;
}

/// Accounts that bought a share each, by history alone.
const HOLDERS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
        select 1000000 + n, 900000 + n, '00', 990000000000 + n, now(), 0
        from generate_series(1, 2500) n;
    insert into balance (account_id, asset)
        select 1000000 + n, 'KRW' from generate_series(1, 2500) n;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market,
        currency, quantity, cost_won, cost_quote)
        select 1000000 + n, '005930', 900000 + n, '삼성전자', 'KOSPI', 'KRW', 1, 0, 0
        from generate_series(1, 2500) n;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
        tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
        amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 1000000 + n, 1000000 + n, 1000000 + n, 900000 + n, 1, '005930', 'BUY', n, now(),
            20261120, 1, 'TEST', 0, 1, 1, 0, 0, 0, 0, 0, 0, 'v1', 0
        from generate_series(1, 2500) n;
    commit";
const HOLDERS_ONCE: &str = "select count(distinct account_id) from dividend_share
    where account_id > 1000000 and quantity = 1";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn many_claims_are_noted_in_slices(pool: PgPool) {
    let mut world = World::new(pool).await;
    execute(&world, HOLDERS).await;
    let announced = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(EX_DAY, 3).await;
    // A process that dies in a slice leaves nothing of it or all, and the next one goes on.
    for cut in 0..8 {
        let _cut = after_steps(cut, world.store.record_dividend_claims(1, 1_000)).await;
    }
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    assert_eq!(world.count(HOLDERS_ONCE).await, 2_500);
    assert_eq!(world.count(NOTED).await, 2_500);
    let most =
        "select max(n) from (select count(*) as n from dividend_share group by xmin::text) t";
    assert!(world.count(most).await <= 1_000, "in one transaction");
}
