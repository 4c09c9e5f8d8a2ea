//! Items: limited stock, limits, prices in won and cash, packs, freezes.

use chrono::TimeDelta;
use futures_util::future::join_all;
use kernel::{MemberId, RequestId};
use proto::education::v1::FreezesChanged;
use proto::trading::v1 as wire;
use proto::trading::v1::item_service_client::ItemServiceClient;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tonic::transport::Channel;
use tonic::{Code, Status};
use trading::error::TradingError;
use trading::items::buy::BuyItem;
use trading::store::request::{RequestDigest, RequestKind};
use uuid::Uuid;

use crate::cash::grant;
use crate::world::{World, reason};

const ME: i64 = 100_001;
const OPENED: i64 = 5_000_000;
const PACK: i64 = 3;
const FREEZE: i64 = 4;
const TICKET: i64 = 5;
const FRAME: i64 = 10;
const DIAMOND: i64 = 13;
const WEEK_PLATE: i64 = 16;

async fn client(world: &World) -> ItemServiceClient<Channel> {
    let client = ItemServiceClient::connect(world.served.url.clone());
    client.await.unwrap()
}

pub(crate) async fn buy(
    world: &World,
    item_id: i64,
    quantity: i32,
    key: &str,
) -> Result<wire::BuyItemReply, Status> {
    let request = wire::BuyItemRequest {
        member_id: ME,
        request_id: key.to_owned(),
        item_id,
        quantity,
    };
    let bought = client(world).await.buy_item(request).await;
    bought.map(tonic::Response::into_inner)
}

async fn refusal(world: &World, item_id: i64, quantity: i32, key: &str) -> String {
    reason(&buy(world, item_id, quantity, key).await.unwrap_err())
}

async fn shop(world: &World) -> wire::Items {
    let request = wire::ListItemsRequest {
        member_id: ME,
        ..wire::ListItemsRequest::default()
    };
    client(world)
        .await
        .list_items(request)
        .await
        .unwrap()
        .into_inner()
}

async fn owned(world: &World, item_id: i64) -> i32 {
    let shop = shop(world).await;
    let owned = shop.owned.iter().find(|owned| owned.item_id == item_id);
    owned.map_or(0, |owned| owned.quantity)
}

/// A world whose shop also lists what nothing delivers yet.
pub(crate) async fn shop_of_everything(pool: PgPool) -> World {
    let world = World::new(pool).await;
    let list = sqlx::query("update item set is_listed = true");
    list.execute(&world.pool).await.unwrap();
    world
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_what_is_delivered_is_for_sale(pool: PgPool) {
    let world = World::new(pool).await;
    let listed: Vec<i64> = shop(&world)
        .await
        .catalogue
        .iter()
        .map(|one| one.item_id)
        .collect();
    let delivered: Vec<i64> = (1..=16).collect();
    assert_eq!(listed, delivered);
    let hide = sqlx::query("update item set is_listed = false where id = 5");
    hide.execute(&world.pool).await.unwrap();
    assert_eq!(
        refusal(&world, TICKET, 1, "undelivered").await,
        "ITEM_NOT_FOUND"
    );
    assert_eq!(world.basic(ME).await.deposit_won, OPENED);
}

async fn purchases_told(world: &World) -> Vec<wire::ItemPurchased> {
    world.told(trading::events::ITEM_PURCHASED).await
}

/// As many of the item are left as this.
async fn leave(world: &World, item_id: i64, left: i64, price: i64) {
    let change = "update item set stock = sold + $2, price = $3 where id = $1";
    let query = sqlx::query(change).bind(item_id).bind(left).bind(price);
    query.execute(&world.pool).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_thousand_buyers_of_the_last_hundred_get_a_hundred(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    leave(&world, DIAMOND, 100, 100_000).await;
    let members = 200_000..201_000;
    for member in members.clone() {
        world
            .store
            .open_basic_account(MemberId(member))
            .await
            .unwrap();
    }
    let buyers = members.map(|member| {
        let request = BuyItem {
            member_id: MemberId(member),
            request_id: RequestId::parse("the-last-hundred").unwrap(),
            digest: RequestDigest::new(RequestKind::BuyItem, &wire::BuyItemRequest::default()),
            item_id: DIAMOND,
            quantity: 1,
        };
        let store = world.store.clone();
        async move { store.buy_item(&request).await }
    });
    let answers = join_all(buyers).await;
    let sold = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(sold, 100);
    for refused in answers.into_iter().filter_map(Result::err) {
        let TradingError::Refused(refused) = refused else {
            panic!("{refused}");
        };
        assert_eq!(refused.reason(), "SOLD_OUT");
    }
    let spent = "select sum(amount)::bigint from entry where book = 'SHOP' and asset = 'KRW'";
    assert_eq!(world.count(spent).await, 10_000_000);
    let kept = "select sum(amount)::bigint from balance where asset = 'KRW'";
    assert_eq!(world.count(kept).await, 1_000 * OPENED - 10_000_000);
    assert_eq!(
        world
            .count("select stock - sold from item where id = 13")
            .await,
        0
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_waits_too_long_for_limited_stock_is_told_to_come_again(pool: PgPool) {
    let bounded = (*pool.connect_options())
        .clone()
        .options([("lock_timeout", "2s")]);
    let bounded = PgPoolOptions::new().connect_with(bounded).await.unwrap();
    let world = shop_of_everything(bounded).await;
    leave(&world, DIAMOND, 1, 100_000).await;
    let mut holder = pool.begin().await.unwrap();
    let lock = sqlx::query("select from item where id = $1 for update").bind(DIAMOND);
    lock.execute(&mut *holder).await.unwrap();
    let refused = buy(&world, DIAMOND, 1, "the-last-one").await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::Aborted, "UNAVAILABLE")
    );
    assert_eq!(owned(&world, DIAMOND).await, 0);
    holder.rollback().await.unwrap();
    buy(&world, DIAMOND, 1, "the-last-one").await.unwrap();
    assert_eq!(owned(&world, DIAMOND).await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_collectible_lowers_the_base_and_is_owned_once(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    let copies = (0..10).map(|_| buy(&world, FRAME, 1, "the-same-key"));
    let replies: Vec<_> = join_all(copies)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    assert_eq!(replies[0].message, "새싹 테두리를 샀어요");
    assert_eq!((replies[0].spent, replies[0].owned), (100_000, 1));
    assert_eq!(replies[0].deposit_won, OPENED - 100_000);
    let told = wire::ItemPurchased {
        purchase_id: replies[0].purchase_id,
        member_id: ME,
        item_id: FRAME,
        category: "COLLECTIBLE".to_owned(),
        slot: "FRAME".to_owned(),
        picture: "frame-sprout".to_owned(),
        quantity: 1,
    };
    assert_eq!(purchases_told(&world).await, [told]);
    assert_eq!(
        refusal(&world, FRAME, 1, "one-more-frame").await,
        "ITEM_LIMIT"
    );
    let reused = buy(&world, FRAME, 2, "the-same-key").await.unwrap_err();
    assert_eq!(reused.code(), Code::AlreadyExists);
    let summary = world.summary(ME).await;
    assert_eq!(summary.base_won, OPENED - 100_000);
    assert_eq!(summary.total_won, summary.base_won, "an item is no loss");
    let shop = shop(&world).await;
    assert_eq!(shop.catalogue.len(), 16);
    assert!(
        shop.catalogue
            .iter()
            .any(|item| item.name == "시드업 첫걸음 명패")
    );
    assert_eq!(shop.purchases.len(), 1);
    assert_eq!(shop.purchases[0].item_name, "새싹 테두리");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_cannot_be_bought_is_refused_and_nothing_changes(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    world.basic(ME).await;
    leave(&world, DIAMOND, 0, 100_000).await;
    for (item, quantity, wanted) in [
        (999, 1, "ITEM_NOT_FOUND"),
        (-1, 1, "ITEM_NOT_FOUND"),
        (DIAMOND, 1, "SOLD_OUT"),
        (FRAME, 2, "ITEM_LIMIT"),
        (12, 1, "INSUFFICIENT_CASH"),
        (PACK, 1, "INSUFFICIENT_CASH_ASSET"),
        (FREEZE, 3, "ITEM_LIMIT"),
    ] {
        let key = format!("refused-{item}-{quantity}");
        assert_eq!(refusal(&world, item, quantity, &key).await, wanted);
        assert_eq!(
            refusal(&world, item, quantity, &key).await,
            wanted,
            "stored"
        );
    }
    for quantity in [0, -1, 101, i32::MIN] {
        let refused = buy(&world, FRAME, quantity, "malformed-1")
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    assert_eq!(world.basic(ME).await.deposit_won, OPENED);
    assert_eq!(world.count("select count(*) from purchase").await, 0);
    assert!(purchases_told(&world).await.is_empty());
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_item_of_a_week_is_sold_in_that_week(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    let week = "update item set sale_from = $1, sale_to = $2 where id = 16";
    let from = crate::world::morning() + TimeDelta::days(1);
    let query = sqlx::query(week).bind(from).bind(from + TimeDelta::days(7));
    query.execute(&world.pool).await.unwrap();
    assert_eq!(
        refusal(&world, WEEK_PLATE, 1, "too-early-1").await,
        "ITEM_NOT_ON_SALE"
    );
    world.clock.advance(TimeDelta::days(1));
    // The refusal before has passed with time.
    buy(&world, WEEK_PLATE, 1, "too-early-1").await.unwrap();
    world.clock.advance(TimeDelta::days(7));
    assert_eq!(
        refusal(&world, WEEK_PLATE, 1, "too-late-1").await,
        "ITEM_NOT_ON_SALE"
    );
    let shop = shop(&world).await;
    let plate = shop
        .catalogue
        .iter()
        .find(|item| item.item_id == WEEK_PLATE);
    assert!(!plate.unwrap().is_on_sale);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_pack_turns_cash_into_won(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    world.basic(ME).await;
    grant(&world, ME, 25, None).await.unwrap();
    let bought = buy(&world, PACK, 2, "two-packs-1").await.unwrap();
    assert_eq!(
        (bought.spent, bought.currency()),
        (20, wire::ItemCurrency::Cash)
    );
    assert_eq!((bought.deposit_won, bought.cash_left), (OPENED + 20_000, 5));
    assert_eq!(bought.owned, 0, "a pack is opened at once");
    let basic = world.basic(ME).await;
    assert_eq!(
        (basic.bought_deposit_won, basic.purchased_items_won),
        (20_000, 0)
    );
    let summary = world.summary(ME).await;
    assert_eq!(summary.total_won, summary.base_won);
    assert_eq!(
        refusal(&world, PACK, 1, "third-pack-1").await,
        "INSUFFICIENT_CASH_ASSET"
    );
    world.audit().await;
}

pub(crate) fn freezes(
    held: i32,
    version: i64,
    purchase_id: i64,
    is_refused: bool,
) -> FreezesChanged {
    FreezesChanged {
        member_id: ME,
        held,
        version,
        purchase_id,
        is_refused,
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_freezes_are_held_at_most_and_one_too_many_is_refunded(pool: PgPool) {
    let world = shop_of_everything(pool).await;
    let tell = async |changed: FreezesChanged| {
        let event = Uuid::new_v4();
        // At least once.
        world.store.note_freezes(event, &changed).await.unwrap();
        world.store.note_freezes(event, &changed).await.unwrap();
    };
    let first = buy(&world, FREEZE, 1, "freeze-1").await.unwrap();
    assert_eq!(first.owned, 1);
    tell(freezes(1, 1, first.purchase_id, false)).await;
    assert_eq!(owned(&world, FREEZE).await, 1, "delivered, not doubled");
    let second = buy(&world, FREEZE, 1, "freeze-2").await.unwrap();
    assert_eq!(second.owned, 2, "one held and one under way");
    assert_eq!(refusal(&world, FREEZE, 1, "freeze-3").await, "ITEM_LIMIT");
    // A freeze was earned meanwhile, so the second purchase arrives at two. An older number is late.
    tell(freezes(2, 3, 0, false)).await;
    tell(freezes(1, 2, 0, false)).await;
    tell(freezes(2, 4, second.purchase_id, true)).await;
    tell(freezes(2, 5, second.purchase_id, true)).await;
    assert_eq!(owned(&world, FREEZE).await, 2);
    let basic = world.basic(ME).await;
    assert_eq!(basic.deposit_won, OPENED - 50_000);
    assert_eq!(basic.purchased_items_won, 50_000);
    let purchases = shop(&world).await.purchases;
    let statuses: Vec<_> = purchases.iter().map(wire::Purchase::status).collect();
    assert_eq!(
        statuses,
        [
            wire::PurchaseStatus::Refunded,
            wire::PurchaseStatus::Completed
        ]
    );
    // One was used for a missed day.
    tell(freezes(1, 6, 0, false)).await;
    buy(&world, FREEZE, 1, "freeze-4").await.unwrap();
    world.audit().await;
}
