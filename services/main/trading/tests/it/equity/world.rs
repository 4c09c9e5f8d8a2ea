//! What the tests of closed days begin with.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::clock::KST;
use proto::trading::v1 as wire;
use proto::trading::v1::equity_service_client::EquityServiceClient;
use sqlx::PgPool;
use tonic::Status;
use trading::equity::EquityWorker;

use super::ME;
use super::closes::Closes;
use crate::contracts::bank::BankWorld;
use crate::world::World;

/// The matcher stores its place about once a second.
pub(super) const PATIENT: usize = 3_000;

/// A market, a bank, and the worker that closes days.
pub(super) struct EquityWorld {
    pub(super) bank: BankWorld,
    pub(super) closes: Closes,
    pub(super) worker: EquityWorker,
}

/// Season, equity, base and flow of an account by its number.
pub(super) type Days = BTreeMap<String, (i32, i64, i64)>;

impl EquityWorld {
    pub(super) async fn new(pool: PgPool) -> Self {
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

    pub(super) fn world(&mut self) -> &mut World {
        &mut self.bank.world
    }

    /// Midnight passes, and the worker sees it while market-data does not tell the prices of the day.
    pub(super) async fn night(&mut self) -> NaiveDate {
        let day = self.unseen_night().await;
        self.closes.tell_nothing();
        self.worker.step().await.unwrap();
        day
    }

    /// Both clocks go to some seconds after the next midnight; returns the day that has ended.
    pub(super) async fn unseen_night(&mut self) -> NaiveDate {
        let world = self.world();
        let day = world.now.with_timezone(&KST).date_naive();
        let midnight = midnight(day.succ_opt().unwrap());
        world.now = midnight + TimeDelta::seconds(15);
        world.clock.set(world.now);
        world.log(Vec::new()).await;
        day
    }

    pub(super) async fn closed(&mut self, day: NaiveDate) {
        self.bank.world.day_closed(&mut self.worker, day).await;
    }

    pub(super) async fn newest_closed(&self) -> Option<NaiveDate> {
        self.bank.world.newest_closed().await
    }

    /// What the accounts were worth at the end of a day.
    pub(super) async fn rows(&self, day: NaiveDate) -> Days {
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
    pub(super) async fn present(&self, member: i64) -> Days {
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

    pub(super) async fn equity(
        &self,
        request: wire::GetEquityRequest,
    ) -> Result<wire::Equity, Status> {
        let url = self.bank.world.served.url.clone();
        let mut client = EquityServiceClient::connect(url).await.unwrap();
        let reply = client.get_equity(request).await;
        reply.map(tonic::Response::into_inner)
    }

    pub(super) async fn all(&self) -> wire::Equity {
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

    pub(super) async fn newest_closed(&self) -> Option<NaiveDate> {
        sqlx::query_scalar("select max(day) from equity_run where finished_at is not null")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }
}

pub(super) fn all(member: i64) -> wire::GetEquityRequest {
    wire::GetEquityRequest {
        member_id: member,
        ..wire::GetEquityRequest::default()
    }
}

pub(super) async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    let midnight = day.and_hms_opt(0, 0, 0).unwrap();
    midnight.and_local_timezone(KST).unwrap().to_utc()
}

pub(super) fn yyyymmdd(day: NaiveDate) -> i32 {
    day.format("%Y%m%d").to_string().parse().unwrap()
}

pub(super) fn figures(equity: &wire::Equity) -> Vec<(i64, i64, i64)> {
    let days = equity.days.iter();
    days.map(|day| (day.equity_won, day.base_won, day.flow_won))
        .collect()
}
