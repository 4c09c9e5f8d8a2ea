//! Tick tables.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::trading::v1 as trading;
use serde::Serialize;
use utoipa::ToSchema;

use super::number::Exact;

/// At or above `from`, prices are multiples of `tick`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct TickBand {
    pub(crate) from: Exact,
    pub(crate) tick: Exact,
}

impl TryFrom<trading::TickBand> for TickBand {
    type Error = InvalidField;

    fn try_from(band: trading::TickBand) -> Result<Self, InvalidField> {
        Ok(Self {
            from: Exact(required(band.from.as_ref(), "from")?),
            tick: Exact(required(band.tick.as_ref(), "tick")?),
        })
    }
}
