//! Points, cash and items, as trading has them, of a test.

use std::sync::Arc;

use proto::trading::v1::cash_service_server::CashService;
use proto::trading::v1::item_service_server::ItemService;
use proto::trading::v1::point_service_server::PointService;
use proto::trading::v1::{
    BuyItemReply, BuyItemRequest, ExchangeCashReply, ExchangeCashRequest, GetPointsRequest, Item,
    ItemCategory, ItemCurrency, Items, ListItemsRequest, ListPointChangesRequest, MovePointsReply,
    MovePointsRequest, OwnedItem, PointChange, PointChangeKind, PointChanges, Points, Purchase,
    PurchaseStatus, SeeTransferPopupReply, SeeTransferPopupRequest, SpendPointsReply,
    SpendPointsRequest,
};

use super::{Scenario, fake};

/// 2026-11-21 09:03:00 in Korea.
const MORNING_US: i64 = 1_795_219_380_000_000;

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { PointService:
    get_points(GetPointsRequest) -> Points = |_| Points {
        balance: 120,
        earned: 200,
        moved: 30,
        spent: 50,
        earned_today: 40,
        day_cap: 100,
        multiplier_tenths: 13,
        level: 4,
        level_name: "중산층".to_owned(),
        is_transfer_popup_seen: true,
    };
    list_point_changes(ListPointChangesRequest) -> PointChanges = |_| PointChanges {
        changes: vec![
            PointChange {
                change_id: 9,
                kind: PointChangeKind::Moved.into(),
                points: -30,
                won: 39_000,
                multiplier_tenths: 13,
                occurred_at_us: MORNING_US,
                ..PointChange::default()
            },
            PointChange { change_id: 8, kind: 4_711, ..PointChange::default() },
            PointChange {
                change_id: 7,
                kind: PointChangeKind::Earned.into(),
                points: 10,
                reason: "QUIZ".to_owned(),
                occurred_at_us: MORNING_US,
                ..PointChange::default()
            },
        ],
        next_before_id: 7,
    };
    move_points(MovePointsRequest) -> MovePointsReply = |request| MovePointsReply {
        points: request.points,
        won: request.points * 1_300,
        multiplier_tenths: 13,
        level: 4,
        deposit_won: 5_003_900,
        education_points: 117,
        message: "계좌에 3,900원을 넣었어요".to_owned(),
        replayed: request.request_id == "seen-before",
    };
    spend_points(SpendPointsRequest) -> SpendPointsReply = |_| SpendPointsReply::default();
    see_transfer_popup(SeeTransferPopupRequest) -> SeeTransferPopupReply =
        |_| SeeTransferPopupReply {};
}

fake! { CashService:
    exchange_cash(ExchangeCashRequest) -> ExchangeCashReply = |request| ExchangeCashReply {
        cash: request.cash,
        won: request.cash * 1_000,
        deposit_won: 5_002_000,
        cash_left: 8,
        message: "캐시 2개로 2,000원을 넣었어요".to_owned(),
        replayed: request.request_id == "seen-before",
    };
}

fake! { ItemService:
    buy_item(BuyItemRequest) -> BuyItemReply = |request| BuyItemReply {
        purchase_id: 31,
        item_id: request.item_id,
        quantity: request.quantity,
        spent: 100_000,
        currency: ItemCurrency::Krw.into(),
        owned: 1,
        message: "새싹 테두리를 샀어요".to_owned(),
        replayed: request.request_id == "seen-before",
        deposit_won: 4_900_000,
        cash_left: 8,
    };
    list_items(ListItemsRequest) -> Items = |_| Items {
        catalogue: vec![Item {
            item_id: 10,
            name: "새싹 테두리".to_owned(),
            category: ItemCategory::Collectible.into(),
            slot: "FRAME".to_owned(),
            currency: ItemCurrency::Krw.into(),
            price: 100_000,
            effect: "프로필에 새싹 테두리를 둘러요.".to_owned(),
            picture: "frame-sprout".to_owned(),
            limit_per_member: 1,
            stock: Some(100),
            left: Some(3),
            sale_to_us: MORNING_US,
            is_on_sale: true,
            ..Item::default()
        }],
        owned: vec![OwnedItem { item_id: 10, quantity: 1 }],
        purchases: vec![Purchase {
            purchase_id: 31,
            item_id: 10,
            item_name: "새싹 테두리".to_owned(),
            quantity: 1,
            currency: ItemCurrency::Krw.into(),
            spent: 100_000,
            status: PurchaseStatus::Completed.into(),
            bought_at_us: MORNING_US,
            refunded_at_us: 0,
        }],
        next_before_id: 0,
    };
}
