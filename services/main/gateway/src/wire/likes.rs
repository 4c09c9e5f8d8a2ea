//! The likes of a member, and how rows are marked with them.

use std::collections::HashSet;

use proto::market::v1 as market;

#[derive(Debug, Default)]
pub(crate) struct Likes {
    codes: HashSet<String>,
    products: HashSet<i64>,
}

impl Likes {
    pub(crate) fn has_code(&self, code: &str) -> bool {
        self.codes.contains(code)
    }

    pub(crate) fn has_product(&self, sid: i64) -> bool {
        self.products.contains(&sid)
    }

    /// Sets the like of every row.
    pub(crate) fn mark<R: Likeable>(&self, rows: &mut [R]) {
        for row in rows {
            *row.like() = row.is_in(self);
        }
    }
}

impl From<market::Likes> for Likes {
    fn from(likes: market::Likes) -> Self {
        Self {
            codes: likes.codes.into_iter().collect(),
            products: likes.product_ids.into_iter().collect(),
        }
    }
}

/// A row that shows whether the caller likes it.
pub(crate) trait Likeable {
    fn is_in(&self, likes: &Likes) -> bool;

    fn like(&mut self) -> &mut bool;
}
