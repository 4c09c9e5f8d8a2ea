//! Competitions: the mode and what it changes, entries, the rules of orders, boards and the end.

mod activity;
mod boards;
pub(crate) mod books;
pub(crate) mod cancel;
mod counts;
pub(crate) mod dividends;
mod endings;
mod entries;
mod first_orders;
mod forgetting;
mod holdings;
mod late_endings;
mod lists;
mod prizes;
mod rules;
mod slices;
mod standings;
mod starts;
mod turns;

use bootstrap::redis::Redis;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use sqlx::PgPool;
use tonic::transport::Channel;
use tonic::{Code, Status};
use trading::competitions::{CompetitionWorker, LiveBoards};
use trading::equity::EquityWorker;

use crate::equity::closes::Closes;
use crate::modify::modify;
use crate::seasons::reset;
use crate::transfers::transfer;
use crate::world::{APPLE, BITCOIN, SAMSUNG, World, buy, number, reason};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const CASH: i64 = 10_000_000;

/// A market with the events of a new installation.
struct CompetitionWorld {
    world: World,
    closes: Closes,
    worker: CompetitionWorker,
    equity: EquityWorker,
    client: CompetitionServiceClient<Channel>,
}

impl CompetitionWorld {
    async fn new(pool: PgPool) -> Self {
        Self::with(pool, LiveBoards::new(Redis::absent())).await
    }

    async fn with(pool: PgPool, boards: LiveBoards) -> Self {
        let mut world = World::new(pool).await;
        let closes = Closes::new().await;
        let mut worker = closes.competitions(&world, boards);
        let equity = closes.worker(&world);
        let client = CompetitionServiceClient::connect(world.served.url.clone()).await;
        world.log(Vec::new()).await;
        worker.step().await.unwrap();
        Self {
            world,
            closes,
            worker,
            equity,
            client: client.unwrap(),
        }
    }

    async fn list(&self, member: i64) -> Vec<wire::Competition> {
        let request = wire::ListCompetitionsRequest {
            member_id: member,
            ..wire::ListCompetitionsRequest::default()
        };
        let listed = self.client.clone().list_competitions(request).await;
        listed.unwrap().into_inner().competitions
    }

    /// The official event that runs.
    async fn running(&self) -> wire::Competition {
        let listed = self.list(ME).await.into_iter();
        let mut official = listed.filter(|one| one.kind() == wire::CompetitionKind::Official);
        official.next().unwrap()
    }

    async fn get(&self, member: i64, id: i64) -> wire::Competition {
        let request = wire::GetCompetitionRequest {
            member_id: member,
            competition_id: id,
            invite_code: String::new(),
        };
        let found = self.client.clone().get_competition(request).await;
        found.unwrap().into_inner()
    }

    async fn join(
        &self,
        member: i64,
        id: i64,
        key: &str,
    ) -> Result<wire::JoinCompetitionReply, Status> {
        let request = wire::JoinCompetitionRequest {
            member_id: member,
            request_id: key.to_owned(),
            competition_id: id,
            invite_code: String::new(),
        };
        let reply = self.client.clone().join_competition(request).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn leave(
        &self,
        member: i64,
        id: i64,
        key: &str,
    ) -> Result<wire::LeaveCompetitionReply, Status> {
        let request = wire::LeaveCompetitionRequest {
            member_id: member,
            request_id: key.to_owned(),
            competition_id: id,
        };
        let reply = self.client.clone().leave_competition(request).await;
        reply.map(tonic::Response::into_inner)
    }

    async fn set_mode(
        &self,
        member: i64,
        is_on: bool,
        id: i64,
    ) -> Result<wire::CompetitionMode, Status> {
        let request = wire::SetCompetitionModeRequest {
            member_id: member,
            is_on,
            competition_id: id,
        };
        let mode = self.client.clone().set_competition_mode(request).await;
        mode.map(tonic::Response::into_inner)
    }

    async fn mode(&self, member: i64) -> wire::CompetitionMode {
        let request = wire::GetCompetitionModeRequest { member_id: member };
        let mode = self.client.clone().get_competition_mode(request).await;
        mode.unwrap().into_inner()
    }

    /// The member joins the running event and turns the mode on.
    async fn compete(&self, member: i64) -> wire::CompetitionMode {
        let running = self.running().await.competition_id;
        self.join(member, running, &format!("join-{member}-{running}"))
            .await
            .unwrap();
        self.set_mode(member, true, running).await.unwrap()
    }
}

/// An order for the current competition.
pub(crate) fn in_competition(request: wire::PlaceOrderRequest) -> wire::PlaceOrderRequest {
    of_account(request, "99")
}

fn of_account(request: wire::PlaceOrderRequest, number: &str) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        account: Some(wire::AccountRef {
            account_no: number.to_owned(),
        }),
        ..request
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_new_installation_has_two_official_events_and_a_practice_league(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let listed = world.list(ME).await;
    let statuses: Vec<_> = listed.iter().map(wire::Competition::status).collect();
    assert_eq!(
        statuses,
        [
            wire::CompetitionStatus::Ongoing,
            wire::CompetitionStatus::Scheduled
        ]
    );
    assert!(listed.iter().all(|one| one.can_join && one.entrants == 0));
    // Again, and by a process of its own.
    world.worker.step().await.unwrap();
    let boards = LiveBoards::new(Redis::absent());
    let mut second = world.closes.competitions(&world.world, boards);
    second.step().await.unwrap();
    assert_eq!(
        world.world.count("select count(*) from competition").await,
        3
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_mode_opens_an_account_of_the_practice_league(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    assert_eq!(world.mode(ME).await, wire::CompetitionMode::default());
    let on = world.set_mode(ME, true, 0).await.unwrap();
    assert!(on.is_on);
    assert_eq!(on.title, "11월 연습 리그");
    assert!(on.account_no.ends_with("99"));
    assert_eq!(world.set_mode(ME, true, 0).await.unwrap(), on);
    assert_eq!(world.mode(ME).await, on);

    let summary = world.world.summary(ME).await;
    assert_eq!((summary.total_won, summary.base_won), (CASH, CASH));
    assert_eq!(summary.accounts.len(), 1);
    assert_eq!(summary.accounts[0].account_no, on.account_no);
    assert_eq!(summary.accounts[0].account_name, "11월 연습 리그");
    // The level is that of the member's own money.
    assert_eq!(summary.level, 1);
    world.set_mode(ME, false, 0).await.unwrap();
    let summary = world.world.summary(ME).await;
    assert_eq!(summary.total_won, 5_000_000);
    assert_eq!(summary.accounts.len(), 1);
    assert_eq!(summary.accounts[0].account_code, "00");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn in_the_mode_orders_and_lists_are_those_of_the_competition(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let early = in_competition(buy(ME, SAMSUNG, "70000", "1"));
    let forbidden = (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned());
    assert_eq!(world.world.rejected(early).await, forbidden);
    let basic = world.world.placed(buy(ME, SAMSUNG, "70000", "1")).await;

    let mode = world.compete(ME).await;
    assert_eq!(
        world.world.rejected(buy(ME, SAMSUNG, "70000", "1")).await,
        forbidden
    );
    let coin = in_competition(buy(ME, BITCOIN, "149000000", "0.1"));
    assert_eq!(
        world.world.rejected(coin).await.1,
        "COMPETITION_ONLY_STOCK_ETF"
    );
    let placed = in_competition(buy(ME, SAMSUNG, "", "10"));
    let placed = world.world.placed(placed).await;
    assert_eq!(placed.account_no, mode.account_no);
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    assert!(world.world.waiting(ME).await.is_empty());
    assert_eq!(
        number(&world.world.holdings(ME).await[0].quantity),
        10.into()
    );
    // What waits outside can be canceled in the mode.
    world.world.cancel(&basic, ME).await.unwrap();

    world.set_mode(ME, false, 0).await.unwrap();
    assert!(world.world.holdings(ME).await.is_empty());
    let named = of_account(buy(ME, SAMSUNG, "70000", "1"), &mode.account_no);
    assert_eq!(world.world.rejected(named).await, forbidden);
    let request = wire::ListHoldingsRequest {
        member_id: ME,
        account_no: mode.account_no,
        ..wire::ListHoldingsRequest::default()
    };
    let held = world.world.client.clone().list_holdings(request).await;
    assert_eq!(
        held.unwrap().into_inner().holdings.len(),
        1,
        "read by its number"
    );
    world.world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn in_the_mode_ones_own_money_does_not_move(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    let refused = world.world.transfer(transfer("00", "01", 1_000)).await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_LOCKED");
    let refused = world.world.reset(reset(ME, "reset-in-mode", false)).await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_LOCKED");
    // The same request goes through afterwards.
    world.set_mode(ME, false, 0).await.unwrap();
    world
        .world
        .transfer(transfer("00", "01", 1_000))
        .await
        .unwrap();
    world
        .world
        .reset(reset(ME, "reset-in-mode", false))
        .await
        .unwrap();
    // The account of the competition outlives the season.
    let mode = world.set_mode(ME, true, 0).await.unwrap();
    assert_eq!(mode.title, world.running().await.title);
    assert_eq!(world.world.summary(ME).await.total_won, CASH);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_current_event_is_the_chosen_one_or_the_one_joined_last(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let practice = world.set_mode(ME, true, 0).await.unwrap();
    let running = world.running().await.competition_id;
    let refused = world.set_mode(ME, true, running).await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_NOT_JOINED");
    world.join(ME, running, "join-running").await.unwrap();
    // Official events go before the practice league.
    assert_eq!(world.mode(ME).await.competition_id, running);
    let chosen = world
        .set_mode(ME, true, practice.competition_id)
        .await
        .unwrap();
    assert_eq!(chosen, practice);

    let to_come = world.list(ME).await;
    let to_come = to_come
        .iter()
        .find(|one| one.status() == wire::CompetitionStatus::Scheduled);
    let to_come = to_come.unwrap().competition_id;
    world.join(ME, to_come, "join-to-come").await.unwrap();
    let refused = world.set_mode(ME, true, to_come).await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_NOT_ONGOING");
    assert_eq!(world.mode(ME).await, practice, "nothing has changed");

    // The next month has a practice league of its own, joined when it is needed.
    world.world.now += chrono::TimeDelta::days(40);
    world.world.log(Vec::new()).await;
    let next = world.mode(ME).await;
    assert_eq!(next.title, "12월 연습 리그");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_and_a_change_of_the_mode_at_once_keep_accounts_apart(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    world.set_mode(ME, false, 0).await.unwrap();
    for _round in 0..10 {
        let ordered = world.world.place(buy(ME, APPLE, "100", "1"));
        let (ordered, on) = tokio::join!(ordered, world.set_mode(ME, true, 0));
        if let Ok(placed) = ordered {
            assert!(placed.order.unwrap().account_no.ends_with("00"));
        }
        if on.is_ok() {
            let refused = world
                .world
                .place(buy(ME, APPLE, "100", "1"))
                .await
                .unwrap_err();
            assert_eq!(reason(&refused), "ACCOUNT_FORBIDDEN");
        }
        world.set_mode(ME, false, 0).await.unwrap();
    }
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn in_the_mode_ones_own_orders_are_canceled_but_not_modified(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let own = world.world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    let mode = world.compete(ME).await;
    let refused = modify(&world.world, &own, "69000", "5", "modify-own")
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "ACCOUNT_FORBIDDEN");
    let competing = world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "70000", "1")))
        .await;
    assert_eq!(competing.account_no, mode.account_no);
    modify(&world.world, &competing, "69000", "2", "modify-99")
        .await
        .unwrap();
    world.world.cancel(&own, ME).await.unwrap();
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_is_modified_only_where_a_new_one_could_be_placed(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let practice = world.set_mode(ME, true, 0).await.unwrap();
    let order = in_competition(buy(ME, SAMSUNG, "70000", "1"));
    let order = world.world.placed(order).await;
    let refused = async |world: &CompetitionWorld, key: &str| {
        let modified = modify(&world.world, &order, "69000", "2", key).await;
        let refused = modified.unwrap_err();
        (refused.code(), reason(&refused))
    };
    let forbidden = (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned());
    world.set_mode(ME, false, 0).await.unwrap();
    assert_eq!(refused(&world, "modify-off").await, forbidden);
    // In the mode again, but in another event.
    let official = world.compete(ME).await;
    assert_ne!(official, practice);
    assert_eq!(refused(&world, "modify-other").await, forbidden);
    let now = world.world.detail(ME, order.order_id).await.order.unwrap();
    let terms = |order: &wire::Order| (order.status, order.price.clone(), order.quantity.clone());
    assert_eq!(terms(&now), terms(&order), "nothing has changed");

    // The event is over, and the matcher has not ended what waits.
    let id = practice.competition_id;
    world.set_mode(ME, true, id).await.unwrap();
    let end = "update competition set ends_at = $2, join_until = $2 where id = $1";
    let before = world.world.now - chrono::TimeDelta::seconds(1);
    let end = sqlx::query(end).bind(id).bind(before);
    end.execute(&world.world.pool).await.unwrap();
    assert_eq!(
        refused(&world, "modify-over").await.1,
        "COMPETITION_NOT_ONGOING"
    );
    world.world.cancel(&order, ME).await.unwrap();
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_of_a_competition_is_decided_after_a_change_of_the_mode_that_came_first(
    pool: PgPool,
) {
    let world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    // The mode is turned off and not committed yet: whoever reads it without the lock finds it on.
    let mut change = world.world.pool.begin().await.unwrap();
    let off = "update account set competition_mode = false where member_id = $1 and code = '00'";
    let off = sqlx::query(off).bind(ME);
    off.execute(&mut *change).await.unwrap();
    let commit = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        change.commit().await.unwrap();
    };
    let order = in_competition(buy(ME, SAMSUNG, "60000", "1"));
    let (refused, ()) = tokio::join!(world.world.place(order), commit);
    assert_eq!(reason(&refused.unwrap_err()), "ACCOUNT_FORBIDDEN");
    world.world.audit().await;
}
