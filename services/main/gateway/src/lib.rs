//! The public API of the product: HTTP and JSON for clients, gRPC to the services. The gateway
//! authenticates callers, authorizes every request, translates between the public contract and the
//! services' messages, and stores nothing.
//!
//! - `middleware`: what runs before and around handlers
//! - `routes`: one file for each heading of the product's list of calls, its bodies beside it; what
//!   stocks, coins and commodities share is the table `routes::asset::kinds`
//! - `wire`: types of the public contract that several routes share
//! - `upstream`: clients of the services with their retry policy, and shared reads
//! - `spa`: the built client

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
