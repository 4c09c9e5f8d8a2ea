//! `ItemService`: the shop.

use std::collections::BTreeMap;

use bootstrap::grpc::Reply;
use proto::convert::micros;
use proto::trading::v1 as wire;
use proto::trading::v1::item_service_server::ItemService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse::{Page, page, request_id};
use crate::entity::{item, purchase};
use crate::error::TradingError;
use crate::items::buy::BuyItem;
use crate::items::list::ItemPage;
use crate::items::{ItemCategory, PurchaseStatus, currency};

const MOST_AT_ONCE: i32 = 100;

#[tonic::async_trait]
impl ItemService for Service {
    async fn buy_item(&self, request: Request<wire::BuyItemRequest>) -> Reply<wire::BuyItemReply> {
        let request = request.into_inner();
        if !(1..=MOST_AT_ONCE).contains(&request.quantity) {
            return Err(TradingError::Malformed("quantity").into());
        }
        let bought = BuyItem {
            member_id: member(request.member_id)?,
            request_id: request_id(&request.request_id)?,
            item_id: request.item_id,
            quantity: request.quantity,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.buy_item(&bought).await });
        Ok(Response::new(reply.await?))
    }

    async fn list_items(&self, request: Request<wire::ListItemsRequest>) -> Reply<wire::Items> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let Page { before, size } = page(request.before_id, request.size);
        let store = self.store.clone();
        let page = with_timeout(async move {
            let page = store.items(member_id, before, size.into());
            page.await
        });
        Ok(Response::new(items(page.await?)))
    }
}

fn items(page: ItemPage) -> wire::Items {
    let names: BTreeMap<i64, String> = page
        .items
        .iter()
        .map(|item| (item.id, item.name.clone()))
        .collect();
    let name_of = |id| names.get(&id).cloned().unwrap_or_default();
    let purchases = page.purchases.into_iter();
    let purchases = purchases.map(|row| purchase(name_of(row.item_id), row));
    let owned = page.owned.into_iter();
    let owned = owned.map(|(item_id, quantity)| wire::OwnedItem { item_id, quantity });
    let owned: Vec<wire::OwnedItem> = owned.collect();
    let is_shown =
        |item: &item::Model| item.is_listed || owned.iter().any(|owned| owned.item_id == item.id);
    let catalogue = page.items.into_iter().filter(is_shown);
    wire::Items {
        catalogue: catalogue.map(|row| item(row, page.now)).collect(),
        purchases: purchases.collect(),
        next_before_id: page.next.unwrap_or(0),
        owned,
    }
}

fn item(row: item::Model, now: chrono::DateTime<chrono::Utc>) -> wire::Item {
    let category = match ItemCategory::parse(&row.category) {
        Some(ItemCategory::Collectible) => wire::ItemCategory::Collectible,
        Some(ItemCategory::DepositPack) => wire::ItemCategory::DepositPack,
        Some(ItemCategory::StreakFreeze) => wire::ItemCategory::StreakFreeze,
        Some(ItemCategory::SeasonTicket) => wire::ItemCategory::SeasonTicket,
        Some(ItemCategory::Theme) => wire::ItemCategory::Theme,
        None => wire::ItemCategory::Unspecified,
    };
    let left = row.left();
    let is_in_sale_period = row.is_in_sale_period(now);
    wire::Item {
        item_id: row.id,
        name: row.name,
        category: category.into(),
        slot: row.slot.unwrap_or_default(),
        currency: currency(&row.currency).into(),
        price: row.price,
        effect: row.effect,
        picture: row.picture,
        limit_per_member: row.limit_per_member.unwrap_or(0),
        stock: row.stock,
        left,
        sale_from_us: row.sale_from.map_or(0, micros),
        sale_to_us: row.sale_to.map_or(0, micros),
        deposit_won: row.deposit_won.0,
        is_on_sale: row.is_listed && is_in_sale_period && left.is_none_or(|left| left > 0),
    }
}

fn purchase(item_name: String, row: purchase::Model) -> wire::Purchase {
    let status = if row.status == PurchaseStatus::Refunded.as_str() {
        wire::PurchaseStatus::Refunded
    } else {
        wire::PurchaseStatus::Completed
    };
    wire::Purchase {
        purchase_id: row.id,
        item_id: row.item_id,
        item_name,
        quantity: row.quantity,
        currency: currency(&row.currency).into(),
        spent: row.spent,
        status: status.into(),
        bought_at_us: micros(row.bought_at),
        refunded_at_us: row.refunded_at.map_or(0, micros),
    }
}
