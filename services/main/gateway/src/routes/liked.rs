//! What the caller likes, to mark the rows of an answer: asked for once per request, beside what
//! is marked.

use std::collections::HashSet;
use std::sync::Arc;

use proto::market::v1::Likes;

use super::shape::holding::Holding;
use super::shape::item::Item;
use super::shape::product::Product;
use crate::session::Caller;
use crate::state::Gateway;

/// The likes of a caller; none for nobody.
#[derive(Debug, Default)]
pub(crate) struct Liked {
    codes: HashSet<String>,
    products: HashSet<i64>,
}

/// A row that shows whether it is liked.
pub(super) trait Likeable {
    /// Whether `liked` has it.
    fn is_in(&self, liked: &Liked) -> bool;

    /// The mark.
    fn like(&mut self) -> &mut bool;

    /// Sets the mark of a row that is known to be liked.
    fn mark_liked(&mut self) {
        *self.like() = true;
    }
}

impl Liked {
    /// The likes of `caller`. A heart is not worth an answer: when they cannot be read, none is
    /// shown.
    pub(super) async fn of(state: &Gateway, caller: Option<&Caller>) -> Arc<Self> {
        let Some(caller) = caller else {
            return Arc::default();
        };
        let likes = state.shared.liked(caller.member_id).await;
        likes.unwrap_or_else(|error| {
            tracing::warn!(%error, "rows are shown without likes");
            Arc::default()
        })
    }

    /// Marks every row.
    pub(super) fn mark<R: Likeable>(&self, rows: &mut [R]) {
        for row in rows {
            *row.like() = row.is_in(self);
        }
    }
}

impl From<Likes> for Liked {
    fn from(likes: Likes) -> Self {
        Self {
            codes: likes.codes.into_iter().collect(),
            products: likes.product_ids.into_iter().collect(),
        }
    }
}

impl Likeable for Item {
    fn is_in(&self, liked: &Liked) -> bool {
        liked.codes.contains(&self.isu_srt_cd)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}

impl Likeable for Holding {
    fn is_in(&self, liked: &Liked) -> bool {
        liked.codes.contains(&self.isu_srt_cd)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}

impl Likeable for Product {
    fn is_in(&self, liked: &Liked) -> bool {
        liked.products.contains(&self.sid)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}
