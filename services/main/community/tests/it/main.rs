//! The service with real servers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is surprised"
)]

mod comments;
mod consistency;
mod jobs;
mod joined;
mod likes;
mod lists;
mod people;
mod plans;
mod posts;
mod process;
mod reports;
mod told;
mod world;
mod writing;
