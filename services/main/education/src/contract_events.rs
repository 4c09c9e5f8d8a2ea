//! What trading says of contracts that members close before maturity.

use chrono::NaiveDate;
use kernel::{AccountNo, MemberId};
use messaging::consumer::{self, ConsumerSpec};
use messaging::{Amqp, Event};
use prost::Message;
use proto::trading::v1::ContractClosed;
use tokio_util::sync::CancellationToken;

use crate::domain::cards::ClosedContract;
use crate::error::StudyError;
use crate::store::Store;

pub const CLOSED: &str = "trading.contract.closed.v1";

pub const QUEUE: &str = "education.contract-events";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[CLOSED],
        prefetch: 8,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move { note(&store, event).await }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Notes one contract. Idempotent by event.
///
/// # Errors
/// [`StudyError::Malformed`], and those of the database.
pub async fn note(store: &Store, event: Event) -> Result<(), StudyError> {
    let closed = ContractClosed::decode(event.body).map_err(|_shape| StudyError::Malformed)?;
    let member = MemberId(closed.member_id);
    let sums = [
        closed.paid_in_won,
        closed.interest_won,
        closed.tax_won,
        closed.interest_at_maturity_won,
    ];
    let is_plausible = member.0 > 0
        && AccountNo::parse(&closed.account_no).is_ok()
        && sums.into_iter().all(|sum| sum >= 0);
    if !is_plausible {
        return Err(StudyError::Malformed);
    }
    let contract = ClosedContract {
        account_no: closed.account_no,
        closed_at: event.occurred_at,
        name: closed.name,
        paid_in_won: closed.paid_in_won,
        interest_won: closed.interest_won,
        tax_won: closed.tax_won,
        interest_at_maturity_won: closed.interest_at_maturity_won,
        opened_on: day(closed.opened_on)?,
        closed_on: day(closed.closed_on)?,
        matures_on: day(closed.matures_on)?,
    };
    store
        .note_closed_contract(event.event_id, member, &contract)
        .await
}

/// From yyyymmdd.
fn day(number: i32) -> Result<NaiveDate, StudyError> {
    let day = NaiveDate::parse_from_str(&number.to_string(), "%Y%m%d");
    day.map_err(|_number| StudyError::Malformed)
}
