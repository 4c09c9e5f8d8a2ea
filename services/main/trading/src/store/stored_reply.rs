//! Encoding of stored replies, so that a repeated request gets the same reply.

use prost::Message;
use proto::common::v1::Problem;
use proto::trading::v1::OrderReply;
use sea_orm::DbErr;
use tonic::Code;

use crate::error::StoredRejection;

#[derive(Clone, Debug, PartialEq)]
pub enum StoredReply {
    Reply(Box<OrderReply>),
    Rejection(Box<StoredRejection>),
}

const REPLY: u8 = 1;
const REJECTION: u8 = 2;

impl StoredReply {
    /// The bytes of the column: a tag, the status code of a rejection, and the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Reply(reply) => {
                let mut bytes = vec![REPLY];
                bytes.extend(reply.encode_to_vec());
                bytes
            }
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
        let unreadable =
            |error: prost::DecodeError| DbErr::Custom(format!("stored answer: {error}"));
        match bytes {
            [REPLY, body @ ..] => OrderReply::decode(body)
                .map(|reply| Self::Reply(Box::new(reply)))
                .map_err(unreadable),
            [REJECTION, code, body @ ..] => {
                let problem = Problem::decode(body).map_err(unreadable)?;
                Ok(Self::Rejection(Box::new(StoredRejection {
                    code: Code::from_i32(i32::from(*code)),
                    problem,
                })))
            }
            _ => Err(DbErr::Custom("stored answer: no known tag".to_owned())),
        }
    }
}
