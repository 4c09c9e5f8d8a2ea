//! The audit over a generated history: `AUDIT_FILLS` and `AUDIT_ACCOUNTS` say how long and how wide
//! it is.

use std::time::{Duration, Instant};

use proto::trading::v1 as wire;
use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;
use trading::audit;

use crate::world::{SAMSUNG, World, buy};

const ANY_AGE: i64 = 4_294_967_295;

/// Accounts that each bought ten shares for 10,000 won again and again: every table as the matcher
/// would have left it.
const GENERATE: &str = "
    begin;
    set local session_replication_role = replica;
    create temporary table made as select i, 100000 + i as id, 1000 + i % accounts() + 1 as account_id,
        501000 + i % accounts() + 1 as member_id,
        row_number() over (partition by i % accounts() order by i) as nth
        from generate_series(1, fills()) i;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
        select a, 500000 + a, '00', lpad((7000000 + a)::text, 10, '0') || '00', now(), 1000000000000
        from generate_series(1001, 1000 + accounts()) a;
    insert into balance (account_id, asset, amount)
        select a, 'KRW', 1000000000000 - 100015 * coalesce(b.count, 0)
        from generate_series(1001, 1000 + accounts()) a
        left join (select account_id, count(*) from made group by account_id) b on b.account_id = a;
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select 10000 + a, 'ACCOUNT_OPENED', 'ACCOUNT', 1000 + a, now()
        from generate_series(1, accounts()) a;
    insert into entry select 10000 + a, l.line, case l.line when 1 then 1000 + a end,
            case l.line when 2 then 'ISSUE' end, 'KRW', l.amount
        from generate_series(1, accounts()) a,
            (values (1, 1000000000000), (2, -1000000000000)) l(line, amount);
    insert into trade_order (id, account_id, member_id, instrument_code, instrument_name, market,
            currency, tick_class, side, status, price, quantity, filled_quantity, time_in_force,
            trading_day, gross_exact, quote_exact, amount_won, base_won, fee_won, tax_won, placed_at,
            placed_market_at, ended_at)
        select id, account_id, member_id, '000660', 'SK하이닉스', 'KOSPI', 'KRW', 'KRX_STOCK', 'BUY',
            'FILLED', 10000, 10, 10, 'DAY', 20261120, 100000, 100000, 100000, 100000, 15, 0,
            now(), now(), now() from made;
    insert into order_event (order_id, from_status, to_status, reason, occurred_at)
        select id, e.f, e.t, '', now()
        from made, (values (null, 'ACCEPTED'), ('ACCEPTED', 'FILLED')) e(f, t);
    insert into fill select id, id, account_id, member_id, nth, '000660', 'BUY', i, now(), 20261120,
        10000, null, null, 'AUCTION', 0, 10, 10, 10000, 100000, 100000, 15, 0, null, 0, 0, 'v1', id
        from made;
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select id, 'ORDER_FILLED', 'FILL', id, now() from made;
    insert into entry select id, l.line, case l.line when 1 then account_id end, l.book, 'KRW', l.amount
        from made, (values (1, null, -100015), (2, 'MARKET', 100000), (3, 'FEE', 15))
            l(line, book, amount);
    insert into member_fill_seq select member_id, max(nth) from made group by member_id;
    insert into holding select account_id, '000660', member_id, 'SK하이닉스', 'KOSPI', 'KRW',
            10 * count(*), 0, 100000 * count(*), 100000 * count(*)
        from made group by account_id, member_id;
    select setval('account_id_seq', 1000 + accounts()), setval('order_id_seq', 100000 + fills()),
        setval('fill_id_seq', 100000 + fills()), setval('journal_id_seq', 100000 + fills());
    commit;
    analyze;";

fn size(name: &str, otherwise: i64) -> i64 {
    std::env::var(name).map_or(otherwise, |size| size.parse().unwrap())
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_long_history_is_checked_in_slices_and_only_once(pool: PgPool) {
    let fills = size("AUDIT_FILLS", 30_000);
    let accounts = size("AUDIT_ACCOUNTS", 2_000);
    let mut world = World::new(pool).await;
    let sizes = format!(
        "create function fills() returns bigint immutable language sql as 'select {fills}::bigint'; \
         create function accounts() returns bigint immutable language sql as 'select {accounts}::bigint'"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(sizes))
        .execute(&world.pool)
        .await
        .unwrap();
    world.pool.execute(sqlx::raw_sql(GENERATE)).await.unwrap();

    let stop = CancellationToken::new();
    let watched = tokio::spawn(oldest_snapshot(world.pool.clone(), stop.clone()));
    let began = Instant::now();
    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    let whole_took = began.elapsed();
    stop.cancel();
    let oldest = watched.await.unwrap();
    assert!(whole.findings.is_empty(), "{whole}");
    assert_eq!((whole.fills, whole.orders), (fills, fills));

    world.placed(buy(100_001, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let order: wire::Order = world.placed(buy(100_001, SAMSUNG, "60000", "1")).await;
    world.cancel(&order, 100_001).await.unwrap();
    let began = Instant::now();
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    let new_took = began.elapsed();
    assert!(new.findings.is_empty(), "{new}");
    assert_eq!((new.fills, new.orders), (1, 2));
    println!(
        "{fills} fills: whole audit {whole_took:?}, oldest snapshot {oldest:?}, new part {new_took:?}"
    );
    assert!(oldest < Duration::from_secs(60));
    assert!(new_took < whole_took);
}

/// The longest that a transaction of another connection has been seen under way.
async fn oldest_snapshot(pool: PgPool, stop: CancellationToken) -> Duration {
    let mut connection = PgConnection::connect_with(&pool.connect_options())
        .await
        .unwrap();
    let age = "select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::bigint \
               from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() \
               and backend_xmin is not null";
    let mut oldest = Duration::ZERO;
    while !stop.is_cancelled() {
        let age: i64 = sqlx::query_scalar(age)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        oldest = oldest.max(Duration::from_millis(age.unsigned_abs()));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    oldest
}
