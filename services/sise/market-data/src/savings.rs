//! Deposits and savings plans in memory: ordering, search and interest. About sixty products,
//! loaded at the start.

mod calculator;
mod trend;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;

pub use calculator::{InterestQuery, InterestQuote, compounding, quote};
pub use trend::{RateAverage, averages};

use crate::search::{SearchIndex, SearchPage, Searchable};
use crate::seed::{SavingsOption, SavingsProduct};
use crate::store::Store;

/// Likes affect only the order of a list.
const LIKES_TTL: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// Most liked first, then by best rate.
    Popular,
    /// Highest best rate first.
    Rate,
    Name,
    /// By bank, then by name.
    Bank,
}

/// A product with its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub product: SavingsProduct,
    /// Shortest term first.
    pub options: Vec<SavingsOption>,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Savings {
    offers: Arc<Vec<Arc<Offer>>>,
    index: Arc<SearchIndex<Offer>>,
    likes: Cache<(), Arc<HashMap<i64, i64>>>,
}

impl Searchable for Offer {
    type Kind = ();

    fn kind(&self) {}

    fn codes(&self) -> Vec<String> {
        vec![self.product.product_code.clone()]
    }

    fn names(&self) -> Vec<String> {
        vec![self.product.korean_name.clone()]
    }

    fn aliases(&self) -> Vec<String> {
        let product = &self.product;
        let full = format!("{}{}", product.bank_name, product.korean_name);
        vec![product.bank_name.clone(), full]
    }
}

impl Savings {
    #[must_use]
    pub fn new(products: Vec<SavingsProduct>, options: &[SavingsOption]) -> Self {
        let offer = |product: SavingsProduct| {
            let own = |option: &&SavingsOption| option.product_id == product.id;
            let options = options.iter().filter(own).cloned().collect();
            Arc::new(Offer { product, options })
        };
        let offers: Vec<Arc<Offer>> = products.into_iter().map(offer).collect();
        Self {
            index: Arc::new(SearchIndex::build(offers.iter().cloned())),
            offers: Arc::new(offers),
            likes: Cache::builder()
                .time_to_live(LIKES_TTL)
                .max_capacity(1)
                .build(),
        }
    }

    /// All products, in the order of the seed.
    #[must_use]
    pub fn offers(&self) -> &[Arc<Offer>] {
        &self.offers
    }

    #[must_use]
    pub fn get(&self, id: i64) -> Option<&Arc<Offer>> {
        self.offers.iter().find(|offer| offer.product.id == id)
    }

    /// `None` includes both kinds.
    pub async fn list(
        &self,
        order: SortOrder,
        kind: Option<&str>,
        store: &Store,
    ) -> Vec<Arc<Offer>> {
        let likes = self.likes(store).await;
        let wanted = |offer: &&Arc<Offer>| kind.is_none_or(|kind| offer.product.kind == kind);
        let mut offers: Vec<Arc<Offer>> = self.offers.iter().filter(wanted).cloned().collect();
        sort(&mut offers, order, &likes);
        offers
    }

    /// A page (from 1) of the products that match a text, best first, equal matches by likes.
    pub async fn find(&self, text: &str, page: i32, store: &Store) -> SearchPage<Offer> {
        let likes = self.likes(store).await;
        let liked = |place: &usize| {
            let product = &self.offers.get(*place)?.product;
            likes.get(&product.id).copied()
        };
        let mut popular: Vec<usize> = (0..self.offers.len()).collect();
        popular.sort_by_key(|place| Reverse(liked(place).unwrap_or(0)));
        self.index.matching(text, |()| true, &popular, page)
    }

    /// Likes per product; empty when the database is unavailable.
    async fn likes(&self, store: &Store) -> Arc<HashMap<i64, i64>> {
        let counted = self.likes.get_with((), async {
            let likes = store.likes_of_products().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "Likes could not be read, listing products without them");
                Vec::new()
            });
            Arc::new(likes.into_iter().collect())
        });
        counted.await
    }
}

fn sort(offers: &mut [Arc<Offer>], order: SortOrder, likes: &HashMap<i64, i64>) {
    let by_rate = |offer: &Arc<Offer>| {
        let product = &offer.product;
        Reverse((product.best_rate, product.base_rate))
    };
    let name = |offer: &Arc<Offer>| {
        let name = offer.product.korean_name.to_lowercase();
        // Korean before Latin.
        (name.starts_with(|first: char| first.is_ascii()), name)
    };
    let bank = |offer: &Arc<Offer>| {
        let bank = offer.product.bank_name.to_lowercase();
        (bank.starts_with(|first: char| first.is_ascii()), bank)
    };
    match order {
        SortOrder::Popular => offers.sort_by_cached_key(|offer| {
            let liked = likes.get(&offer.product.id).copied().unwrap_or(0);
            (Reverse(liked), by_rate(offer))
        }),
        SortOrder::Rate => offers.sort_by_cached_key(|offer| (by_rate(offer), name(offer))),
        SortOrder::Name => offers.sort_by_cached_key(name),
        SortOrder::Bank => offers.sort_by_cached_key(|offer| (bank(offer), name(offer))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed;

    fn savings() -> Savings {
        let universe = seed::MARKET.read().unwrap();
        Savings::new(universe.products, &universe.options)
    }

    fn names(offers: &[Arc<Offer>]) -> Vec<&str> {
        let names = offers.iter();
        names
            .map(|offer| offer.product.korean_name.as_str())
            .collect()
    }

    #[test]
    fn lists_come_in_every_order() {
        let mut offers = savings().offers().to_vec();
        sort(&mut offers, SortOrder::Rate, &HashMap::new());
        assert!(offers.is_sorted_by_key(|offer| Reverse(offer.product.best_rate)));
        let likes = HashMap::from([(28, 2), (1, 1)]);
        sort(&mut offers, SortOrder::Popular, &likes);
        assert_eq!(
            names(&offers)[..2],
            ["카카오뱅크 정기예금", "WON플러스예금"]
        );
        sort(&mut offers, SortOrder::Bank, &HashMap::new());
        assert_eq!(offers[0].product.bank_name, "경남은행");
        sort(&mut offers, SortOrder::Name, &HashMap::new());
        assert!(!names(&offers)[0].starts_with(|first: char| first.is_ascii()));
    }

    #[test]
    fn products_are_found_by_name_bank_and_initials() {
        let savings = savings();
        for (text, first) in [
            ("26주적금", "26주적금"),
            ("ㅍㅈㄱ", "펫 적금"),
            ("토스뱅크굴비", "토스뱅크 굴비 적금"),
        ] {
            let found = savings.index.matching(text, |()| true, &[], 1).items;
            assert_eq!(names(&found)[0], first, "{text}");
        }
        let bank = savings.index.matching("광주은행", |()| true, &[], 1).items;
        // 제주은행 is within one edit and ranks behind.
        assert!(bank.len() > 4);
        let first = bank.iter().take(4);
        assert!(
            first
                .into_iter()
                .all(|offer| offer.product.bank_name == "광주은행")
        );
    }
}
