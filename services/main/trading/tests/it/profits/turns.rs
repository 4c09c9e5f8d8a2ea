//! A member whose lists take long keeps nobody else from lists, and is served again when these were given up.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sqlx::PgPool;

use super::{ME, OTHER, SAMSUNG, World, all, buy};

/// Whoever gets no turn waits for twice as long.
const SOON: Duration = Duration::from_secs(1);

/// Each fill of one member takes a minute to read.
const SLOW: &str = "
    create table slow as select id from account where member_id = 100001;
    create function is_read(account bigint) returns boolean language plpgsql cost 1000000 as $$ begin
        if exists (select from slow where id = account) then
            perform pg_sleep(60);
        end if;
        return true;
    end $$;
    alter table fill rename to all_fills;
    create view fill as select * from all_fills where is_read(account_id)";
const RESTORED: &str = "drop view fill; alter table all_fills rename to fill";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_with_a_long_history_takes_one_turn_until_the_deadline(pool: PgPool) {
    let mut world = World::new(pool).await;
    for member in [ME, OTHER] {
        world.placed(buy(member, SAMSUNG, "", "1")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    sqlx::raw_sql(SLOW).execute(&world.pool).await.unwrap();
    let mine = join_all((0..4).map(|_| world.listed_profits(all(ME))));
    let theirs = async {
        // Those of the first member are on their way.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begun = Instant::now();
        world.profits(all(OTHER)).await;
        begun.elapsed()
    };
    let (mine, took) = tokio::join!(mine, theirs);
    assert!(took < SOON, "{took:?}");
    assert!(mine.iter().all(Result::is_err));

    // No statement of theirs goes on.
    sqlx::raw_sql("delete from slow")
        .execute(&world.pool)
        .await
        .unwrap();
    world.profits(all(ME)).await;
    sqlx::raw_sql(RESTORED).execute(&world.pool).await.unwrap();
    world.audit().await;
}
