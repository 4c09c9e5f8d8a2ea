//! What lists show of an account of a competition.

use chrono::{NaiveDate, TimeDelta};
use proto::trading::v1 as wire;
use proto::trading::v1::dividend_service_client::DividendServiceClient;
use proto::trading::v1::equity_service_client::EquityServiceClient;
use sqlx::PgPool;

use super::dividends::{owners, paid};
use super::{APPLE, CASH, CompetitionWorld, ME, SAMSUNG, in_competition};
use crate::seasons::reset;
use crate::world::{DAY, buy};

impl CompetitionWorld {
    async fn equity_of(&self, account_no: &str) -> wire::Equity {
        let request = wire::GetEquityRequest {
            member_id: ME,
            account_no: account_no.to_owned(),
            ..wire::GetEquityRequest::default()
        };
        let client = EquityServiceClient::connect(self.world.served.url.clone()).await;
        let equity = client.unwrap().get_equity(request).await;
        equity.unwrap().into_inner()
    }

    async fn movements_of(&self, account_no: &str) -> Vec<wire::CashMovement> {
        let request = wire::ListCashMovementsRequest {
            member_id: ME,
            account_no: account_no.to_owned(),
            ..wire::ListCashMovementsRequest::default()
        };
        let mut transfers = self.world.transfers.clone();
        let page = transfers.list_cash_movements(request).await;
        page.unwrap().into_inner().movements
    }

    async fn close_day(&mut self, day: NaiveDate) {
        self.world.clock.set(self.world.now);
        self.world.day_closed(&mut self.equity, day).await;
    }

    async fn ordered(&self, account_no: &str) -> usize {
        let request = wire::ListOrderHistoryRequest {
            member_id: ME,
            account_no: account_no.to_owned(),
            category: wire::OrderCategory::Stock.into(),
            kind: wire::OrderHistoryKind::All.into(),
            ..wire::ListOrderHistoryRequest::default()
        };
        let page = self.world.orders.clone().list_order_history(request).await;
        page.unwrap().into_inner().orders.len()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reset_cuts_nothing_off_what_a_competition_shows(pool: PgPool) {
    let (mut world, mut worker) = owners(pool).await;
    paid(&mut world, &mut worker).await;
    world.closes.tell(&[(SAMSUNG, "71300")]);
    let first: NaiveDate = "2026-11-24".parse().unwrap();
    world.close_day(first).await;
    world.world.now += TimeDelta::days(1);
    world.close_day(first + TimeDelta::days(1)).await;
    let shown = async |world: &CompetitionWorld, account_no: &str| {
        let kinds = world.movements_of(account_no).await.into_iter();
        let kinds: Vec<String> = kinds.map(|one| one.kind).collect();
        let days = world.equity_of(account_no).await.days;
        let request = wire::ListProfitsRequest {
            account_no: account_no.to_owned(),
            ..crate::profits::all(ME)
        };
        let profits = world.world.profits(request).await;
        let orders = world.ordered(account_no).await;
        (kinds, days, profits.summary, profits.flows, orders)
    };
    let number = world.mode(ME).await.account_no;
    let before = shown(&world, "").await;
    assert_eq!((before.0.len() > 1, before.1.len(), before.4), (true, 2, 1));
    assert!(before.2.unwrap().income_won > 0);
    assert_eq!(shown(&world, &number).await, before, "by its number");

    world.set_mode(ME, false, 0).await.unwrap();
    world
        .world
        .reset(reset(ME, "reset-me-1", false))
        .await
        .unwrap();
    assert_eq!(shown(&world, &number).await, before, "after a reset");
    world.set_mode(ME, true, 0).await.unwrap();
    assert_eq!(shown(&world, "").await, before, "in the mode");
    world.world.gains_add_up(ME).await;
    let request = wire::ListDividendsRequest {
        member_id: ME,
        ..wire::ListDividendsRequest::default()
    };
    let client = DividendServiceClient::connect(world.world.served.url.clone()).await;
    let dividends = client.unwrap().list_dividends(request).await.unwrap();
    assert_eq!(dividends.into_inner().dividends.len(), 1);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn cash_movements_are_those_of_the_present_mode(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    world.world.moved("00", "01", 1_000).await;
    let mode = world.compete(ME).await;
    let accounts = async || {
        let moved = world.movements_of("").await.into_iter();
        let mut accounts: Vec<String> = moved
            .flat_map(|one| [one.from_account_no, one.to_account_no])
            .filter(|number| !number.is_empty())
            .collect();
        accounts.sort();
        accounts.dedup();
        accounts
    };
    assert_eq!(accounts().await, [mode.account_no.as_str()]);
    let own = world.movements_of("00").await;
    assert!(
        own.iter().any(|one| one.kind == "TRANSFERRED"),
        "by its code"
    );
    world.set_mode(ME, false, 0).await.unwrap();
    let own = accounts().await;
    assert_eq!(own.len(), 2);
    assert!(!own.contains(&mode.account_no));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_curve_of_an_ended_event_ends_with_its_result(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let number = world.mode(ME).await.account_no;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    let result = world.get(ME, id).await.entry.unwrap().equity_won;
    for later in [0, 3] {
        world.world.now += TimeDelta::days(later);
        world.world.clock.set(world.world.now);
        world.world.log(Vec::new()).await;
        let equity = world.equity_of(&number).await;
        let last = equity.days.last().unwrap();
        assert_eq!((last.day, last.equity_won), (DAY, result));
        assert_eq!((equity.to_day, last.base_won), (DAY, CASH));
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn books_add_up_for_one_who_left_on_a_day_of_trades(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let mode = world.compete(ME).await;
    world.closes.tell(&[(SAMSUNG, "71300")]);
    let sunday: NaiveDate = "2026-11-22".parse().unwrap();
    world.world.now += TimeDelta::days(3);
    world.close_day(sunday).await;
    world.world.now += TimeDelta::days(1);
    world.close_day(sunday + TimeDelta::days(1)).await;
    let order = in_competition(buy(ME, SAMSUNG, "", "10"));
    world.world.placed(order).await;
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    let left = world.leave(ME, mode.competition_id, "leave-me").await;
    left.unwrap();
    world.world.now += TimeDelta::days(1);
    world.close_day(sunday + TimeDelta::days(2)).await;
    let days = "select count(*) from equity_day d join competition_entry e using (account_id)";
    assert_eq!(world.world.count(days).await, 1, "none of its last day");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_curve_of_one_who_left_ends_with_what_the_account_had(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let mode = world.compete(ME).await;
    world
        .leave(ME, mode.competition_id, "leave-me")
        .await
        .unwrap();
    let equity = world.equity_of(&mode.account_no).await;
    let last = equity.days.last().unwrap();
    assert_eq!((last.day, last.equity_won), (DAY, CASH));
}
