//! The table of events: what each of them tells whom. To tell of another event, add a row to
//! [`RULES`] and a function like its neighbours, and the event to a queue in [`super::consumer`].

mod community;
mod competitions;
mod contracts;
mod learning;
mod orders;
mod prices;

use messaging::Event;
use messaging::consumer::HandlerError;
use prost::Message;
use proto::convert::InvalidField;
use rust_decimal::Decimal;

use super::Notice;
pub(super) use community::{comment_key, post_link};

pub const ORDER_FILLED: &str = "trading.order.filled.v1";
pub const ORDER_ENDED: &str = "trading.order.ended.v1";
pub const CONTRACT_MATURED: &str = "trading.contract.matured.v1";
pub const CONTRACT_MISSED: &str = "trading.contract.missed.v1";
pub const COMPETITION_STARTED: &str = "trading.competition.started.v1";
pub const COMPETITION_ENDED: &str = "trading.competition.ended.v1";
pub const COMPETITION_RANKED: &str = "trading.competition.ranked.v1";
pub const STREAK_AT_RISK: &str = "education.streak.at_risk.v1";
pub const COMMENT_WRITTEN: &str = "community.comment.written.v1";
pub const POST_LIKED: &str = "community.post.liked.v1";
pub const REPORT_DECIDED: &str = "community.report.decided.v1";
pub const POST_HIDDEN: &str = "community.post.hidden.v1";
pub const ALERT_FIRED: &str = "market.alert.fired.v1";

type Rule = fn(&Event) -> Result<Vec<Notice>, InvalidNotice>;

/// Each event, and what it tells.
const RULES: [(&str, Rule); 13] = [
    (ORDER_FILLED, |event| orders::filled(decode(event)?)),
    (ORDER_ENDED, |event| orders::ended(decode(event)?)),
    (CONTRACT_MATURED, |event| {
        contracts::matured(&decode(event)?)
    }),
    (CONTRACT_MISSED, |event| contracts::missed(&decode(event)?)),
    (COMPETITION_STARTED, |event| {
        Ok(competitions::started(&decode(event)?))
    }),
    (COMPETITION_ENDED, |event| {
        Ok(competitions::ended(&decode(event)?))
    }),
    (COMPETITION_RANKED, |event| {
        Ok(competitions::ranked(&decode(event)?))
    }),
    (STREAK_AT_RISK, |event| learning::at_risk(&decode(event)?)),
    (COMMENT_WRITTEN, |event| {
        Ok(community::commented(&decode(event)?))
    }),
    (POST_LIKED, |event| community::liked(decode(event)?)),
    (REPORT_DECIDED, |event| {
        community::report_decided(&decode(event)?)
    }),
    (POST_HIDDEN, |event| community::hidden(&decode(event)?)),
    (ALERT_FIRED, |event| prices::alert_fired(&decode(event)?)),
];

/// An event that does not say what it must; a retry cannot help.
#[derive(Debug, thiserror::Error)]
pub enum InvalidNotice {
    #[error("no notification comes of {0}")]
    UnknownEvent(String),
    #[error(transparent)]
    Body(#[from] prost::DecodeError),
    #[error(transparent)]
    Field(#[from] InvalidField),
}

impl From<InvalidNotice> for HandlerError {
    fn from(error: InvalidNotice) -> Self {
        Self::failed(error)
    }
}

/// What an event tells, each member at most once.
///
/// # Errors
/// [`InvalidNotice`].
pub fn notices(event: &Event) -> Result<Vec<Notice>, InvalidNotice> {
    let rule = RULES.iter().find(|(name, _)| *name == event.event_type);
    let (_, rule) = rule.ok_or_else(|| InvalidNotice::UnknownEvent(event.event_type.clone()))?;
    let mut notices = rule(event)?;
    notices.retain(|notice| notice.member.0 > 0);
    Ok(notices)
}

fn decode<M: Message + Default>(event: &Event) -> Result<M, prost::DecodeError> {
    M::decode(event.body.clone())
}

fn decimal(text: &str, field: &'static str) -> Result<Decimal, InvalidField> {
    text.parse().ok().ok_or(InvalidField(field))
}

#[cfg(test)]
mod tests;
