//! The largest members of the index that an ETF follows.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::Item;
use crate::wire::number::Exact;

/// The largest members of an index.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IndexConstituents {
    pub(crate) constituents: Vec<IndexConstituent>,
    /// Members of the index altogether.
    total: i32,
}

/// A company of an index.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IndexConstituent {
    pub(crate) item: Item,
    /// Percent of the index, two decimals.
    weight: Exact,
}

impl TryFrom<market::IndexConstituents> for IndexConstituents {
    type Error = InvalidField;

    fn try_from(index: market::IndexConstituents) -> Result<Self, InvalidField> {
        let convert = |constituent: market::IndexConstituent| {
            Ok(IndexConstituent {
                item: constituent.item.ok_or(InvalidField("item"))?.try_into()?,
                weight: Exact(required(constituent.weight.as_ref(), "weight")?),
            })
        };
        let constituents = index.constituents.into_iter().map(convert);
        Ok(Self {
            constituents: constituents.collect::<Result<_, InvalidField>>()?,
            total: index.total,
        })
    }
}
