//! The public API of the product: HTTP and JSON for clients, gRPC to the services. The gateway
//! authenticates callers, authorizes every request, translates between the public contract and the
//! services' messages, and stores nothing.

mod app;
mod asyncapi;
mod authentication;
pub mod config;
pub mod endpoint;
pub mod error;
mod extract;
mod middleware;
pub mod openapi;
mod origins;
pub mod routes;
mod server;
mod spa;
mod state;
mod upstream;
mod wire;

pub use server::run;
