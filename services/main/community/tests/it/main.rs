//! The service with real servers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is surprised"
)]

mod appeals;
mod causes;
mod commands;
mod comments;
mod consistency;
mod edits;
mod erasure_races;
mod erasures;
mod flaky_store;
mod held_comments;
mod hostile_pictures;
mod jobs;
mod joined;
mod likes;
mod lists;
mod made_pictures;
mod many_pictures;
mod many_reports;
mod moderation;
mod mutes;
mod people;
mod picture_calls;
mod picture_files;
mod picture_folder;
mod picture_races;
mod picture_texts;
mod plans;
mod posts;
mod process;
mod reports;
mod restrictions;
mod s3;
mod sanctions;
mod told;
mod unseen_posts;
mod withdrawal_dates;
mod world;
mod writing;
