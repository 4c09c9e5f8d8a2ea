//! Days that are closed: what every account is worth at midnight, whatever happens right after it,
//! once, in order, and what that returned.

pub(crate) mod closes;

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::Clock;
use kernel::clock::KST;
use proto::trading::v1 as wire;
use proto::trading::v1::ProfitWindow;
use proto::trading::v1::equity_service_client::EquityServiceClient;
use rust_decimal::Decimal;
use sqlx::{Executor, PgPool};
use tonic::{Code, Status};
use trading::audit;
use trading::domain::split::SplitRatio;
use trading::equity::EquityWorker;
use trading::tick_log::{Scope, SessionRecordKind};

use crate::contracts::bank::{BankWorld, savings};
use crate::seasons::{busy, reset};
use crate::world::{APPLE, SAMSUNG, World, buy, number, reason, sell};
use crate::{items, points};
use closes::Closes;

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
/// The matcher stores its place about once a second.
const PATIENT: usize = 3_000;
/// Columns of a day, and the checks that see them falsified.
pub(crate) const FALSIFIED: [(&str, &str); 2] = [
    ("flow_won", "the flow of a day is the change of the base"),
    (
        "cash_won",
        "the cash of the last closed day is what later entries leave of the present",
    ),
];

struct EquityWorld {
    bank: BankWorld,
    closes: Closes,
    worker: EquityWorker,
}

/// Season, equity, base and flow of an account by its number.
type Days = BTreeMap<String, (i32, i64, i64)>;

impl EquityWorld {
    async fn new(pool: PgPool) -> Self {
        let bank = BankWorld::new(pool).await;
        let closes = Closes::new().await;
        let mut world = Self {
            worker: closes.worker(&bank.world),
            closes,
            bank,
        };
        world.closes.tell(&[]);
        let today = world.bank.world.now.with_timezone(&KST).date_naive();
        world.closed(today.pred_opt().unwrap()).await;
        world
    }

    fn world(&mut self) -> &mut World {
        &mut self.bank.world
    }

    /// Midnight passes, and the worker sees it while market-data does not tell the prices of the day.
    async fn night(&mut self) -> NaiveDate {
        let day = self.unseen_night().await;
        self.closes.tell_nothing();
        self.worker.step().await.unwrap();
        day
    }

    /// Both clocks go to some seconds after the next midnight; returns the day that has ended.
    async fn unseen_night(&mut self) -> NaiveDate {
        let world = self.world();
        let day = world.now.with_timezone(&KST).date_naive();
        let midnight = midnight(day.succ_opt().unwrap());
        world.now = midnight + TimeDelta::seconds(15);
        world.clock.set(world.now);
        world.log(Vec::new()).await;
        day
    }

    async fn closed(&mut self, day: NaiveDate) {
        self.bank.world.day_closed(&mut self.worker, day).await;
    }

    async fn newest_closed(&self) -> Option<NaiveDate> {
        self.bank.world.newest_closed().await
    }

    /// What the accounts were worth at the end of a day.
    async fn rows(&self, day: NaiveDate) -> Days {
        let rows: Vec<(String, i32, i64, i64)> = sqlx::query_as(
            "select distinct on (a.id) a.account_no, d.season, d.cash_won + d.holdings_won, \
                d.base_won \
             from equity_day d join account a on a.id = d.account_id where d.day <= $1 \
             order by a.id, d.day desc",
        )
        .bind(day)
        .fetch_all(&self.bank.world.pool)
        .await
        .unwrap();
        rows.into_iter()
            .map(|(number, season, equity, base)| (number, (season, equity, base)))
            .collect()
    }

    /// What the member's accounts are worth now.
    async fn present(&self, member: i64) -> Days {
        let world = &self.bank.world;
        let bases: Vec<(String, i32, i64)> = sqlx::query_as(
            "select account_no, season, initial_deposit_won + education_deposit_won + \
                bought_deposit_won + net_transfers_won - purchased_items_won from account",
        )
        .fetch_all(&world.pool)
        .await
        .unwrap();
        let worth = world.summary(member).await.accounts.into_iter();
        worth
            .map(|one| {
                let found = bases.iter().find(|(number, ..)| *number == one.account_no);
                let (_, season, base) = found.unwrap();
                let equity = one.deposit_won + one.holdings_value_won;
                (one.account_no, (*season, equity, *base))
            })
            .collect()
    }

    async fn equity(&self, request: wire::GetEquityRequest) -> Result<wire::Equity, Status> {
        let url = self.bank.world.served.url.clone();
        let mut client = EquityServiceClient::connect(url).await.unwrap();
        let reply = client.get_equity(request).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn all(&self) -> wire::Equity {
        self.equity(all(ME)).await.unwrap()
    }
}

impl World {
    /// Lets the worker work until a day is closed.
    pub(crate) async fn day_closed(&mut self, worker: &mut EquityWorker, day: NaiveDate) {
        for _ in 0..PATIENT {
            self.log(Vec::new()).await;
            worker.step().await.unwrap();
            if self.newest_closed().await == Some(day) {
                return;
            }
            pause().await;
        }
        panic!("{day} was not closed");
    }

    async fn newest_closed(&self) -> Option<NaiveDate> {
        sqlx::query_scalar("select max(day) from equity_run where finished_at is not null")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }
}

fn all(member: i64) -> wire::GetEquityRequest {
    wire::GetEquityRequest {
        member_id: member,
        ..wire::GetEquityRequest::default()
    }
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    let midnight = day.and_hms_opt(0, 0, 0).unwrap();
    midnight.and_local_timezone(KST).unwrap().to_utc()
}

fn yyyymmdd(day: NaiveDate) -> i32 {
    day.format("%Y%m%d").to_string().parse().unwrap()
}

fn figures(equity: &wire::Equity) -> Vec<(i64, i64, i64)> {
    let days = equity.days.iter();
    days.map(|day| (day.equity_won, day.base_won, day.flow_won))
        .collect()
}

/// Fills, a transfer, points, an item, a contract that is closed, a split, and a fill after it.
async fn busy_night(world: &mut EquityWorld, day: NaiveDate) {
    let contract = world.bank.only(ME).await;
    let world_ = world.world();
    world_.placed(buy(ME, SAMSUNG, "", "2")).await;
    world_.placed(sell(ME, APPLE, "", "2")).await;
    world_.trade(SAMSUNG, "73000", 1_000).await;
    world_.trade(APPLE, "240.50", 1_000).await;
    world_.moved("00", "01", 50_000).await;
    points::transfer(world_, 20, "points-2").await.unwrap();
    items::buy(world_, 4, 1, "freeze-no-1").await.unwrap();
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let next = yyyymmdd(day.succ_opt().unwrap());
    let split = world_.session_record(SessionRecordKind::Split(ratio), scope, next);
    world_.log(vec![split]).await;
    world_.placed(sell(ME, SAMSUNG, "", "1")).await;
    world_.trade(SAMSUNG, "36600", 1_000).await;
    world.bank.close(&contract, ME, None).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_is_closed_as_it_was_at_midnight(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    busy(&mut world.bank).await;
    world.bank.pass(65).await;
    let evening = world.present(ME).await;
    assert_eq!(evening.len(), 3, "{evening:?}");
    let day = world.night().await;
    busy_night(&mut world, day).await;
    assert_ne!(world.present(ME).await, evening);
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "230.50")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_season_that_ends_after_midnight_has_its_last_day(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    busy(&mut world.bank).await;
    world.bank.pass(65).await;
    let evening = world.present(ME).await;
    let day = world.night().await;
    busy_night(&mut world, day).await;
    world
        .bank
        .world
        .reset(reset(ME, "reset-no-1", false))
        .await
        .unwrap();
    world.bank.world.placed(buy(ME, SAMSUNG, "", "7")).await;
    world.bank.world.trade(SAMSUNG, "36700", 1_000).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "230.50")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);

    // The next day is of the new season, and its base is what the season began with.
    let evening = world.present(ME).await;
    let next = world.night().await;
    world.closes.tell(&[(SAMSUNG, "36700"), (APPLE, "240.50")]);
    world.closed(next).await;
    let rows = world.rows(next).await;
    let basic = evening.keys().next().unwrap();
    assert_eq!(rows[basic], evening[basic]);
    assert_eq!((rows[basic].0, rows[basic].2), (2, 5_000_000));
    world.bank.world.audit().await;

    let past = wire::GetEquityRequest {
        season: 1,
        ..all(ME)
    };
    let past = world.equity(past).await.unwrap();
    let seasons = world.bank.world.seasons(ME).await;
    let last = past.days.last().unwrap();
    assert_eq!(last.day, yyyymmdd(next));
    assert_eq!(last.equity_won, seasons.past[0].total_won);
    assert_eq!(last.base_won, seasons.past[0].base_won);
    let present = world.all().await;
    assert_eq!(present.season, 2);
    assert_eq!(
        figures(&present)[0].2,
        5_000_000,
        "the season begins with its deposit"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_job_dates_back_is_of_the_day_on_which_it_is_posted(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.bank.opened(savings(ME, 100_000, 6)).await;
    // The second payment is due, and the task that takes it does not run.
    world.bank.sleep(31).await;
    let evening = world.present(ME).await;
    let day = world.night().await;
    world.closes.tell(&[]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);
    world.bank.step().await;
    assert_eq!(world.bank.only(ME).await.payments_made, 2);
    let paid = world.present(ME).await;
    world.bank.world.audit().await;
    let next = world.night().await;
    world.closes.tell(&[]);
    world.closed(next).await;
    assert_eq!(world.rows(next).await, paid);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn days_of_an_outage_are_closed_in_order_at_their_own_prices(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    world.world().summary(OTHER).await;
    let first = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(first).await;
    assert_eq!(world.rows(first).await.len(), 2);
    let cash = world.world().basic(ME).await.deposit_won;

    // Nobody closes days while trading goes on.
    let mut last = first;
    for won in [100_000, 200_000, 300_000] {
        last = world.unseen_night().await;
        world.world().moved("00", "01", won).await;
    }
    let prices = ["71000", "72000", "73000"];
    let days = first.iter_days().skip(1).zip(prices);
    for (day, price) in days.clone() {
        world.closes.tell_of(day, &[(SAMSUNG, price)]);
    }
    world.closed(last).await;
    let basic = world.world().basic(ME).await.account_no;
    let mut moved = 0;
    // What was moved before anybody saw that the last day was over is of that day.
    for ((day, price), won) in days.zip([0, 100_000, 500_000]) {
        moved += won;
        let rows = world.rows(day).await;
        let holdings = 10 * price.parse::<i64>().unwrap();
        assert_eq!(
            rows[&basic],
            (1, cash - moved + holdings, 5_000_000 - moved)
        );
        assert_eq!(rows.len(), if won == 0 { 2 } else { 3 });
    }
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_waits_for_its_fills_and_for_its_prices(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    let before = world.newest_closed().await;
    let day = world.unseen_night().await;
    // The cache has read on, and the matcher has not.
    world.closes.tell(&[(SAMSUNG, "70000")]);
    let batch = world.world().batch(Vec::new());
    world.world().market_cache.apply(&batch);
    for _ in 0..3 {
        world.worker.step().await.unwrap();
    }
    assert_eq!(world.newest_closed().await, before);
    world.world().shard.process(batch).await.unwrap();

    world.closes.tell_nothing();
    let asked = world.closes.asked();
    while world.closes.asked() < asked + 2 {
        world.world().log(Vec::new()).await;
        world.worker.step().await.unwrap();
        pause().await;
    }
    assert_eq!(world.newest_closed().await, before);
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_crash_in_the_middle_doubles_nothing_and_leaves_nothing_out(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    world.world().summary(OTHER).await;
    let evening = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    for (table, event) in [
        ("equity_price", "insert"),
        ("equity_day", "insert"),
        ("equity_run", "update"),
    ] {
        let fail = format!(
            "create function fail_{table}() returns trigger language plpgsql as $$ \
             begin raise exception 'crash'; end $$; \
             create trigger fail_{table} before {event} on {table} \
                for each row execute function fail_{table}()"
        );
        let pool = world.bank.world.pool.clone();
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(fail)))
            .await
            .unwrap();
        let mut failed = 0;
        for _ in 0..PATIENT {
            world.world().log(Vec::new()).await;
            failed += usize::from(world.worker.step().await.is_err());
            if failed == 2 {
                break;
            }
            pause().await;
        }
        assert_eq!(failed, 2, "{table}");
        assert_eq!(world.rows(evening).await.len(), 0);
        let mend = format!("drop trigger fail_{table} on {table}");
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(mend)))
            .await
            .unwrap();
        // As after a crash, another process goes on.
        world.worker = world.closes.worker(&world.bank.world);
    }
    world.closed(evening).await;
    assert_eq!(world.rows(evening).await.len(), 2);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_close_a_day_once(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    for member in ME..ME + 30 {
        world.world().summary(member).await;
    }
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    let mut other = world.closes.worker(&world.bank.world);
    for _ in 0..PATIENT {
        world.bank.world.log(Vec::new()).await;
        let (one, two) = tokio::join!(world.worker.step(), other.step());
        one.unwrap();
        two.unwrap();
        if world.newest_closed().await == Some(day) {
            break;
        }
        pause().await;
    }
    assert_eq!(world.rows(day).await.len(), 30);
    let runs = world.bank.world.count("select count(*) from equity_run");
    assert_eq!(
        runs.await,
        2,
        "the day before is only where this one begins"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_window_is_answered_with_its_return(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    let new = world.all().await;
    assert_eq!(figures(&new), [(5_000_000, 5_000_000, 5_000_000)]);
    assert_eq!((new.return_rate, new.drawdown_rate), (None, None));

    world.world().placed(buy(ME, SAMSUNG, "", "50")).await;
    world.world().trade(SAMSUNG, "71300", 10_000).await;
    let cash = world.world().basic(ME).await.deposit_won;
    let mut days = Vec::new();
    for price in ["70000", "65000", "80000"] {
        let day = world.night().await;
        world.closes.tell(&[(SAMSUNG, price)]);
        world.closed(day).await;
        days.push((yyyymmdd(day), cash + 50 * price.parse::<i64>().unwrap()));
    }
    world.world().trade(SAMSUNG, "75000", 1_000).await;
    points::earn(world.world(), ME, "quiz-1", 100).await;
    points::transfer(world.world(), 100, "points-1")
        .await
        .unwrap();
    let base = world.world().summary(ME).await.base_won;
    let now = world.world().summary(ME).await.total_won;
    let got = world.all().await;
    let shown: Vec<(i32, i64)> = got
        .days
        .iter()
        .map(|day| (day.day, day.equity_won))
        .collect();
    let today = yyyymmdd(world.bank.world.clock.today_kst());
    assert_eq!(shown, [days.clone(), vec![(today, now)]].concat());
    assert_eq!(got.days[3].flow_won, base - 5_000_000);
    assert_eq!((got.from_day, got.to_day), (0, today));

    let growth = |from: i64, to: i64| Decimal::from(to) / Decimal::from(from);
    let percent = |part: Decimal| (part * Decimal::ONE_HUNDRED).round_dp(3);
    let [first, second, third] = [days[0].1, days[1].1, days[2].1];
    let grown = growth(5_000_000, first)
        * growth(first, second)
        * growth(second, third)
        * growth(third + base - 5_000_000, now);
    assert_eq!(
        number(&got.return_rate).round_dp(3),
        percent(grown - Decimal::ONE)
    );
    assert_eq!(
        number(&got.drawdown_rate).round_dp(3),
        percent(Decimal::ONE - growth(5_000_000, second))
    );

    // One account, and a window that begins with the day before it.
    let basic = wire::GetEquityRequest {
        account_no: "00".to_owned(),
        window: ProfitWindow::Day.into(),
        ..all(ME)
    };
    let got = world.equity(basic).await.unwrap();
    assert_eq!((got.from_day, got.to_day), (today, today));
    assert_eq!(got.days.len(), 2);
    assert_eq!((got.days[0].day, got.days[0].flow_won), (days[2].0, 0));

    let others = wire::GetEquityRequest {
        account_no: world.bank.world.basic(OTHER).await.account_no,
        ..all(ME)
    };
    let refused = world.equity(others).await.unwrap_err();
    assert_eq!(reason(&refused), "ACCOUNT_FORBIDDEN");
    let later = wire::GetEquityRequest {
        season: 2,
        ..all(ME)
    };
    assert_eq!(
        world.equity(later).await.unwrap_err().code(),
        Code::NotFound
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_audit_names_a_day_that_was_falsified(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
    world.world().moved("00", "01", 10_000).await;
    world.bank.world.audit().await;
    let id: i64 = sqlx::query_scalar("select account_id from equity_day")
        .fetch_one(&world.bank.world.pool)
        .await
        .unwrap();
    for (column, check) in FALSIFIED {
        let falsify = |by: i32| {
            format!(
                "begin; set local session_replication_role = replica; \
                 update equity_day set {column} = {column} + {by}; commit"
            )
        };
        let pool = &world.bank.world.pool;
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(falsify(1))))
            .await
            .unwrap();
        let report = audit::run(pool, i64::from(u32::MAX)).await.unwrap();
        let [found] = report.findings.as_slice() else {
            panic!("{report}");
        };
        assert_eq!(
            (found.check, found.row.as_str()),
            (check, format!("account {id} on {day}").as_str())
        );
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(falsify(-1))))
            .await
            .unwrap();
    }
}
