//! Where prices come from: the adapter that every feed is, and the feeds.

use std::path::PathBuf;

use clap::Parser;

/// Settings of the feed, the tick log and the history.
#[derive(Clone, Debug, Parser)]
pub struct FeedConfig {
    /// Recorded daily prices (gzip CSV) that the replay feed plays.
    #[arg(long, env = "REPLAY_FILE")]
    pub replay_file: Option<PathBuf>,
}
