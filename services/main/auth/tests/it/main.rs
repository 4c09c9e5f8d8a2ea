//! Tests of the service through gRPC, with a migrated database per test and a fixed clock.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where the world is not as it says"
)]

mod appearance;
mod clocks;
mod digests;
mod edited_notices;
mod ended_sessions;
mod front;
mod join;
mod login;
mod mails;
mod new_devices;
mod notice_queues;
mod notices;
mod notification_settings;
mod notifications;
mod old_sessions;
mod passwords;
mod plans;
mod process;
mod profile;
mod push;
mod push_faults;
mod push_order;
mod push_providers;
mod session;
mod withdrawn_likes;
mod withdrawn_notices;
mod withdrawn_posts;
mod withdrawn_unread;
mod world;
