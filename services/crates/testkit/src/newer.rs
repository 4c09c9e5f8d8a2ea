//! What tomorrow's version of a service would say: today's messages with fields in them that
//! nobody knows yet. Whoever runs beside it during an update must understand the rest.

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

/// What stands before each message of a call: a flag and its length.
const FRAME_BYTES: usize = 5;

/// A field of each kind, under numbers that no message of ours has.
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

/// A message as tomorrow's version would write it.
#[must_use]
pub fn message(message: &impl Message) -> Vec<u8> {
    [message.encode_to_vec(), unknown_fields()].concat()
}

/// The field `number` with `message`, already written, in it.
#[must_use]
pub fn inside(number: u32, message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    prost::encode_length_delimiter(message.len(), &mut bytes).expect("a growing buffer has room");
    bytes.extend(message);
    bytes
}

/// Serves `routes` as [`crate::serve`] does, with unknown fields in every request that comes in
/// and every answer that goes out: to the caller the service is newer, to the service the caller.
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

/// Small messages travel whole, which is all that tests send.
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
