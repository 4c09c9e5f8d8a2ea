//! The public door: HTTP in, gRPC out. It knows who calls and what they may name, translates
//! between the wire's words and the services', and owns no data.

mod app;
mod asyncapi;
mod body;
mod client_files;
mod client_page;
mod clients;
pub mod config;
mod door;
pub mod error;
mod guard;
mod headers;
mod limits;
pub mod openapi;
mod origins;
mod panics;
mod params;
mod reason;
mod recent;
mod refusal;
pub mod registry;
pub mod routes;
mod seats;
mod server;
mod session;
mod state;
mod together;

pub use server::run;
