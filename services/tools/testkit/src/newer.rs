//! Simulates a newer version of a service: messages with additional, unknown fields, which the
//! current version must ignore during an update.

use bytes::{Buf, Bytes};
use http::{Request, Response};
use http_body_util::BodyExt;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::transport::Server;
use tower::util::{MapRequestLayer, MapResponseLayer};

use crate::{Served, open};

/// gRPC's prefix of each message: a flag and the length.
const FRAME_BYTES: usize = 5;

/// One field of each wire type, with numbers that no message uses.
#[must_use]
pub fn unknown_fields() -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(15_001, WireType::Varint, &mut bytes);
    encode_varint(u64::MAX, &mut bytes);
    encode_key(15_002, WireType::SixtyFourBit, &mut bytes);
    bytes.extend(7_i64.to_le_bytes());
    encode_key(15_003, WireType::LengthDelimited, &mut bytes);
    encode_varint(5, &mut bytes);
    bytes.extend(b"later");
    encode_key(15_004, WireType::ThirtyTwoBit, &mut bytes);
    bytes.extend(7_i32.to_le_bytes());
    bytes
}

/// `message` with the unknown fields.
#[must_use]
pub fn message(message: &impl Message) -> Vec<u8> {
    [message.encode_to_vec(), unknown_fields()].concat()
}

/// A field `number` that contains the encoded `message`.
#[must_use]
pub fn inside(number: u32, message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    prost::encode_length_delimiter(message.len(), &mut bytes).expect("a growing buffer has room");
    bytes.extend(message);
    bytes
}

/// As [`crate::serve`], with unknown fields added to every request and response: for the caller the
/// service is newer, and for the service the caller.
pub async fn serve(routes: Routes) -> Served {
    let (served, connections, stopped) = open().await;
    tokio::spawn(async move {
        Server::builder()
            .layer(MapRequestLayer::new(request))
            .layer(MapResponseLayer::new(answer))
            .add_routes(routes)
            .serve_with_incoming_shutdown(connections, stopped)
            .await
            .expect("the test server runs until it is stopped");
    });
    served
}

fn request(request: Request<Body>) -> Request<Body> {
    request.map(with_more)
}

fn answer(answer: Response<Body>) -> Response<Body> {
    answer.map(with_more)
}

/// Handles only messages in one frame, which is all that tests send.
fn with_more(body: Body) -> Body {
    Body::new(body.map_frame(|frame| frame.map_data(lengthened)))
}

fn lengthened(mut data: Bytes) -> Bytes {
    let more = unknown_fields();
    let mut all = Vec::new();
    while data.remaining() > 0 {
        let flag = data.get_u8();
        assert_eq!(flag, 0, "no compressed message");
        let length = usize::try_from(data.get_u32()).expect("a length");
        assert!(data.remaining() >= length, "a message in two pieces");
        let longer = u32::try_from(length + more.len()).expect("a small message");
        all.reserve(FRAME_BYTES + length + more.len());
        all.push(flag);
        all.extend(longer.to_be_bytes());
        all.extend(data.split_to(length));
        all.extend(&more);
    }
    all.into()
}
