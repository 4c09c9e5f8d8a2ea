//! The reply to a purchase is the message that is stored with its request.

use kernel::hangul::particle_after;
use kernel::{AccountId, MemberId, RequestId};
use proto::trading::v1::{BuyItemReply, ItemPurchased};
use sea_orm::{ActiveModelTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, Set};

use super::freezes::{MOST_FREEZES, held_freezes};
use super::price::Price;
use super::{ItemCategory, PurchaseStatus, currency};
use crate::cash::exchange::insufficient_cash;
use crate::entity::{item, member_item, purchase};
use crate::error::TradingError;
use crate::events;
use crate::ledger::{self, Asset, JournalKind, Source};
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct BuyItem {
    pub member_id: MemberId,
    pub request_id: RequestId,
    pub digest: RequestDigest,
    pub item_id: i64,
    /// 1 to 100.
    pub quantity: i32,
}

struct Act<'a> {
    store: &'a Store,
    account: AccountId,
    request: &'a BuyItem,
}

impl Store {
    /// Buys items with what the BASIC account has.
    ///
    /// # Errors
    /// [`TradingError`]: not for sale, sold out, too many, too little won or cash, or of the database.
    pub async fn buy_item(&self, request: &BuyItem) -> Result<BuyItemReply, TradingError> {
        let (account, _) = self.open_basic_account(request.member_id).await?;
        let money_request = MoneyRequest::new(
            request.member_id,
            &request.request_id,
            &request.digest,
            [account],
        );
        let act = Act {
            store: self,
            account,
            request,
        };
        self.once(&money_request, &act).await
    }
}

impl MoneyAct for Act<'_> {
    type Reply = BuyItemReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<BuyItemReply, TradingError> {
        let item = item::Entity::find_by_id(self.request.item_id)
            .one(books.transaction)
            .await?;
        let item = item
            .filter(|item| item.is_listed)
            .ok_or_else(|| Refusal::not_found("ITEM_NOT_FOUND", "없는 아이템이에요."))?;
        let category = ItemCategory::parse(&item.category)
            .ok_or_else(|| DbErr::Custom(format!("category of item {}", item.id)))?;
        let quantity = self.request.quantity;
        check_period(&item, books)?;
        let owned = self.check_limit(&item, category, books).await?;
        if item.left().is_some_and(|left| left < i64::from(quantity)) {
            return Err(sold_out().into());
        }
        let price = Price::of(&item, quantity).ok_or(TradingError::Malformed("quantity"))?;
        let cash = ledger::amount_of(books.transaction, self.account, Asset::Cash).await?;
        self.check_funds(&price, cash, books).await?;
        let purchase = self.write(&price, category, books).await?;
        let source = Source::Purchase(purchase);
        let postings = price.postings(self.account);
        books
            .post(JournalKind::ItemBought, source, postings)
            .await?;
        books.writes.base_change(self.account, price.base_change());
        let purchased =
            events::item_purchased(&self.purchased(purchase, &item), self.store.clock.as_ref());
        books.writes.event(&purchased);
        take_from_stock(books.transaction, &item, quantity).await?;
        let particle = particle_after(&item.name, "을").map_or("를", |(form, _)| form);
        let spent_cash = if price.asset == Asset::Cash {
            price.spent
        } else {
            0
        };
        Ok(BuyItemReply {
            purchase_id: purchase,
            item_id: item.id,
            quantity,
            spent: price.spent,
            currency: currency(&item.currency).into(),
            owned: owned_after(category, owned, quantity),
            message: format!("{}{particle} 샀어요", item.name),
            replayed: false,
            deposit_won: books.account(self.account)?.won.amount,
            cash_left: cash - spent_cash,
        })
    }
}

impl Act<'_> {
    /// How many the member has, if that leaves room for more.
    async fn check_limit(
        &self,
        item: &item::Model,
        category: ItemCategory,
        books: &Books<'_>,
    ) -> Result<i32, TradingError> {
        let of_item = member_item::Entity::find_by_id((self.account, item.id));
        let row = of_item.one(books.transaction).await?;
        let unused = row.map_or(0, |row| row.quantity - row.used);
        let (owned, limit) = if category == ItemCategory::StreakFreeze {
            let held = held_freezes(books.transaction, self.account).await?;
            (held + unused, Some(MOST_FREEZES))
        } else {
            (unused, item.limit_per_member)
        };
        match limit {
            Some(limit) if owned.saturating_add(self.request.quantity) > limit => {
                let sentence = format!("{limit}개까지 가질 수 있는 아이템이에요.");
                let refusal = Refusal::new("ITEM_LIMIT", sentence);
                Err(refusal.with("limit", limit).with("owned", owned).into())
            }
            Some(_) | None => Ok(owned),
        }
    }

    async fn check_funds(
        &self,
        price: &Price,
        cash: i64,
        books: &Books<'_>,
    ) -> Result<(), TradingError> {
        if price.asset == Asset::Cash {
            if cash < price.spent {
                return Err(insufficient_cash(price.spent, cash).into());
            }
            return Ok(());
        }
        let account = books.account(self.account)?;
        let available = self.store.movable(books.transaction, account).await?.0;
        if available < price.spent {
            let refusal = Refusal::new("INSUFFICIENT_CASH", "쓸 수 있는 금액이 부족해요.");
            return Err(refusal
                .with("need", price.spent)
                .with("have", available)
                .into());
        }
        Ok(())
    }

    /// What the services that deliver the item hear.
    fn purchased(&self, purchase: i64, item: &item::Model) -> ItemPurchased {
        ItemPurchased {
            purchase_id: purchase,
            member_id: self.request.member_id.0,
            item_id: item.id,
            category: item.category.clone(),
            slot: item.slot.clone().unwrap_or_default(),
            picture: item.picture.clone(),
            quantity: self.request.quantity,
        }
    }

    /// Writes the purchase and what the member owns, and returns its id.
    async fn write(
        &self,
        price: &Price,
        category: ItemCategory,
        books: &Books<'_>,
    ) -> Result<i64, DbErr> {
        let BuyItem {
            item_id, quantity, ..
        } = *self.request;
        // A pack is used up by opening it.
        let used = if category == ItemCategory::DepositPack {
            quantity
        } else {
            0
        };
        let own = sql(
            "insert into member_item as m (account_id, item_id, quantity, used) \
             values ($1, $2, $3, $4) on conflict (account_id, item_id) do update set \
             quantity = m.quantity + excluded.quantity, used = m.used + excluded.used",
            [
                self.account.into(),
                item_id.into(),
                quantity.into(),
                used.into(),
            ],
        );
        books.transaction.execute_raw(own).await?;
        let row = purchase::ActiveModel {
            account_id: Set(self.account),
            item_id: Set(item_id),
            quantity: Set(quantity),
            currency: Set(price.asset.as_str().to_owned()),
            spent: Set(price.spent),
            deposit_won: Set(price.deposit),
            status: Set(PurchaseStatus::Completed.as_str().to_owned()),
            bought_at: Set(books.now),
            ..Default::default()
        };
        Ok(row.insert(books.transaction).await?.id)
    }
}

fn check_period(item: &item::Model, books: &Books<'_>) -> Result<(), TradingError> {
    if item.is_in_sale_period(books.now) {
        return Ok(());
    }
    let begins = item.sale_from.is_some_and(|from| from > books.now);
    let refusal = Refusal::new("ITEM_NOT_ON_SALE", "지금은 살 수 없는 아이템이에요.");
    Err(if begins { refusal.passing() } else { refusal }.into())
}

fn sold_out() -> Refusal {
    Refusal::new("SOLD_OUT", "모두 팔린 아이템이에요.")
}

/// Locks the item until the transaction ends, so it comes last.
async fn take_from_stock(
    transaction: &DatabaseTransaction,
    item: &item::Model,
    quantity: i32,
) -> Result<(), TradingError> {
    if item.stock.is_none() {
        return Ok(());
    }
    let take = sql(
        "update item set sold = sold + $2 where id = $1 and sold + $2 <= stock",
        [item.id.into(), i64::from(quantity).into()],
    );
    if transaction.execute_raw(take).await?.rows_affected() == 1 {
        Ok(())
    } else {
        Err(sold_out().into())
    }
}

/// Packs are not kept.
fn owned_after(category: ItemCategory, owned: i32, bought: i32) -> i32 {
    match category {
        ItemCategory::DepositPack => 0,
        ItemCategory::Collectible
        | ItemCategory::StreakFreeze
        | ItemCategory::SeasonTicket
        | ItemCategory::Theme => owned.saturating_add(bought),
    }
}
