//! What members like, as it was last read: nearly every answer marks its rows with it, and it
//! seldom changes. This process is the only one that writes it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Clock, MemberId};
use parking_lot::Mutex;

use crate::error::MarketError;
use crate::store::Store;

/// Members who are remembered; beyond it everyone is read again.
const MOST_REMEMBERED: usize = 50_000;

/// A change whose request was given up may be made without being noticed; it shows after this.
const REMEMBERED_FOR: Duration = Duration::from_secs(10);

/// What one member likes, newest like first.
#[derive(Debug, Default)]
pub struct Liked {
    /// Codes of instruments.
    pub codes: Vec<String>,
    /// Products.
    pub product_ids: Vec<i64>,
}

/// What all members like.
pub struct Likes {
    store: Store,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    of_members: HashMap<MemberId, (Arc<Liked>, Instant)>,
    /// Rises with every change: what was read before one is not remembered after it.
    changes: u64,
}

impl Known {
    fn of(&self, member: MemberId) -> Option<Arc<Liked>> {
        let (liked, since) = self.of_members.get(&member)?;
        (since.elapsed() < REMEMBERED_FOR).then(|| Arc::clone(liked))
    }
}

impl Likes {
    /// The likes in `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            known: Mutex::default(),
        }
    }

    /// What `member` likes.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn of(&self, member: MemberId) -> Result<Arc<Liked>, MarketError> {
        let changes = {
            let known = self.known.lock();
            if let Some(liked) = known.of(member) {
                return Ok(liked);
            }
            known.changes
        };
        let (codes, product_ids) = tokio::try_join!(
            self.store.liked_codes(member),
            self.store.liked_products(member),
        )?;
        let liked = Arc::new(Liked { codes, product_ids });
        let mut known = self.known.lock();
        if known.changes == changes {
            if known.of_members.len() >= MOST_REMEMBERED {
                known.of_members.clear();
            }
            let remembered = (Arc::clone(&liked), Instant::now());
            known.of_members.insert(member, remembered);
        }
        Ok(liked)
    }

    /// What `member` likes, if that is remembered.
    #[must_use]
    pub fn remembered(&self, member: MemberId) -> Option<Arc<Liked>> {
        self.known.lock().of(member)
    }

    /// Likes an item, or stops.
    ///
    /// # Errors
    /// As [`Store::like_item`].
    pub async fn set_item(
        &self,
        member: MemberId,
        code: &str,
        liked: bool,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let _changing = Changing(self, member);
        self.store.like_item(member, code, liked, clock).await
    }

    /// Likes a product, or stops.
    ///
    /// # Errors
    /// As [`Store::like_product`].
    pub async fn set_product(
        &self,
        member: MemberId,
        product_id: i64,
        liked: bool,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let _changing = Changing(self, member);
        self.store
            .like_product(member, product_id, liked, clock)
            .await
    }
}

/// A change of a member's likes. When it ends, however it ends, they are read again.
struct Changing<'a>(&'a Likes, MemberId);

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        let mut known = self.0.known.lock();
        known.changes += 1;
        known.of_members.remove(&self.1);
    }
}
