//! Wealth levels as others see them.

use proto::trading::v1 as wire;
use sqlx::PgPool;

use crate::world::World;

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const STRANGER: i64 = 100_009;

async fn levels(world: &World) -> Vec<(i64, i32, i64)> {
    let request = wire::ListLevelsRequest {
        member_ids: vec![ME, OTHER, STRANGER, ME],
    };
    let told = world.client.clone().list_levels(request).await;
    let told = told.unwrap().into_inner().levels.into_iter();
    let mut levels: Vec<_> = told
        .map(|one| (one.member_id, one.level, one.from_won))
        .collect();
    levels.sort_unstable();
    levels
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_level_is_that_of_the_last_end_of_a_day(pool: PgPool) {
    let world = World::new(pool).await;
    let mine = world.summary(ME).await;
    world.summary(OTHER).await;
    let first = levels(&world).await;
    assert_eq!(first.len(), 2, "nothing of who has no account");
    assert_eq!(first[0].1, mine.level);
    for (day, won) in [("2026-11-18", 900_000_000_i64), ("2026-11-19", 100_000_000)] {
        sqlx::query(
            "insert into equity_day (account_id, day, season, cash_won, holdings_won, base_won, flow_won) \
             select id, $1::date, 1, $2, 1, 5000000, 0 from account where member_id = $3",
        )
        .bind(day.parse::<chrono::NaiveDate>().unwrap())
        .bind(won)
        .bind(OTHER)
        .execute(&world.pool)
        .await
        .unwrap();
    }
    let now = levels(&world).await;
    assert_eq!(now[0], first[0]);
    assert!(now[1].1 > first[1].1);
    assert!(now[1].2 <= 100_000_001, "of the newest day: {now:?}");
}
