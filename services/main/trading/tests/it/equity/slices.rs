//! Days on which one account has so much to read that its slice is cut off.

use sqlx::{Executor, PgPool};

use super::ME;
use super::world::{EquityWorld, PATIENT, pause};
use crate::world::SAMSUNG;

/// The last of the accounts takes longer than any slice has, also alone.
const TAKE_LONG: &str = "
    create function take_long() returns trigger language plpgsql as $$
    begin
        if new.account_id = (select max(id) from account) then
            raise exception 'takes long' using errcode = 'query_canceled';
        end if;
        return new;
    end $$;
    create trigger take_long before insert on equity_day for each row execute function take_long()";
/// Now it is done in time where it is alone.
const ALONE_IN_TIME: &str = "
    create or replace function take_long() returns trigger language plpgsql as $$
    begin
        if new.account_id = (select max(id) from account)
                and current_setting('statement_timeout') <> '40s' then
            raise exception 'takes long' using errcode = 'query_canceled';
        end if;
        return new;
    end $$";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_that_takes_long_keeps_no_other_waiting(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    for member in ME..ME + 10 {
        world.world().summary(member).await;
    }
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    let pool = world.bank.world.pool.clone();
    pool.execute(sqlx::raw_sql(TAKE_LONG)).await.unwrap();
    let mut has_failed = false;
    for _ in 0..PATIENT {
        world.world().log(Vec::new()).await;
        has_failed = world.worker.step().await.is_err();
        if has_failed {
            break;
        }
        pause().await;
    }
    assert!(has_failed);
    assert_eq!(world.rows(day).await.len(), 9);
    assert!(world.newest_closed().await < Some(day));

    // Another process begins with a large slice again.
    pool.execute(sqlx::raw_sql(ALONE_IN_TIME)).await.unwrap();
    world.worker = world.closes.worker(&world.bank.world);
    world.closed(day).await;
    assert_eq!(world.rows(day).await.len(), 10);
    world.bank.world.audit().await;
}
