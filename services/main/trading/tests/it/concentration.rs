//! Purchases that leave more than 40 % of a member's total in one item are noticed, once a week.

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use sqlx::{Executor, PgPool};
use trading::concentration;
use trading::events::CONCENTRATION_NOTICED;

use crate::world::{APPLE, SAMSUNG, World, buy, number, sell};

const ME: i64 = 100_001;
/// 39.9 % of what a member begins with, at 71,300 won.
const JUST_BELOW: &str = "28";

impl World {
    async fn bought(&mut self, request: wire::PlaceOrderRequest) {
        let code = request.instrument_code.clone();
        self.placed(request).await;
        let price = if code == APPLE { "230.50" } else { "71300" };
        self.trade(&code, price, 100_000).await;
    }

    /// One step: how many members it tells.
    async fn noticed(&self) -> usize {
        let noticed = concentration::step(&self.store, &self.pool).await;
        noticed.unwrap()
    }

    async fn concentrations(&self) -> Vec<wire::ConcentrationNoticed> {
        self.told(CONCENTRATION_NOTICED).await
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn more_than_two_fifths_in_one_item_are_noticed_with_their_figures(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.bought(buy(ME, SAMSUNG, "", JUST_BELOW)).await;
    world.bought(buy(ME, APPLE, "", "1")).await;
    assert_eq!(world.noticed().await, 0, "39.9 %");
    world.bought(buy(ME, SAMSUNG, "", "1")).await;
    assert_eq!(world.noticed().await, 1);
    assert_eq!(world.noticed().await, 0, "it has looked at all fills");
    let [told] = world.concentrations().await.try_into().unwrap();
    assert_eq!(number(&told.percent).to_string(), "41.4");
    let expected = wire::ConcentrationNoticed {
        member_id: ME,
        instrument_code: SAMSUNG.to_owned(),
        instrument_name: "삼성전자".to_owned(),
        percent: told.percent.clone(),
        value_won: 29 * 71_300,
        total_won: world.summary(ME).await.total_won,
        noticed_at_us: crate::world::morning().timestamp_micros(),
    };
    assert_eq!(told, expected);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_is_told_once_a_week(pool: PgPool) {
    let mut world = World::new(pool).await;
    for (after, quantity, told) in [
        (TimeDelta::zero(), "30", 1),
        (TimeDelta::days(7) - TimeDelta::seconds(1), "1", 0),
        (TimeDelta::seconds(1), "1", 1),
        (TimeDelta::zero(), "1", 0),
    ] {
        world.clock.advance(after);
        world.bought(buy(ME, SAMSUNG, "", quantity)).await;
        assert_eq!(world.noticed().await, told);
    }
    assert_eq!(world.concentrations().await.len(), 2);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_all_accounts_have_of_an_item_counts_together(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stock = world.moved("00", "01", 1_500_000).await.to_account_no;
    let of_stock = wire::PlaceOrderRequest {
        account: Some(wire::AccountRef { account_no: stock }),
        ..buy(ME, SAMSUNG, "", "15")
    };
    world.bought(of_stock).await;
    assert_eq!(world.noticed().await, 0);
    world.bought(buy(ME, SAMSUNG, "", "15")).await;
    assert_eq!(world.noticed().await, 1);
    let [told] = world.concentrations().await.try_into().unwrap();
    assert_eq!(told.value_won, 30 * 71_300);
    assert_eq!(told.total_won, world.summary(ME).await.total_won);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_what_was_bought_is_told(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.bought(buy(ME, SAMSUNG, "", JUST_BELOW)).await;
    assert_eq!(world.noticed().await, 0);
    // 45 % by its price.
    world.trade(SAMSUNG, "90000", 1_000).await;
    assert_eq!(world.noticed().await, 0, "nobody has bought");
    world.bought(buy(ME, APPLE, "", "1")).await;
    world.placed(sell(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "90000", 1_000).await;
    assert_eq!(world.noticed().await, 0);
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "90000", 1_000).await;
    assert_eq!(world.noticed().await, 1);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_crash_in_the_middle_doubles_nothing_and_leaves_nothing_out(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.bought(buy(ME, SAMSUNG, "", "30")).await;
    for table in ["concentration_notice", "outbox", "concentration_progress"] {
        let fail = format!(
            "create function fail_{table}() returns trigger language plpgsql as $$ \
             begin raise exception 'crash'; end $$; \
             create trigger fail_{table} before insert or update on {table} \
                for each row execute function fail_{table}()"
        );
        let fail = sqlx::raw_sql(sqlx::AssertSqlSafe(fail));
        world.pool.execute(fail).await.unwrap();
        let failed = concentration::step(&world.store, &world.pool).await;
        failed.expect_err(table);
        let mend = format!("drop trigger fail_{table} on {table}");
        let mend = sqlx::raw_sql(sqlx::AssertSqlSafe(mend));
        world.pool.execute(mend).await.unwrap();
        assert_eq!(world.concentrations().await, [], "{table}");
    }
    assert_eq!(world.noticed().await, 1);
    assert_eq!(world.noticed().await, 0);
    assert_eq!(world.concentrations().await.len(), 1);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_tell_once(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.bought(buy(ME, SAMSUNG, "", "30")).await;
    let step = || concentration::step(&world.store, &world.pool);
    // One may find that the other was faster, and looks again at its next step.
    let (_one, _other) = tokio::join!(step(), step());
    world.noticed().await;
    assert_eq!(world.concentrations().await.len(), 1);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_step_values_a_hundred_members_and_the_next_one_goes_on(pool: PgPool) {
    let mut world = World::new(pool).await;
    for member in ME..ME + 101 {
        world.placed(buy(member, SAMSUNG, "", "30")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000_000).await;
    assert_eq!(world.noticed().await, 100);
    assert_eq!(world.noticed().await, 1);
    assert_eq!(world.noticed().await, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn fills_far_behind_are_passed_over(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.bought(buy(ME, SAMSUNG, "", "30")).await;
    let much = "select setval('fill_id_seq', nextval('fill_id_seq') + 50000)";
    world.pool.execute(much).await.unwrap();
    assert_eq!(world.noticed().await, 0);
    world.bought(buy(ME, SAMSUNG, "", "1")).await;
    assert_eq!(world.noticed().await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_fill_that_is_committed_late_is_not_left_out(pool: PgPool) {
    let mut world = World::new(pool).await;
    // It has drawn its number and is not written yet, while a later fill is.
    let mut late = world.pool.begin().await.unwrap();
    late.execute("select nextval('fill_id_seq')").await.unwrap();
    world.bought(buy(ME, SAMSUNG, "", "30")).await;
    let waiting = concentration::step(&world.store, &world.pool);
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), waiting).await;
    waited.expect_err("it waits for the number to be settled");
    late.rollback().await.unwrap();
    assert_eq!(world.noticed().await, 1);
}
