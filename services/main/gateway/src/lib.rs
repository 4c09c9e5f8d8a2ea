//! The public door: HTTP in, gRPC out. It knows who calls and what they may name, translates
//! between the wire's words and the services', and owns no data.

pub mod app;
pub mod body;
pub mod clients;
mod client_files;
pub mod config;
pub mod error;
pub mod guard;
mod headers;
mod limits;
pub mod openapi;
mod params;
mod reason;
pub mod registry;
pub mod routes;
mod server;
mod session;
pub mod state;

pub use server::run;
