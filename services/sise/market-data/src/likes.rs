//! A cache of members' likes: nearly every response marks liked items, and likes change rarely.
//! This process is the only writer.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Clock, MemberId};
use parking_lot::Mutex;

use crate::error::MarketError;
use crate::store::Store;

/// The cache is cleared when it holds this many members.
const MAX_CACHED_MEMBERS: usize = 50_000;

/// A change is missed if its request is cancelled after the commit; it becomes visible after this
/// time.
const CACHE_TTL: Duration = Duration::from_secs(10);

/// Newest like first.
#[derive(Debug, Default)]
pub struct Liked {
    pub codes: Vec<String>,
    pub product_ids: Vec<i64>,
}

pub struct Likes {
    store: Store,
    cache: Mutex<LikeCache>,
}

#[derive(Default)]
struct LikeCache {
    by_member: HashMap<MemberId, (Arc<Liked>, Instant)>,
    /// Incremented by every change: a read that started before a change is not cached.
    changes: u64,
}

impl LikeCache {
    fn of(&self, member: MemberId) -> Option<Arc<Liked>> {
        let (liked, since) = self.by_member.get(&member)?;
        (since.elapsed() < CACHE_TTL).then(|| Arc::clone(liked))
    }
}

impl Likes {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            cache: Mutex::default(),
        }
    }

    /// Read from the database at most once in ten seconds, unless they change.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn of(&self, member: MemberId) -> Result<Arc<Liked>, MarketError> {
        let changes = {
            let cache = self.cache.lock();
            if let Some(liked) = cache.of(member) {
                return Ok(liked);
            }
            cache.changes
        };
        let (codes, product_ids) = tokio::try_join!(
            self.store.liked_codes(member),
            self.store.liked_products(member),
        )?;
        let liked = Arc::new(Liked { codes, product_ids });
        let mut cache = self.cache.lock();
        if cache.changes == changes {
            if cache.by_member.len() >= MAX_CACHED_MEMBERS {
                cache.by_member.clear();
            }
            let cached = (Arc::clone(&liked), Instant::now());
            cache.by_member.insert(member, cached);
        }
        Ok(liked)
    }

    /// The likes of `member`, if they are cached.
    #[must_use]
    pub fn cached(&self, member: MemberId) -> Option<Arc<Liked>> {
        self.cache.lock().of(member)
    }

    /// Sets or clears a like, and forgets what is cached of the member, also when it fails.
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
        let _invalidate = InvalidateOnDrop(self, member);
        self.store.like_item(member, code, liked, clock).await
    }

    /// As [`Likes::set_item`], for a savings product.
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
        let _invalidate = InvalidateOnDrop(self, member);
        self.store
            .like_product(member, product_id, liked, clock)
            .await
    }
}

/// Invalidates a member's cached likes when a change ends, even if it was cancelled.
struct InvalidateOnDrop<'a>(&'a Likes, MemberId);

impl Drop for InvalidateOnDrop<'_> {
    fn drop(&mut self) {
        let mut cache = self.0.cache.lock();
        cache.changes += 1;
        cache.by_member.remove(&self.1);
    }
}
