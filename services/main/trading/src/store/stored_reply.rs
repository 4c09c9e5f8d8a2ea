//! Encoding of stored replies, so that a repeated request gets the same reply. The stored form is the
//! message that is sent, on purpose: no change of the code can change an old reply. So the transactions of
//! requests make messages, which `grpc` only hands on.

use prost::Message;
use proto::common::v1::Problem;
use proto::trading::v1::{
    BuyItemReply, CloseAccountReply, CloseContractReply, ContractReply, CreateLeagueReply,
    ExchangeCashReply, JoinCompetitionReply, LeaveCompetitionReply, MovePointsReply, OrderReply,
    ResetReply, SpendPointsReply, TransferReply,
};
use sea_orm::DbErr;
use tonic::Code;

use crate::error::StoredRejection;

#[derive(Clone, Debug, PartialEq)]
pub enum StoredReply {
    /// The bytes of a message; the kind of the request determines its type.
    Reply(Vec<u8>),
    Rejection(Box<StoredRejection>),
}

/// A reply that says whether it is replayed.
pub trait Repeatable: Message + Default {
    fn set_replayed(&mut self);
}

macro_rules! repeatable {
    ($($reply:ty),+ $(,)?) => {
        $(impl Repeatable for $reply {
            fn set_replayed(&mut self) {
                self.replayed = true;
            }
        })+
    };
}

repeatable!(
    OrderReply,
    TransferReply,
    CloseAccountReply,
    ContractReply,
    CloseContractReply,
    ExchangeCashReply,
    MovePointsReply,
    SpendPointsReply,
    BuyItemReply,
    ResetReply,
    JoinCompetitionReply,
    LeaveCompetitionReply,
    CreateLeagueReply,
);

const REPLY: u8 = 1;
const REJECTION: u8 = 2;

impl StoredReply {
    #[must_use]
    pub fn of(reply: &impl Message) -> Self {
        Self::Reply(reply.encode_to_vec())
    }

    /// The bytes of the column: a tag, the status code of a rejection, and the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Reply(body) => [&[REPLY], body.as_slice()].concat(),
            Self::Rejection(stored) => {
                let code = u8::try_from(i32::from(stored.code)).unwrap_or(u8::MAX);
                let mut bytes = vec![REJECTION, code];
                bytes.extend(stored.problem.encode_to_vec());
                bytes
            }
        }
    }

    /// # Errors
    /// [`DbErr`] when [`StoredReply::encode`] did not write the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, DbErr> {
        match bytes {
            [REPLY, body @ ..] => Ok(Self::Reply(body.to_vec())),
            [REJECTION, code, body @ ..] => {
                let problem = Problem::decode(body).map_err(|error| unreadable(&error))?;
                Ok(Self::Rejection(Box::new(StoredRejection {
                    code: Code::from_i32(i32::from(*code)),
                    problem,
                })))
            }
            _ => Err(DbErr::Custom("stored reply: no known tag".to_owned())),
        }
    }
}

/// The message of a stored reply.
///
/// # Errors
/// [`DbErr`] when the bytes are no message of this type.
pub fn message<M: Message + Default>(body: &[u8]) -> Result<M, DbErr> {
    M::decode(body).map_err(|error| unreadable(&error))
}

fn unreadable(error: &prost::DecodeError) -> DbErr {
    DbErr::Custom(format!("stored reply: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_message_comes_back_as_it_was_stored() {
        let balances = proto::trading::v1::Balances {
            education_points: 7,
            cash: 3,
        };
        let bytes = StoredReply::of(&balances).encode();
        let StoredReply::Reply(body) = StoredReply::decode(&bytes).unwrap() else {
            panic!("a rejection");
        };
        assert_eq!(
            message::<proto::trading::v1::Balances>(&body).unwrap(),
            balances
        );
        let rejection = StoredReply::Rejection(Box::new(StoredRejection {
            code: Code::FailedPrecondition,
            problem: Problem {
                reason: "INSUFFICIENT_CASH".to_owned(),
                ..Problem::default()
            },
        }));
        assert_eq!(StoredReply::decode(&rejection.encode()).unwrap(), rejection);
        StoredReply::decode(&[3]).unwrap_err();
    }
}
