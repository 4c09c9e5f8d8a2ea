//! Data of the release before: a migration carries it over, and that release may go on beside this
//! one and come back after it.

use sqlx::migrate::Migrator;
use sqlx::{Executor, PgPool};
use trading::audit;

use crate::world::{SAMSUNG, World, buy, member};

/// The last migration of the release before.
const RELEASED: i64 = 20_261_123_140_000;
const ANY_AGE: i64 = 4_294_967_295;

/// 4,000 accounts with three fills each, a split that paid out half a share and a dividend, as the
/// release before writes them.
const HISTORY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won,
            balance_won)
        select 1000 + a, 500000 + a, '00', lpad((7000000 + a)::text, 10, '0') || '00', now(),
            1000000, 1000000 - 3 * 100015 + 20200 + 850
        from generate_series(1, 4000) a;
    insert into journal (id, kind, occurred_at)
        select 10000 + a, 'ACCOUNT_OPENED', now() from generate_series(1, 4000) a;
    insert into entry select 10000 + a, l.line, case l.line when 1 then 1000 + a end,
            case l.line when 2 then 'ISSUE' end, 'KRW', l.amount
        from generate_series(1, 4000) a, (values (1, 1000000), (2, -1000000)) l(line, amount);
    create temporary table made as select 100000 + i as id, 1000 + (i - 1) / 3 + 1 as account_id,
        500000 + (i - 1) / 3 + 1 as member_id, (i - 1) % 3 + 1 as nth, i
        from generate_series(1, 12000) i;
    insert into trade_order (id, account_id, member_id, instrument_code, instrument_name, market,
            currency, tick_class, side, status, price, quantity, filled_quantity, time_in_force,
            trading_day, gross_exact, quote_exact, amount_won, base_won, fee_won, tax_won,
            placed_at, placed_market_at, ended_at)
        select id, account_id, member_id, '000660', 'SK하이닉스', 'KOSPI', 'KRW', 'KRX_STOCK', 'BUY',
            'FILLED', 10000, 10, 10, 'DAY', 20261120, 100000, 100000, 100000, 100000, 15, 0,
            now(), now(), now() from made;
    insert into order_event (order_id, from_status, to_status, reason, occurred_at)
        select id, e.f, e.t, '', now()
        from made, (values (null, 'ACCEPTED'), ('ACCEPTED', 'FILLED')) e(f, t);
    insert into fill select id, id, account_id, member_id, nth, '000660', 'BUY', i, now(), 20261120,
        10000, null, null, 'AUCTION', 0, 10, 10, 10000, 100000, 100000, 15, 0, null, 0, 0, 'v1', id
        from made;
    insert into journal (id, kind, order_id, fill_id, occurred_at)
        select id, 'ORDER_FILLED', id, id, now() from made;
    insert into entry select id, l.line, case l.line when 1 then account_id end, l.book, 'KRW', l.amount
        from made, (values (1, null, -100015), (2, 'MARKET', 100000), (3, 'FEE', 15))
            l(line, book, amount);
    insert into member_fill_seq select 500000 + a, 3 from generate_series(1, 4000) a;
    insert into holding_split (id, account_id, instrument_code, trading_day, numerator, denominator,
            quantity_before, quantity_after, paid_won, cost_won, cost_quote)
        select 200000 + a, 1000 + a, '000660', 20261121, 1, 4, 30, 7, 20200, 20000, 20000
        from generate_series(1, 4000) a;
    insert into journal (id, kind, fill_id, occurred_at)
        select 200000 + a, 'SHARE_SPLIT', 200000 + a, now() from generate_series(1, 4000) a;
    insert into entry select 200000 + a, l.line, case l.line when 1 then 1000 + a end,
            case l.line when 2 then 'ADJUST' end, 'KRW', l.amount
        from generate_series(1, 4000) a, (values (1, 20200), (2, -20200)) l(line, amount);
    insert into holding select 1000 + a, '000660', 500000 + a, 'SK하이닉스', 'KOSPI', 'KRW', 7, 0,
            280000, 280000
        from generate_series(1, 4000) a;
    insert into dividend (id, instrument_code, ex_day, pay_day, amount, currency, noted_at)
        values (1, '000660', 20261123, 20261124, 142.9, 'KRW', now());
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity,
            paid_at, gross_won, tax_won, base_won, journal_id)
        select 1, 1000 + a, 500000 + a, 'SK하이닉스', 7, now(), 1000, 150, 1000, 300000 + a
        from generate_series(1, 4000) a;
    insert into journal (id, kind, occurred_at)
        select 300000 + a, 'DIVIDEND_PAID', now() from generate_series(1, 4000) a;
    insert into entry select 300000 + a, l.line, case l.line when 1 then 1000 + a end,
            l.book, 'KRW', l.amount
        from generate_series(1, 4000) a,
            (values (1, null, 850), (2, 'TAX', 150), (4, 'DIVIDEND', -1000)) l(line, book, amount);
    select setval('account_id_seq', 6000), setval('order_id_seq', 400000),
        setval('fill_id_seq', 400000), setval('journal_id_seq', 400000);
    commit;
    analyze;";

/// Education points, which no release has given yet.
const POINTS: &str = "
    insert into entry values (10001, 3, 1001, null, 'EP', 70), (10001, 4, null, 'EDU', 'EP', -70);
    update account set education_points = 70 where id = 1001";

/// What the ledger says, whatever release reads it.
const BOOKS: &str = "
    select string_agg(line, E'\\n' order by line) from (
        select format('%s %s %s', j.kind, coalesce(e.book, 'account'), sum(e.amount)) as line
        from journal j join entry e on e.journal_id = j.id
        group by j.kind, coalesce(e.book, 'account')) lines";

pub(crate) fn released() -> Migrator {
    up_to(RELEASED)
}

pub(crate) fn up_to(version: i64) -> Migrator {
    let migrations = trading::MIGRATOR.iter();
    let first = migrations.filter(|one| one.version <= version).cloned();
    Migrator {
        migrations: first.collect::<Vec<_>>().into(),
        ..Migrator::DEFAULT
    }
}

async fn text(pool: &PgPool, sql: &'static str) -> String {
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

#[sqlx::test(migrations = false)]
async fn a_ledger_of_the_release_before_is_carried_over(pool: PgPool) {
    released().run(&pool).await.unwrap();
    pool.execute(sqlx::raw_sql(HISTORY)).await.unwrap();
    pool.execute(sqlx::raw_sql(POINTS)).await.unwrap();
    let before = text(&pool, BOOKS).await;
    trading::MIGRATOR.run(&pool).await.unwrap();
    assert_eq!(text(&pool, BOOKS).await, before);
    let sources = "select string_agg(kind || ' ' || source_type || ' ' || count, E'\\n' order by kind) \
                   from (select kind, source_type, count(*) from journal group by 1, 2) s";
    assert_eq!(
        text(&pool, sources).await,
        "ACCOUNT_OPENED ACCOUNT 4000\nDIVIDEND_PAID DIVIDEND_SHARE 4000\n\
         ORDER_FILLED FILL 12000\nSHARE_SPLIT HOLDING_SPLIT 4000"
    );
    let balances = "select string_agg(asset || ' ' || amount || ' ' || held || ' ' || count, E'\\n' \
                        order by asset) \
                    from (select asset, amount, held, count(*) from balance group by 1, 2, 3) s";
    assert_eq!(text(&pool, balances).await, "EP 70 0 1\nKRW 721005 0 4000");
    let report = audit::run(&pool, ANY_AGE).await.unwrap();
    assert_eq!((report.fills, report.orders), (12_000, 12_000));
    // No row says what the points were earned for.
    let findings: Vec<&str> = report
        .findings
        .iter()
        .take(3)
        .map(|one| one.row.as_str())
        .collect();
    assert_eq!(findings, ["account 1001"], "{report}");
}

/// What the release before writes when it opens an account, and what it fills.
const WRITES_BEFORE: [&str; 2] = [
    "insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won, balance_won)
     values (nextval('account_id_seq'), 600001, '00', '900000000100', now(), 5000000, 5000000)",
    "select write_trading(jsonb_build_object('journals', jsonb_build_array(jsonb_build_object(
         'id', nextval('journal_id_seq'), 'kind', 'ACCOUNT_OPENED', 'occurred_at', now())),
     'entries', jsonb_build_array(
         jsonb_build_object('journal_id', currval('journal_id_seq'), 'line', 1,
            'account_id', currval('account_id_seq'), 'asset', 'KRW', 'amount', 5000000),
         jsonb_build_object('journal_id', currval('journal_id_seq'), 'line', 2, 'book', 'ISSUE',
            'asset', 'KRW', 'amount', -5000000))))",
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_release_before_goes_on_and_comes_back(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.placed(buy(100_001, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let mut transaction = pool.begin().await.unwrap();
    for write in WRITES_BEFORE {
        sqlx::raw_sql(write)
            .execute(&mut *transaction)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    world.audit().await;
    let opened = world
        .store
        .open_basic_account(member(600_001))
        .await
        .unwrap();
    let both = "select count(*) from account join balance on account_id = id and asset = 'KRW' \
                where (balance_won, held_won) = (amount, held)";
    assert_eq!(world.count(both).await, 2);
    // It places an order, and this release sees what it keeps aside.
    let holds = "select write_trading(jsonb_build_object('accounts', jsonb_agg(jsonb_build_object( \
                 'id', id, 'balance_won', balance_won, 'held_won', 700, 'open_orders', 0, \
                 'rate_second', 0, 'rate_second_count', 0, 'rate_minute', 0, 'rate_minute_count', 0)))) \
                 from account where member_id = 600001";
    sqlx::raw_sql(holds).execute(&pool).await.unwrap();
    assert_eq!(world.basic(600_001).await.held_won, 700);
    let source = "select source_type || ' ' || source_id from journal order by id desc limit 1";
    assert_eq!(text(&pool, source).await, format!("ACCOUNT {}", opened.0));
    // Its audit finds the fill of a journal, and the order.
    let wrong = "select count(*) from journal j left join fill f on f.id = j.fill_id \
                 where j.kind = 'ORDER_FILLED' and (f.journal_id, f.order_id) \
                    is distinct from (j.id, j.order_id)";
    assert_eq!(world.count(wrong).await, 0);
}
