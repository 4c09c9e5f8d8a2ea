//! Resets: what ends, what stays readable, how often, and that nothing is lost or doubled.

pub(crate) mod books;
mod dividends;
mod races;
mod repeats;

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use proto::trading::v1::season_service_client::SeasonServiceClient;
use proto::trading::v1::{OrderCategory, OrderHistoryKind, OrderStatus};
use sqlx::{Executor, PgPool};
use tonic::{Code, Status};

use crate::cash::grant;
use crate::contracts::bank::{BankWorld, deposit};
use crate::profits::all;
use crate::world::{APPLE, SAMSUNG, World, buy, number, reason, sell};
use crate::{items, points};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const OPENED: i64 = 5_000_000;
const TICKET: i64 = 5;

pub(crate) fn reset(member: i64, key: &str, use_ticket: bool) -> wire::ResetRequest {
    wire::ResetRequest {
        member_id: member,
        request_id: key.to_owned(),
        use_ticket,
        season: 0,
    }
}

impl World {
    pub(crate) async fn reset(
        &self,
        request: wire::ResetRequest,
    ) -> Result<wire::ResetReply, Status> {
        let client = SeasonServiceClient::connect(self.served.url.clone()).await;
        let reply = client.unwrap().reset(request).await;
        reply.map(tonic::Response::into_inner)
    }

    pub(crate) async fn seasons(&self, member: i64) -> wire::Seasons {
        let request = wire::ListSeasonsRequest { member_id: member };
        let client = SeasonServiceClient::connect(self.served.url.clone()).await;
        let listed = client.unwrap().list_seasons(request).await;
        listed.unwrap().into_inner()
    }

    async fn history(&self, member: i64, season: i32) -> Result<Vec<wire::Order>, Status> {
        let request = wire::ListOrderHistoryRequest {
            member_id: member,
            category: OrderCategory::Stock.into(),
            kind: OrderHistoryKind::All.into(),
            season,
            ..wire::ListOrderHistoryRequest::default()
        };
        let page = self.orders.clone().list_order_history(request).await;
        page.map(|page| page.into_inner().orders)
    }

    async fn movements_in(&self, member: i64, season: i32) -> Result<Vec<String>, Status> {
        let request = wire::ListCashMovementsRequest {
            member_id: member,
            season,
            ..wire::ListCashMovementsRequest::default()
        };
        let page = self.transfers.clone().list_cash_movements(request).await;
        let movements = page?.into_inner().movements;
        Ok(movements.into_iter().map(|one| one.kind).collect())
    }
}

fn in_season(season: i32) -> wire::ListProfitsRequest {
    wire::ListProfitsRequest { season, ..all(ME) }
}

/// Holdings in two accounts and two currencies, an order each way, a contract, points and an item.
pub(crate) async fn busy(bank: &mut BankWorld) {
    let world = &mut bank.world;
    points::earn(world, ME, "quiz-1", 100).await;
    points::transfer(world, 40, "points-1").await.unwrap();
    grant(world, ME, 10, None).await.unwrap();
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.placed(buy(ME, APPLE, "", "2")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    let stock = world.moved("00", "01", 1_000_000).await.to_account_no;
    let of_stock = wire::PlaceOrderRequest {
        account: Some(wire::AccountRef { account_no: stock }),
        ..buy(ME, SAMSUNG, "", "3")
    };
    world.placed(of_stock.clone()).await;
    world.placed(sell(ME, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    items::buy(world, 10, 1, "frame-no-1").await.unwrap();
    bank.opened(deposit(ME, 700_000, 6)).await;
    let world = &mut bank.world;
    world.placed(buy(ME, SAMSUNG, "60000", "2")).await;
    world.placed(sell(ME, SAMSUNG, "80000", "1")).await;
    let waiting = wire::PlaceOrderRequest {
        price: buy(ME, SAMSUNG, "60000", "1").price,
        ..of_stock
    };
    world.placed(waiting).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn everything_ends_and_the_season_stays_readable(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    busy(&mut bank).await;
    let before = bank.world.summary(ME).await;
    let gains = bank.world.profits(all(ME)).await;
    let orders = bank.world.history(ME, 0).await.unwrap();
    let number_of_basic = before.accounts[0].account_no.clone();
    assert_eq!(
        orders
            .iter()
            .filter(|one| one.status() == OrderStatus::Accepted)
            .count(),
        3
    );

    let reply = bank
        .world
        .reset(reset(ME, "reset-me-1", false))
        .await
        .unwrap();
    assert_eq!((reply.season, reply.deposit_won), (2, OPENED));
    let told = "select count(*) from outbox where event_type = 'trading.holding.ended.v1'";
    let ended = "select count(*) from ended_holding";
    assert_eq!(bank.world.count(told).await, 3);
    assert_eq!(bank.world.count(ended).await, 3);
    assert_eq!(reply.message, "2번째 시즌을 시작했어요");
    assert!(!reply.used_ticket && !reply.replayed);
    let world = &bank.world;
    let now = world.summary(ME).await;
    assert_eq!(now.accounts.len(), 1);
    assert_eq!(now.accounts[0].account_no, number_of_basic);
    assert_eq!((now.total_won, now.base_won), (OPENED, OPENED));
    assert_eq!(now.accounts[0].held_won, 0);
    assert!(world.waiting(ME).await.is_empty() && world.holdings(ME).await.is_empty());
    assert!(bank.list(ME).await.is_empty());
    let fresh = world.gains_add_up(ME).await;
    assert_eq!(fresh, wire::ProfitSummary::default());

    // What was before, as it was: only the waiting orders have ended.
    let seasons = world.seasons(ME).await;
    assert_eq!((seasons.present_season, seasons.past.len()), (2, 1));
    let past = &seasons.past[0];
    // The contract gives up what it has earned so far, which is nothing yet.
    assert_eq!(
        (past.total_won, past.base_won),
        (before.total_won, before.base_won)
    );
    assert_eq!(number(&past.profit_rate), number(&before.profit_rate));
    let then = world.profits(in_season(1)).await;
    assert_eq!(then.summary, gains.summary);
    assert_eq!(then.season, 1);
    assert_eq!(
        then.summary.unwrap().total_won,
        past.total_won - past.base_won
    );
    let of_item = |listed: &wire::Profits| -> Vec<(String, i64)> {
        let rows = listed.rows.iter();
        rows.map(|row| (row.code.clone(), row.profit_won)).collect()
    };
    assert_eq!(of_item(&then), of_item(&gains));
    assert!(world.history(ME, 0).await.unwrap().is_empty());
    let archived = world.history(ME, 1).await.unwrap();
    assert_eq!(archived.len(), orders.len());
    for order in archived.iter().filter(|one| one.end_reason == "RESET") {
        assert_eq!(order.status(), OrderStatus::Canceled);
    }
    assert_eq!(
        archived
            .iter()
            .filter(|one| one.end_reason == "RESET")
            .count(),
        3
    );
    let filled = archived
        .iter()
        .find(|one| one.status() == OrderStatus::Filled);
    let receipt = world.detail(ME, filled.unwrap().order_id).await;
    assert_eq!(receipt.fills.len(), 1);
    assert_eq!(world.movements_in(ME, 2).await.unwrap(), ["SEASON_OPENED"]);
    let moved = world.movements_in(ME, 1).await.unwrap();
    assert_eq!(moved[..2], ["SEASON_CLOSED", "TRANSFERRED"]);
    assert!(moved.contains(&"CONTRACT_CLOSED".to_owned()), "{moved:?}");

    // Points, cash and items stay.
    let kept = "select (select amount from balance where account_id = 1 and asset = 'EP') * 100 \
                + (select amount from balance where account_id = 1 and asset = 'CASH')";
    assert_eq!(world.count(kept).await, 6_010);
    assert_eq!(
        world
            .count("select count(*) from member_item where item_id = 10")
            .await,
        1
    );
    world.audit().await;

    // And the new season goes on by itself.
    let world = &mut bank.world;
    world.placed(buy(ME, SAMSUNG, "", "5")).await;
    world.trade(SAMSUNG, "71000", 1_000).await;
    let sums = world.gains_add_up(ME).await;
    assert_eq!(sums.realized_won, 0);
    assert_eq!(world.profits(in_season(1)).await.summary, gains.summary);
    let opened = world.moved("00", "01", 1_000).await;
    assert_eq!(opened.to_deposit_won, 1_000);
    world.gains_add_up(ME).await;
    bank.opened(deposit(ME, 100_000, 1)).await;
    bank.pass(32).await;
    bank.world.gains_add_up(ME).await;
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reset_is_free_once_a_week_and_a_ticket_is_for_one_more(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    let again = crate::world::morning() + TimeDelta::days(7);
    assert_eq!(first.next_free_at_us, again.timestamp_micros());
    let soon = world
        .reset(reset(ME, "reset-me-2", false))
        .await
        .unwrap_err();
    assert_eq!(soon.code(), Code::FailedPrecondition);
    let problem = bootstrap::problem::of(&soon).unwrap();
    assert_eq!(problem.reason, "RESET_TOO_SOON");
    assert_eq!(problem.facts["nextAt"], "2026-11-27T10:00:00+09:00");
    assert_eq!(
        soon.message(),
        "초기화는 7일에 한 번 할 수 있어요. 2026-11-27 10:00부터 다시 할 수 있어요."
    );
    let without = world
        .reset(reset(ME, "reset-me-3", true))
        .await
        .unwrap_err();
    assert_eq!(reason(&without), "NO_SEASON_TICKET");
    assert_eq!(world.seasons(ME).await.present_season, 2);

    grant(&world, ME, 10, None).await.unwrap();
    items::buy(&world, TICKET, 2, "tickets-1").await.unwrap();
    assert_eq!(world.seasons(ME).await.tickets, 2);
    let by_ticket = world.reset(reset(ME, "reset-me-3", true)).await.unwrap();
    assert!(by_ticket.used_ticket);
    assert_eq!(
        (by_ticket.season, by_ticket.next_free_at_us),
        (3, again.timestamp_micros())
    );
    assert_eq!(world.seasons(ME).await.tickets, 1);
    world.clock.advance(TimeDelta::days(7));
    // What is free takes no ticket, and the refusal before has passed with time.
    let free = world.reset(reset(ME, "reset-me-2", false)).await.unwrap();
    assert_eq!((free.season, free.used_ticket), (4, false));
    let listed = world.seasons(ME).await;
    assert_eq!((listed.tickets, listed.past.len()), (1, 3));
    world.audit().await;
}

/// The release before names the first season in every journal.
#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn numbers_tell_the_season_of_what_the_release_before_posts(pool: PgPool) {
    let world = World::new(pool).await;
    world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    world.moved("00", "01", 1_000).await;
    let as_before = "begin; set local session_replication_role = replica; \
         update journal set season = 1; commit";
    world.pool.execute(as_before).await.unwrap();

    let opened = "select season::bigint from account where code = '01'";
    assert_eq!(world.count(opened).await, 2);
    let transfers = async |season: i32| {
        let kinds = world.movements_in(ME, season).await.unwrap().into_iter();
        kinds.filter(|kind| kind == "TRANSFERRED").count()
    };
    assert_eq!((transfers(1).await, transfers(2).await), (0, 1));
    let flows = world.profits(in_season(2)).await.flows.unwrap();
    assert_eq!(flows.initial_won, OPENED);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_season_that_never_was_is_not_found(pool: PgPool) {
    let world = World::new(pool).await;
    world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    for season in [3, i32::MAX] {
        let of_profits = world.listed_profits(in_season(season)).await.unwrap_err();
        let of_orders = world.history(ME, season).await.unwrap_err();
        let of_cash = world.movements_in(ME, season).await.unwrap_err();
        for refused in [of_profits, of_orders, of_cash] {
            assert_eq!(
                (refused.code(), reason(&refused).as_str()),
                (Code::NotFound, "SEASON_NOT_FOUND")
            );
        }
    }
    assert_eq!(
        world.history(ME, -1).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    // Nobody else has a second one.
    let other = wire::ListProfitsRequest {
        season: 2,
        ..all(OTHER)
    };
    assert_eq!(
        reason(&world.listed_profits(other).await.unwrap_err()),
        "SEASON_NOT_FOUND"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_item_paid_back_in_a_later_season_is_no_profit_of_it(pool: PgPool) {
    let world = World::new(pool).await;
    let bought = items::buy(&world, 4, 1, "freeze-1").await.unwrap();
    world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    let refused = items::freezes(2, 1, bought.purchase_id, true);
    let noted = world.store.note_freezes(uuid::Uuid::new_v4(), &refused);
    noted.await.unwrap();
    let now = world.summary(ME).await;
    assert_eq!(
        (now.total_won, now.base_won),
        (OPENED + 50_000, OPENED + 50_000)
    );
    let past = world.seasons(ME).await.past.remove(0);
    assert_eq!(
        (past.total_won, past.base_won),
        (OPENED - 50_000, OPENED - 50_000)
    );
    let sums = world.gains_add_up(ME).await;
    assert_eq!(sums.total_won, 0, "what is paid back is no profit");
    world.audit().await;
}
