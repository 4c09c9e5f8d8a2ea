//! The shop: what is for sale, what the caller owns, and buying.

use actix_web::{HttpResponse, web};
use proto::convert::InvalidField;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::repeatable;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::{Reply, State};
use crate::wire::page::{cursor, page_size};
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use crate::wire::time::{kst, kst_if_set};
use crate::wire::variants::from_proto;

/// COLLECTIBLE: a frame or name plate. DEPOSIT_PACK: won for cash. STREAK_FREEZE: saves a streak.
/// SEASON_TICKET: one more reset. THEME: accent colours.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ItemCategory {
    Collectible,
    DepositPack,
    StreakFreeze,
    SeasonTicket,
    Theme,
}

/// Where an item is worn.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ItemSlot {
    Frame,
    Plate,
    Theme,
}

/// What an item is paid with: won of the basic account, or 캐시.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ItemCurrency {
    Krw,
    Cash,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PurchaseStatus {
    Completed,
    Refunded,
}

/// The shop, as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shop {
    catalogue: Vec<ShopItem>,
    owned: Vec<OwnedItem>,
    /// Newest first.
    purchases: Vec<Purchase>,
    /// Asks for the next page of purchases; null when there is none.
    next_cursor: Option<String>,
}

/// An item of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShopItem {
    item_sid: i64,
    name: String,
    category: ItemCategory,
    /// Null for what is not worn.
    slot: Option<ItemSlot>,
    currency: ItemCurrency,
    price: i64,
    /// What it does.
    effect: String,
    /// Name of its picture.
    image: String,
    /// How many a member may own; null = any number.
    limit_per_member: Option<i32>,
    /// How many were ever for sale; null = any number.
    stock: Option<i64>,
    /// How many are left; null = any number.
    left: Option<i64>,
    sale_from: Option<String>,
    sale_to: Option<String>,
    /// Won that a DEPOSIT_PACK adds; null for others.
    buy_deposit: Option<i64>,
    /// Whether it can be bought now, apart from the caller's funds and limit.
    on_sale: bool,
}

/// How many the caller has of an item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnedItem {
    item_sid: i64,
    quantity: i32,
}

/// Items that the caller bought together.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Purchase {
    purchase_sid: i64,
    item_sid: i64,
    name: String,
    quantity: i32,
    currency: ItemCurrency,
    spent: i64,
    status: PurchaseStatus,
    time: String,
    refund_time: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct ItemQuery {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[param(rename = "memberSid")]
    _member_sid: i64,
    /// Where the page of purchases before ended (`nextCursor`); absent = the first page.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Purchases of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

/// The catalogue, and the caller's items and purchases.
#[utoipa::path(get, path = "/api/v1/invest/buy-item-list", tag = "invest", params(ItemQuery),
    responses((status = 200, description = "The shop.", body = Shop)))]
pub(super) async fn buy_item_list(
    state: State,
    caller: Caller,
    query: Query<ItemQuery>,
) -> Reply<Shop> {
    let request = trading::ListItemsRequest {
        member_id: caller.member_id.0,
        before_id: cursor(query.0.cursor.as_deref())?,
        size: page_size(query.0.size)?,
    };
    let page = state
        .items
        .call_idempotent(async |mut items| items.list_items(request).await)
        .await?;
    let owned = page.owned.into_iter();
    Ok(web::Json(Shop {
        catalogue: decode_rows(page.catalogue),
        owned: owned
            .map(|owned| OwnedItem {
                item_sid: owned.item_id,
                quantity: owned.quantity,
            })
            .collect(),
        purchases: decode_rows(page.purchases),
        next_cursor: Some(page.next_before_id)
            .filter(|id| *id != 0)
            .map(|id| id.to_string()),
    }))
}

/// An item to buy.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BuyItemBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    item_sid: i64,
    #[schema(minimum = 1, maximum = 100)]
    quantity: i32,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never buys twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// What a purchase did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoughtItem {
    purchase_sid: i64,
    item_sid: i64,
    quantity: i32,
    spent: i64,
    currency: ItemCurrency,
    /// How many the caller has afterwards; a pack is opened at once.
    owned: i32,
    /// Won of the basic account afterwards.
    deposit: i64,
    /// Cash that is left.
    cash: i64,
    message: String,
}

/// Buy an item with won of the basic account or with cash.
#[utoipa::path(post, path = "/api/v1/invest/buy-item", tag = "invest",
    request_body = BuyItemBody,
    responses((status = 200, description = "It was bought.", body = BoughtItem)))]
pub(super) async fn buy_item(
    state: State,
    caller: Caller,
    Json(body): Json<BuyItemBody>,
) -> Result<HttpResponse, ApiError> {
    if !(1..=100).contains(&body.quantity) {
        return Err(ApiError::field("quantity", "1에서 100 사이여야 해요"));
    }
    let request = trading::BuyItemRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        item_id: body.item_sid,
        quantity: body.quantity,
    };
    let reply = state
        .items
        .call(async |mut items| items.buy_item(request).await)
        .await?;
    let body = BoughtItem {
        currency: reply.currency().try_into()?,
        purchase_sid: reply.purchase_id,
        item_sid: reply.item_id,
        quantity: reply.quantity,
        spent: reply.spent,
        owned: reply.owned,
        deposit: reply.deposit_won,
        cash: reply.cash_left,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, body))
}

from_proto!(trading::ItemCurrency => ItemCurrency { Krw, Cash }, "currency");
from_proto!(trading::ItemCategory => ItemCategory {
    Collectible, DepositPack, StreakFreeze, SeasonTicket, Theme
}, "category");
from_proto!(trading::PurchaseStatus => PurchaseStatus { Completed, Refunded }, "status");

impl TryFrom<trading::Item> for ShopItem {
    type Error = InvalidField;

    fn try_from(item: trading::Item) -> Result<Self, InvalidField> {
        let slot = match item.slot.as_str() {
            "" => None,
            "FRAME" => Some(ItemSlot::Frame),
            "PLATE" => Some(ItemSlot::Plate),
            "THEME" => Some(ItemSlot::Theme),
            _ => return Err(InvalidField("slot")),
        };
        Ok(Self {
            item_sid: item.item_id,
            category: item.category().try_into()?,
            slot,
            currency: item.currency().try_into()?,
            price: item.price,
            limit_per_member: Some(item.limit_per_member).filter(|limit| *limit > 0),
            stock: item.stock,
            left: item.left,
            sale_from: kst_if_set(item.sale_from_us, "sale_from_us")?,
            sale_to: kst_if_set(item.sale_to_us, "sale_to_us")?,
            buy_deposit: Some(item.deposit_won).filter(|won| *won > 0),
            on_sale: item.is_on_sale,
            name: item.name,
            effect: item.effect,
            image: item.picture,
        })
    }
}

impl TryFrom<trading::Purchase> for Purchase {
    type Error = InvalidField;

    fn try_from(purchase: trading::Purchase) -> Result<Self, InvalidField> {
        Ok(Self {
            purchase_sid: purchase.purchase_id,
            item_sid: purchase.item_id,
            quantity: purchase.quantity,
            currency: purchase.currency().try_into()?,
            spent: purchase.spent,
            status: purchase.status().try_into()?,
            time: kst(purchase.bought_at_us, "bought_at_us")?,
            refund_time: kst_if_set(purchase.refunded_at_us, "refunded_at_us")?,
            name: purchase.item_name,
        })
    }
}
