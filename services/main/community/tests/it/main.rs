//! The service with real servers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is surprised"
)]

mod appeals;
mod commands;
mod comments;
mod consistency;
mod jobs;
mod joined;
mod likes;
mod lists;
mod moderation;
mod mutes;
mod people;
mod plans;
mod posts;
mod process;
mod reports;
mod restrictions;
mod told;
mod world;
mod writing;
