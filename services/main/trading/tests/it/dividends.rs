//! Dividends: who gets them, how much, and that nobody gets them twice.

use proto::common::v1::Currency;
use proto::market::v1::Dividend;
use proto::trading::v1 as wire;
use proto::trading::v1::DividendState as State;
use proto::trading::v1::dividend_service_client::DividendServiceClient;
use sqlx::PgPool;
use trading::dividends::DividendWorker;
use trading::domain::split::SplitRatio;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{APPLE, DAY, SAMSUNG, World, buy, dec, number, sell};

pub(crate) const EARLY: i64 = 100_001;
pub(crate) const SELLER: i64 = 100_002;
const LATE: i64 = 100_003;
pub(crate) const EX_DAY: i32 = DAY + 3;
/// Tries of a minute.
const PATIENT: usize = 3_000;
const NOT_NOTED: &str = "select count(*) from dividend where noted_at is null";
pub(crate) const PAY_DAY: i32 = DAY + 5;

pub(crate) fn dividend(id: i64, code: &str, amount: &str, currency: Currency) -> Dividend {
    Dividend {
        code: code.to_owned(),
        ex_day: EX_DAY,
        record_day: EX_DAY,
        pay_day: PAY_DAY,
        amount: dec(amount),
        currency: currency.into(),
        dividend_id: id,
    }
}

impl World {
    pub(crate) async fn day(&mut self, day: i32, days: i64) {
        self.now += chrono::TimeDelta::days(days);
        for venue in [Venue::Krx, Venue::Us] {
            let scope = Scope::Venue(venue);
            let open = self.session_record(SessionRecordKind::Open(Vec::new()), scope, day);
            self.log(vec![open]).await;
        }
    }

    pub(crate) async fn traded_on(&mut self, code: &str, price: &str, day: i32) {
        self.log(Vec::new()).await;
        let mut record = self.tick(code, price.parse().unwrap(), 100_000);
        if let LogRecord::Tick(tick) = &mut record {
            tick.trading_day = day;
        }
        self.log(vec![record]).await;
    }

    /// Lets the worker work until it has noted who owned what: the matcher stores its place about
    /// once a second.
    pub(crate) async fn noted(&mut self, worker: &mut DividendWorker) {
        for _ in 0..PATIENT {
            self.log(Vec::new()).await;
            worker.step().await.unwrap();
            if self.count(NOT_NOTED).await == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("nobody owned anything for a minute");
    }

    async fn dividends(&self, member: i64) -> Vec<wire::Dividend> {
        let page = self.listed(member, State::Unspecified, 0, 0).await;
        assert_eq!(page.next_before_id, 0);
        page.dividends
    }

    async fn listed(
        &self,
        member: i64,
        state: State,
        before_id: i64,
        size: i32,
    ) -> wire::Dividends {
        let mut client = DividendServiceClient::connect(self.served.url.clone())
            .await
            .unwrap();
        let request = wire::ListDividendsRequest {
            member_id: member,
            before_id,
            size,
            state: state.into(),
        };
        client.list_dividends(request).await.unwrap().into_inner()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_owned_a_share_before_the_ex_day_is_paid_once(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(EARLY, SAMSUNG, "", "10")).await;
    world.placed(buy(SELLER, SAMSUNG, "", "3")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let announced = [dividend(7, SAMSUNG, "361", Currency::Krw)];
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    for _ in 0..2 {
        world.store.receive_dividends(&announced).await.unwrap();
        worker.step().await.unwrap();
    }
    assert_eq!(world.store.newest_dividend().await.unwrap(), 7);
    assert_eq!(world.dividends(EARLY).await, []);
    let announced = world.listed(EARLY, State::Due, 0, 0).await.announced;
    assert_eq!(announced.len(), 1);
    assert_eq!(announced[0].state(), State::Announced);
    assert_eq!((announced[0].gross_won, announced[0].tax_won), (3_610, 550));
    assert_eq!(announced[0].dividend_id, 0);
    assert_eq!(world.listed(LATE, State::Due, 0, 0).await.announced, []);

    // On the ex-day one sells and one buys: neither matters any more.
    world.day(EX_DAY, 3).await;
    world.placed(sell(SELLER, SAMSUNG, "", "3")).await;
    world.placed(buy(LATE, SAMSUNG, "", "5")).await;
    world.traded_on(SAMSUNG, "71000", EX_DAY).await;
    world.noted(&mut worker).await;
    let due = world.dividends(EARLY).await;
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].state(), State::Due);
    assert_eq!((due[0].net_won, due[0].paid_at_us), (3_060, 0), "expected");
    assert_eq!(number(&due[0].quantity), 10.into());
    assert_eq!(due[0].instrument_name, "삼성전자");
    assert_eq!(number(&world.dividends(SELLER).await[0].quantity), 3.into());
    assert_eq!(world.dividends(LATE).await, []);
    let before = world.basic(EARLY).await.deposit_won;
    world.audit().await;

    world.day(PAY_DAY, 2).await;
    world.clock.advance(chrono::TimeDelta::days(5));
    for _ in 0..2 {
        worker.step().await.unwrap();
    }
    // 3,610 less 500 and 50.
    assert_eq!(world.basic(EARLY).await.deposit_won - before, 3_060);
    let of_the_day = world.summary(EARLY).await.day_traded_won;
    assert_eq!(of_the_day, Some(3_060));
    let paid = world.dividends(EARLY).await.remove(0);
    assert_eq!(paid.state(), State::Paid);
    assert_eq!(
        (paid.gross_won, paid.tax_won, paid.net_won),
        (3_610, 550, 3_060)
    );
    let book = "select -sum(amount)::bigint from entry where book = 'DIVIDEND'";
    assert_eq!(world.count(book).await, 3_610 + 1_083);
    assert_eq!(
        world
            .count("select count(*) from journal where kind = 'DIVIDEND_PAID'")
            .await,
        2
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_pay_what_one_would(pool: PgPool) {
    let mut world = World::new(pool).await;
    for member in EARLY..EARLY + 20 {
        world.placed(buy(member, SAMSUNG, "", "1")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    let announced = [dividend(1, SAMSUNG, "1000", Currency::Krw)];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(PAY_DAY, 5).await;
    let mut one = DividendWorker::new(world.store.clone(), 1);
    let mut two = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut one).await;
    for _ in 0..2 {
        let (first, second) = tokio::join!(one.step(), two.step());
        first.unwrap();
        second.unwrap();
    }
    let paid = "select count(*) from dividend_share where paid_at is not null and gross_won = 1000";
    assert_eq!(world.count(paid).await, 20);
    let booked = "select sum(amount)::bigint from entry where book = 'DIVIDEND'";
    assert_eq!(world.count(booked).await, -20_000);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollars_are_changed_and_shares_counted_after_their_division(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(EARLY, APPLE, "", "5")).await;
    world.trade(APPLE, "230.50", 1_000).await;
    let split = SessionRecordKind::Split(SplitRatio {
        numerator: 2,
        denominator: 1,
    });
    let split = world.session_record(split, Scope::Code(APPLE.to_owned()), DAY + 1);
    world.log(vec![split]).await;
    world.day(DAY + 1, 1).await;
    world.placed(buy(EARLY, APPLE, "", "1")).await;
    world.traded_on(APPLE, "115.25", DAY + 1).await;
    let announced = [dividend(1, APPLE, "0.26", Currency::Usd)];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(PAY_DAY, 5).await;
    let before = world.basic(EARLY).await.deposit_won;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    worker.step().await.unwrap();
    let paid = world.dividends(EARLY).await.remove(0);
    assert_eq!(number(&paid.quantity), 11.into());
    // 11 × 0.26 $ at 1,470 won: 4,204.2, less a thousandth 4,199.996; 15 % of it are 629.85.
    assert_eq!(
        (paid.gross_won, paid.tax_won, paid.net_won),
        (4_199, 629, 3_570)
    );
    assert_eq!(number(&paid.fx_rate), 1_470.into());
    assert_eq!(world.basic(EARLY).await.deposit_won - before, 3_570);
    let spread = "select sum(amount)::bigint from entry e join journal j on j.id = e.journal_id \
                  where j.kind = 'DIVIDEND_PAID' and e.book = 'FX'";
    assert_eq!(world.count(spread).await, 5);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_list_goes_by_the_day_of_payment_page_by_page(pool: PgPool) {
    let mut world = World::new(pool).await;
    for code in [SAMSUNG, APPLE] {
        world.placed(buy(EARLY, code, "", "10")).await;
        world.placed(buy(SELLER, code, "", "10")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    // The later one of the log is paid first.
    let announced = [
        Dividend {
            pay_day: PAY_DAY + 2,
            ..dividend(1, SAMSUNG, "100", Currency::Krw)
        },
        dividend(2, APPLE, "1", Currency::Usd),
    ];
    world.store.receive_dividends(&announced).await.unwrap();
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    world.traded_on(APPLE, "230.50", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    let code = |page: &wire::Dividends| page.dividends[0].instrument_code.clone();
    let first = world.listed(EARLY, State::Due, 0, 1).await;
    assert_eq!((code(&first).as_str(), first.announced.len()), (APPLE, 0));
    // 10 $ at 1,470 won less a thousandth, and 15 % of it.
    assert_eq!(first.dividends[0].net_won, 14_685 - 2_202);
    assert_eq!(number(&first.dividends[0].fx_rate), 1_470.into());
    let second = world
        .listed(EARLY, State::Due, first.next_before_id, 1)
        .await;
    assert_eq!(code(&second), SAMSUNG);
    assert_eq!(second.next_before_id, 0);
    let latest = world.listed(EARLY, State::Unspecified, 0, 1).await;
    assert_eq!(code(&latest), SAMSUNG);
    // Another member's place is no place.
    let foreign = world.listed(SELLER, State::Due, first.next_before_id, 1);
    assert_eq!(foreign.await.dividends, []);
    assert_eq!(world.listed(EARLY, State::Paid, 0, 0).await.dividends, []);
    world.day(PAY_DAY, 2).await;
    worker.step().await.unwrap();
    let paid = world.listed(EARLY, State::Paid, 0, 0).await;
    assert_eq!((code(&paid).as_str(), paid.dividends.len()), (APPLE, 1));
    let due = world.listed(EARLY, State::Due, 0, 0).await;
    assert_eq!((code(&due).as_str(), due.dividends.len()), (SAMSUNG, 1));
    world.audit().await;
}

/// More than are paid at once, of an instrument that nothing is known of.
const WAIT_FOR_A_RATE: &str = "
    update dividend set noted_at = now() where id = 1;
    insert into account (member_id, code, account_no, opened_at, initial_deposit_won)
        select 900000 + n, '00', 990000000000 + n, now(), 0 from generate_series(1, 250) n;
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity)
        select 1, id, member_id, 'Unknown', 1 from account where member_id > 900000";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_waits_for_an_exchange_rate_keeps_nobody_else_waiting(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(EARLY, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let announced = [
        dividend(1, "UNKNOWN", "1", Currency::Usd),
        dividend(2, SAMSUNG, "361", Currency::Krw),
    ];
    world.store.receive_dividends(&announced).await.unwrap();
    sqlx::raw_sql(WAIT_FOR_A_RATE)
        .execute(&world.pool)
        .await
        .unwrap();
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    world.day(PAY_DAY, 2).await;
    worker.step().await.unwrap();
    assert_eq!(world.dividends(EARLY).await[0].state(), State::Paid);
    let waiting = "select count(*) from dividend_share where paid_at is null";
    assert_eq!(world.count(waiting).await, 250);
}
