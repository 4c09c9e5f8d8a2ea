//! The reply to a purchase is the message that is stored with its request.

use kernel::hangul::particle_after;
use kernel::{AccountId, MemberId, RequestId};
use proto::trading::v1::{BuyItemReply, ItemPurchased};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, QueryResult};

use super::freezes::{MOST_FREEZES, held_freezes};
use super::price::Price;
use super::{ItemCategory, PurchaseStatus, currency};
use crate::cash::exchange::insufficient_cash;
use crate::entity::item;
use crate::error::TradingError;
use crate::events;
use crate::ledger::{Asset, JournalKind, Source};
use crate::refusal::Refusal;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;
use crate::store::write_set::PurchaseRow;
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

/// What is asked for, with what the member has.
struct Offer {
    item: item::Model,
    /// Bought and not used up, of this item.
    unused: i32,
    /// 캐시, the currency of the shop; not won.
    cash: i64,
    /// The number drawn for the purchase.
    purchase: i64,
    /// The number drawn for its journal.
    journal: i64,
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
        let offer = self.offer(books).await?;
        let Offer {
            item,
            unused,
            cash,
            purchase,
            journal,
        } = offer
            .filter(|offer| offer.item.is_listed)
            .ok_or_else(|| Refusal::not_found("ITEM_NOT_FOUND", "없는 아이템이에요."))?;
        let category = ItemCategory::parse(&item.category)
            .ok_or_else(|| DbErr::Custom(format!("category of item {}", item.id)))?;
        let quantity = self.request.quantity;
        check_period(&item, books)?;
        let owned = self.check_limit(&item, category, unused, books).await?;
        if item.left().is_some_and(|left| left < i64::from(quantity)) {
            return Err(sold_out().into());
        }
        let price = Price::of(&item, quantity).ok_or(TradingError::Malformed("quantity"))?;
        self.check_funds(&price, cash, books).await?;
        self.write(purchase, &price, category, books);
        let source = Source::Purchase(purchase);
        let postings = price.postings(self.account);
        books.post_numbered(journal, JournalKind::ItemBought, source, postings);
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
    async fn offer(&self, books: &Books<'_>) -> Result<Option<Offer>, DbErr> {
        let read = sql(
            "select i.*, coalesce(m.quantity - m.used, 0) as unused, coalesce(b.amount, 0) as cash, \
                nextval(pg_get_serial_sequence('purchase', 'id')) as purchase, \
                nextval('journal_id_seq') as journal \
             from item i \
             left join member_item m on m.account_id = $2 and m.item_id = i.id \
             left join balance b on b.account_id = $2 and b.asset = $3 \
             where i.id = $1",
            [
                self.request.item_id.into(),
                self.account.into(),
                Asset::Cash.as_str().into(),
            ],
        );
        let row = books.transaction.query_one_raw(read).await?;
        let offer = |row: QueryResult| {
            Ok(Offer {
                item: item::Model::from_query_result(&row, "")?,
                unused: row.try_get("", "unused")?,
                cash: row.try_get("", "cash")?,
                purchase: row.try_get("", "purchase")?,
                journal: row.try_get("", "journal")?,
            })
        };
        row.map(offer).transpose()
    }

    /// How many the member has, if that leaves room for more.
    async fn check_limit(
        &self,
        item: &item::Model,
        category: ItemCategory,
        unused: i32,
        books: &Books<'_>,
    ) -> Result<i32, TradingError> {
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

    /// Writes the purchase and what the member owns.
    fn write(&self, id: i64, price: &Price, category: ItemCategory, books: &mut Books<'_>) {
        let BuyItem {
            item_id, quantity, ..
        } = *self.request;
        // A pack is used up by opening it.
        let used = if category == ItemCategory::DepositPack {
            quantity
        } else {
            0
        };
        books.writes.purchase(PurchaseRow {
            id,
            account_id: self.account,
            item_id,
            quantity,
            used,
            currency: price.asset.as_str(),
            spent: price.spent,
            deposit_won: price.deposit,
            status: PurchaseStatus::Completed.as_str(),
            bought_at: books.now,
        });
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
