//! Trading's books against those of auth and of market-data.

use sqlx::{Executor, PgPool};
use testkit::TempDatabase;
use trading::audit::across;

use super::{divided_world, tamper};
use crate::world::{DAY, SAMSUNG};

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
