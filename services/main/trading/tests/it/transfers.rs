//! Transfers: exact refusals, repeats, transfers and orders at the same time, and the history of cash.

use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::seasons::reset;
use crate::world::{SAMSUNG, World, buy, reason};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const OPENED: i64 = 5_000_000;

pub(crate) fn transfer(from: &str, to: &str, amount: i64) -> wire::TransferRequest {
    wire::TransferRequest {
        member_id: ME,
        request_id: String::new(),
        from_account_no: from.to_owned(),
        to_account_no: to.to_owned(),
        amount_won: amount,
    }
}

impl World {
    pub(crate) async fn transfer(
        &self,
        request: wire::TransferRequest,
    ) -> Result<wire::TransferReply, Status> {
        let answer = self.transfers.clone().transfer(request).await;
        answer.map(tonic::Response::into_inner)
    }

    pub(crate) async fn moved(&self, from: &str, to: &str, amount: i64) -> wire::TransferReply {
        self.transfer(transfer(from, to, amount)).await.unwrap()
    }

    async fn refused(&self, from: &str, to: &str, amount: i64) -> (Code, String) {
        let status = self.transfer(transfer(from, to, amount)).await;
        let status = status.unwrap_err();
        (status.code(), reason(&status))
    }

    async fn movements(&self, account: &str, before: i64, size: i32) -> wire::CashMovements {
        let request = wire::ListCashMovementsRequest {
            member_id: ME,
            account_no: account.to_owned(),
            before_id: before,
            size,
            season: 0,
        };
        let answer = self.transfers.clone().list_cash_movements(request).await;
        answer.unwrap().into_inner()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_first_transfer_opens_a_sub_account_and_the_next_finds_it(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.moved("00", "06", 1_000_000).await;
    assert_eq!(first.message, "1,000,000원을 옮겼어요");
    assert_eq!(
        (first.from_deposit_won, first.to_deposit_won),
        (4_000_000, 1_000_000)
    );
    let gold = first.to_account_no.clone();
    assert!(gold.ends_with("06"), "{gold}");
    let second = world.moved("00", "06", 1).await;
    assert_eq!(
        (second.to_account_no.as_str(), second.to_deposit_won),
        (gold.as_str(), 1_000_001)
    );
    let back = world.moved(&gold, "00", 1_000_001).await;
    assert_eq!((back.from_deposit_won, back.to_deposit_won), (0, OPENED));

    let accounts = world.summary(ME).await.accounts;
    let shown: Vec<_> = accounts
        .iter()
        .map(|one| {
            (
                one.account_name.as_str(),
                one.deposit_won,
                one.base_won,
                one.total_won,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("기본 계좌", OPENED, OPENED, OPENED),
            ("원자재 계좌", 0, 0, 0)
        ]
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn every_rule_has_a_reason_and_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let stock = world.moved("00", "01", 100).await.to_account_no;
    world.placed(buy(ME, SAMSUNG, "71300", "60")).await;
    let held = world.basic(ME).await.held_won;
    assert!(held > 4_000_000, "{held}");
    let short = world
        .transfer(transfer("00", "01", 900_000))
        .await
        .unwrap_err();
    let problem = bootstrap::problem::of(&short).unwrap();
    assert_eq!(problem.reason, "INSUFFICIENT_CASH");
    assert_eq!(problem.facts["need"], "900000");
    assert_eq!(problem.facts["have"], (OPENED - 100 - held).to_string());

    let same = (Code::FailedPrecondition, "TRANSFER_SAME_ACCOUNT".to_owned());
    assert_eq!(world.refused("00", "00", 1).await, same);
    assert_eq!(world.refused(&stock, "01", 1).await, same);
    let kind = (Code::FailedPrecondition, "TRANSFER_NOT_ALLOWED".to_owned());
    assert_eq!(world.refused("00", "99", 1).await, kind);
    assert_eq!(world.refused("99", "00", 1).await, kind);
    let forbidden = (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned());
    let theirs = world.basic(OTHER).await.account_no;
    assert_eq!(world.refused("00", &theirs, 1).await, forbidden);
    assert_eq!(world.refused(&theirs, "00", 1).await, forbidden);
    assert_eq!(world.refused("00", "999999999901", 1).await, forbidden);
    for (from, to, amount) in [
        ("00", "01", 0),
        ("00", "01", -1),
        ("", "01", 1),
        ("00", "", 1),
        ("00", "03", 1),
    ] {
        let malformed = (Code::InvalidArgument, "MALFORMED".to_owned());
        assert_eq!(
            world.refused(from, to, amount).await,
            malformed,
            "{from} {to} {amount}"
        );
    }
    assert_eq!(world.count("select count(*) from transfer").await, 1);
    assert_eq!(world.basic(ME).await.deposit_won, OPENED - 100);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_repeated_transfer_moves_nothing_and_another_body_is_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let request = wire::TransferRequest {
        request_id: "transfer-0001".to_owned(),
        ..transfer("00", "01", 1_000)
    };
    let copies = join_all((0..8).map(|_| world.transfer(request.clone()))).await;
    let mut replies: Vec<_> = copies.into_iter().map(Result::unwrap).collect();
    replies.push(world.transfer(request.clone()).await.unwrap());
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    assert!(
        replies
            .iter()
            .all(|reply| reply.transfer_id == replies[0].transfer_id)
    );
    assert_eq!(world.basic(ME).await.deposit_won, OPENED - 1_000);
    let other = wire::TransferRequest {
        amount_won: 2_000,
        ..request.clone()
    };
    let reused = world.transfer(other).await.unwrap_err();
    assert_eq!(
        (reused.code(), reason(&reused)),
        (Code::AlreadyExists, "REQ_SID_REUSED".to_owned())
    );
    let order = wire::PlaceOrderRequest {
        request_id: request.request_id,
        ..buy(ME, SAMSUNG, "", "1")
    };
    assert_eq!(world.rejected(order).await.1, "REQ_SID_REUSED");

    let refused = wire::TransferRequest {
        request_id: "transfer-0002".to_owned(),
        ..transfer("00", "01", OPENED)
    };
    world.transfer(refused.clone()).await.unwrap_err();
    let stock = replies[0].to_account_no.clone();
    world.moved(&stock, "00", 1_000).await;
    let again = bootstrap::problem::of(&world.transfer(refused).await.unwrap_err()).unwrap();
    assert_eq!(
        (again.reason.as_str(), again.replayed),
        ("INSUFFICIENT_CASH", true)
    );
    world.audit().await;
}

/// Another process stores the reply after this one has locked the accounts and found none.
#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reply_that_is_stored_after_the_lookup_is_the_reply(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let request = |id: &str| wire::TransferRequest {
        request_id: id.to_owned(),
        ..transfer("00", "01", 1_000)
    };
    let first = world.transfer(request("transfer-0001")).await.unwrap();
    let mut blocking = pool.begin().await.unwrap();
    sqlx::query("lock table transfer in access exclusive mode")
        .execute(&mut *blocking)
        .await
        .unwrap();
    let store = async {
        let waits = "select count(*) from pg_stat_activity \
                     where datname = current_database() and wait_event_type = 'Lock'";
        testkit::eventually(testkit::PATIENCE, async || world.count(waits).await == 1).await;
        let copy = "insert into request (member_id, request_id, kind, body_hash, answer, created_at) \
                    select member_id, 'transfer-0002', kind, body_hash, answer, created_at \
                    from request where request_id = 'transfer-0001'";
        sqlx::query(copy).execute(&pool).await.unwrap();
        blocking.commit().await.unwrap();
    };
    let (second, ()) = tokio::join!(world.transfer(request("transfer-0002")), store);
    let second = second.unwrap();
    assert!(second.replayed);
    assert_eq!(second.transfer_id, first.transfer_id);
    assert_eq!(world.count("select count(*) from transfer").await, 1);
    assert_eq!(world.basic(ME).await.deposit_won, OPENED - 1_000);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_two_transfers_of_everything_one_wins(pool: PgPool) {
    let world = World::new(pool).await;
    let targets = ["01", "02", "05", "06"];
    let all = join_all(targets.map(|to| world.transfer(transfer("00", to, OPENED)))).await;
    assert_eq!(all.iter().filter(|one| one.is_ok()).count(), 1, "{all:?}");
    for refused in all.iter().filter_map(|one| one.as_ref().err()) {
        assert_eq!(reason(refused), "INSUFFICIENT_CASH");
    }
    assert_eq!(world.basic(ME).await.deposit_won, 0);
    // One that is refused opens nothing.
    assert_eq!(
        world
            .count("select count(*) from account where member_id = 100001")
            .await,
        2
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_and_a_transfer_at_once_never_overdraw(pool: PgPool) {
    let world = World::new(pool).await;
    let amount = 3_000_000;
    for round in 0..10 {
        let ordering = world.place(buy(ME, SAMSUNG, "71300", "50"));
        let moving = world.transfer(transfer("00", "01", amount));
        let (ordered, moved) = tokio::join!(ordering, moving);
        assert!(
            ordered.is_ok() != moved.is_ok(),
            "{round}: {ordered:?} {moved:?}"
        );
        if let Ok(reply) = &ordered {
            world
                .cancel(reply.order.as_ref().unwrap(), ME)
                .await
                .unwrap();
        }
        if let Ok(reply) = &moved {
            world.moved(&reply.to_account_no, "00", amount).await;
        }
    }
    assert_eq!(world.basic(ME).await.available_won, OPENED);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_has_a_hundred_transfers(pool: PgPool) {
    let world = World::new(pool).await;
    for _ in 0..100 {
        world.moved("00", "01", 1).await;
    }
    let limit = (Code::FailedPrecondition, "TRANSFER_LIMIT".to_owned());
    assert_eq!(world.refused("00", "01", 1).await, limit);
    world.clock.advance(TimeDelta::hours(24));
    world.moved("00", "01", 1).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn accounts_that_end_with_a_season_are_no_transfers_of_the_day(pool: PgPool) {
    let world = World::new(pool).await;
    for _ in 0..99 {
        world.moved("00", "01", 1).await;
    }
    world.reset(reset(ME, "reset-no-1", false)).await.unwrap();
    world.moved("00", "01", 1).await;
    let limit = (Code::FailedPrecondition, "TRANSFER_LIMIT".to_owned());
    assert_eq!(world.refused("00", "01", 1).await, limit);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_history_shows_both_sides_once_and_pages_to_the_first_won(pool: PgPool) {
    let world = World::new(pool).await;
    let stock = world.moved("00", "01", 1_000).await.to_account_no;
    world.moved("00", "02", 2_000).await;
    let request = wire::TransferRequest {
        request_id: "transfer-0001".to_owned(),
        ..transfer(&stock, "00", 300)
    };
    world.transfer(request).await.unwrap();
    let mut before = 0;
    let mut all = Vec::new();
    loop {
        let page = world.movements("", before, 2).await;
        all.extend(page.movements);
        before = page.next_before_id;
        if before == 0 {
            break;
        }
    }
    let kinds: Vec<_> = all
        .iter()
        .map(|one| (one.kind.as_str(), one.amount_won))
        .collect();
    assert_eq!(
        kinds,
        [
            ("TRANSFERRED", 300),
            ("TRANSFERRED", 2_000),
            ("TRANSFERRED", 1_000),
            ("ACCOUNT_OPENED", OPENED)
        ]
    );
    let newest = &all[0];
    assert_eq!(
        (
            newest.from_account_name.as_str(),
            newest.to_account_name.as_str()
        ),
        ("주식 계좌", "기본 계좌")
    );
    assert_eq!(
        (newest.from_deposit_won, newest.to_deposit_won),
        (Some(700), Some(OPENED - 2_700))
    );
    assert_eq!(newest.request_id, "transfer-0001");
    assert_eq!(
        (
            all[3].from_account_no.as_str(),
            all[3].to_account_name.as_str()
        ),
        ("", "기본 계좌")
    );
    let of_stock = world.movements(&stock, 0, 0).await.movements;
    let amounts: Vec<i64> = of_stock.iter().map(|one| one.amount_won).collect();
    assert_eq!(amounts, [300, 1_000]);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_sheet_shows_what_can_be_moved_and_where(pool: PgPool) {
    let world = World::new(pool).await;
    world.moved("00", "02", 500).await;
    world.placed(buy(ME, SAMSUNG, "71300", "10")).await;
    let sheet = |account: &str| wire::GetTransferSheetRequest {
        member_id: ME,
        account_no: account.to_owned(),
    };
    let found = world
        .transfers
        .clone()
        .get_transfer_sheet(sheet("00"))
        .await;
    let found = found.unwrap().into_inner();
    let source = found.source.unwrap();
    assert_eq!(
        (source.deposit_won, source.held_won),
        (OPENED - 500, 713_107)
    );
    assert_eq!(source.transferable_won, OPENED - 500 - 713_107);
    let targets: Vec<_> = found
        .targets
        .iter()
        .map(|one| {
            (
                one.account_no.len(),
                one.account_name.as_str(),
                one.deposit_won,
                one.is_open,
            )
        })
        .collect();
    assert_eq!(
        targets,
        [
            (2, "주식 계좌", 0, false),
            (12, "코인 계좌", 500, true),
            (2, "CMA", 0, false),
            (2, "원자재 계좌", 0, false)
        ]
    );
    let competition = world
        .transfers
        .clone()
        .get_transfer_sheet(sheet("99"))
        .await;
    assert_eq!(reason(&competition.unwrap_err()), "TRANSFER_NOT_ALLOWED");
}
