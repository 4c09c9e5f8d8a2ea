//! Resets beside everything else that happens to a member in the same instant.

use futures_util::future::{join, join_all};
use proto::trading::v1 as wire;
use sqlx::PgPool;

use super::{ME, OPENED, OTHER, reset};
use crate::contracts::bank::{BankWorld, deposit};
use crate::transfers::transfer;
use crate::world::{SAMSUNG, World, buy, reason, sell};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_many_resets_at_once_one_is_made(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let same = (0..8).map(|_| world.reset(reset(ME, "the-same-key", false)));
    for reply in join_all(same).await {
        assert_eq!(reply.unwrap().season, 2);
    }
    world.basic(OTHER).await;
    let keys: Vec<String> = (0..8).map(|one| format!("another-key-{one}")).collect();
    let others = keys.iter().map(|key| world.reset(reset(OTHER, key, false)));
    let (made, refused): (Vec<_>, Vec<_>) =
        join_all(others).await.into_iter().partition(Result::is_ok);
    assert_eq!((made.len(), refused.len()), (1, 7));
    for one in refused {
        assert_eq!(reason(&one.unwrap_err()), "RESET_TOO_SOON");
    }
    assert_eq!(world.count("select count(*) from past_season").await, 2);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_fills_and_transfers_of_the_same_instant_belong_to_one_season(pool: PgPool) {
    let mut world = World::new(pool).await;
    let members: Vec<i64> = (300_001..300_021).collect();
    for member in &members {
        world.placed(buy(*member, SAMSUNG, "", "5")).await;
    }
    world.trade(SAMSUNG, "71300", 10_000).await;
    for member in &members {
        world.placed(buy(*member, SAMSUNG, "71300", "2")).await;
        world.placed(sell(*member, SAMSUNG, "71300", "1")).await;
    }
    world.log(Vec::new()).await;
    let connected = world.connected();
    let transfers = world.transfers.clone();
    let client = proto::trading::v1::season_service_client::SeasonServiceClient::connect(
        world.served.url.clone(),
    );
    let client = client.await.unwrap();
    let acts = members.iter().map(|member| {
        let (connected, transfers, client) = (connected.clone(), transfers.clone(), client.clone());
        let member = *member;
        async move {
            let resets = async {
                let request = reset(member, "", false);
                client.clone().reset(request).await.unwrap().into_inner()
            };
            let orders = async {
                connected
                    .place(buy(member, SAMSUNG, "71000", "1"))
                    .await
                    .unwrap();
            };
            let moves = async {
                let request = wire::TransferRequest {
                    member_id: member,
                    ..transfer("00", "01", 1_000)
                };
                transfers.clone().transfer(request).await.unwrap();
            };
            let (reply, ..) = futures_util::future::join3(resets, orders, moves).await;
            assert_eq!(reply.season, 2);
        }
    });
    let acts: Vec<_> = acts.collect();
    let matching = async {
        for price in ["71200", "71400", "71000", "71500"] {
            world.trade(SAMSUNG, price, 10_000).await;
        }
    };
    join(join_all(acts), matching).await;
    world.trade(SAMSUNG, "71000", 10_000).await;
    for member in members {
        let account = world.summary(member).await;
        assert_eq!(account.base_won, OPENED);
        world.gains_add_up(member).await;
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn contracts_that_mature_in_the_same_instant_pay_into_one_season(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for _ in 0..5 {
        let renewed = wire::OpenContractRequest {
            maturity_action: wire::MaturityAction::Renew.into(),
            ..deposit(ME, 100_000, 1)
        };
        bank.opened(renewed).await;
        bank.opened(deposit(ME, 100_000, 1)).await;
    }
    bank.sleep(31).await;
    let client = bank.world.served.url.clone();
    let client = proto::trading::v1::season_service_client::SeasonServiceClient::connect(client);
    let mut client = client.await.unwrap();
    let resets = async move { client.reset(reset(ME, "reset-me-1", false)).await.unwrap() };
    join(resets, bank.step()).await;
    bank.step().await;
    let account = bank.world.summary(ME).await;
    assert_eq!((account.total_won, account.base_won), (OPENED, OPENED));
    assert_eq!(account.accounts.len(), 1);
    bank.world.audit().await;
}
