//! Claims of holders among whom one has a history that takes long to read.

use proto::common::v1::Currency;
use sqlx::PgPool;
use trading::dividends::DividendWorker;

use crate::dividends::{EARLY, EX_DAY, PAY_DAY, dividend};
use crate::world::{SAMSUNG, World, buy};

/// One holder takes more time than a slice has, and less than a holder has alone.
const TAKE_LONG: &str = "
    create function take_long() returns trigger language plpgsql as $$
    begin
        if new.member_id = 100005 and current_setting('statement_timeout') <> '40s' then
            raise exception 'takes long' using errcode = 'query_canceled';
        end if;
        return new;
    end $$;
    create trigger take_long before insert on dividend_share
        for each row execute function take_long()";
const CLAIMS: &str = "select count(*) from dividend_share where quantity = 1";
const PAID: &str = "select count(*) from dividend_share where paid_at is not null";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_takes_long_keeps_no_other_holder_from_a_claim(pool: PgPool) {
    let mut world = World::new(pool).await;
    for member in EARLY..EARLY + 10 {
        world.placed(buy(member, SAMSUNG, "", "1")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    let announced = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&announced).await.unwrap();
    sqlx::raw_sql(TAKE_LONG).execute(&world.pool).await.unwrap();
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    assert_eq!(world.count(CLAIMS).await, 10);
    world.day(PAY_DAY, 2).await;
    worker.step().await.unwrap();
    assert_eq!(world.count(PAID).await, 10);
    world.audit().await;
}
