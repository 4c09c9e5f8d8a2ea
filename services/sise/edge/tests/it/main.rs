//! The edge from outside: a real websocket client, a real RabbitMQ, and stand-ins for
//! market-data, trading and auth.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where it stands"
)]

mod document;
mod documented;
mod fake_auth;
mod fakes;
mod floods;
mod garbage;
mod http;
mod newer;
mod notices;
mod prices;
mod private;
mod program;
mod reordered;
mod rig;
mod sessions;
mod sockets;
