//! What trading says of purchases that leave much of a member's total in one item.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec};
use messaging::{Amqp, Event};
use prost::Message;
use proto::convert::{InvalidField, to_instant, to_required_decimal};
use proto::trading::v1::ConcentrationNoticed;
use rust_decimal::Decimal;
use tokio_util::sync::CancellationToken;

use crate::domain::cards::Concentration;
use crate::error::StudyError;
use crate::store::Store;

pub const NOTICED: &str = "trading.concentration.noticed.v1";

pub const QUEUE: &str = "education.concentration-events";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[NOTICED],
        prefetch: 8,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move { note(&store, event).await }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Keeps the newest of a member. An older or repeated event has no effect.
///
/// # Errors
/// [`StudyError::Malformed`], and those of the database.
pub async fn note(store: &Store, event: Event) -> Result<(), StudyError> {
    let noticed =
        ConcentrationNoticed::decode(event.body).map_err(|_shape| StudyError::Malformed)?;
    let member = MemberId(noticed.member_id);
    let concentration = concentration_of(noticed).map_err(|_field| StudyError::Malformed)?;
    if member.0 <= 0 || !is_plausible(&concentration) {
        return Err(StudyError::Malformed);
    }
    store.note_concentration(member, &concentration).await
}

fn concentration_of(noticed: ConcentrationNoticed) -> Result<Concentration, InvalidField> {
    Ok(Concentration {
        percent: to_required_decimal(noticed.percent.as_ref(), "percent")?,
        noticed_at: to_instant(noticed.noticed_at_us, "noticed_at_us")?,
        instrument_code: noticed.instrument_code,
        instrument_name: noticed.instrument_name,
        value_won: noticed.value_won,
        total_won: noticed.total_won,
    })
}

fn is_plausible(concentration: &Concentration) -> bool {
    !concentration.instrument_code.is_empty()
        && concentration.value_won > 0
        && concentration.value_won <= concentration.total_won
        && concentration.percent > Decimal::ZERO
        && concentration.percent <= Decimal::ONE_HUNDRED
}
