//! Pictures for measurements, and how much memory the worst of them take. `make` writes them into a
//! folder; `decode` decodes each file of a folder as often at once as uploads are received, on the
//! threads of the service. Both print a line of JSON for each file.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a measurement that cannot be made must stop"
)]

mod files;
#[path = "../../tests/it/made_pictures.rs"]
#[expect(dead_code, reason = "the tests need more of it")]
mod made_pictures;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use community::error::CommunityError;
use community::pictures::MAX_BYTES;
use community::pictures::decoding::Decoders;
use community::pictures::render::Rendered;
use community::pictures::upload::RECEIVING;
use futures_util::future::join_all;
use serde_json::json;

#[derive(Clone, Debug, Parser)]
struct Settings {
    #[arg(value_enum)]
    action: Action,
    folder: PathBuf,
    /// Passed by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Action {
    /// Write honest photos and drawings.
    Honest,
    /// Write the files that take the most memory.
    Worst,
    Decode,
}

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    match settings.action {
        Action::Honest => write(&settings.folder, files::honest()),
        Action::Worst => write(&settings.folder, files::worst()),
        Action::Decode => decode(&settings.folder).await,
    }
}

fn write(folder: &Path, files: impl Iterator<Item = (String, Vec<u8>)>) {
    for (name, bytes) in files {
        let length = bytes.len();
        assert!(length <= MAX_BYTES, "{name} has {length} bytes");
        let path = folder.join(&name);
        fs::write(&path, bytes).unwrap();
        println!("{}", json!({"name": name, "path": path, "length": length}));
    }
}

async fn decode(folder: &Path) {
    let decoders = Decoders::start().unwrap();
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort_unstable();
    for path in paths {
        let file = fs::read(&path).unwrap();
        forget_peak();
        let begun = Instant::now();
        let uploads = (0..RECEIVING).map(|_| {
            let mut bytes = file.clone();
            // What is behind a picture is ignored, but held as long.
            bytes.resize(MAX_BYTES, 0);
            decoders.render(bytes)
        });
        let uploads: Vec<_> = uploads.collect();
        let outcomes = join_all(uploads).await;
        let took = begun.elapsed();
        let outcome = outcome(outcomes.first().unwrap());
        let name = path.file_stem().unwrap().to_string_lossy();
        println!(
            "{}",
            json!({"name": name, "outcome": outcome, "peakMb": peak_mb(), "tookMs": took.as_millis()})
        );
    }
}

fn outcome(rendered: &Result<Rendered, CommunityError>) -> String {
    match rendered {
        Ok(rendered) => format!("{} × {}", rendered.width, rendered.height),
        Err(refused) => format!("{refused:?}"),
    }
}

/// The peak begins anew with what is resident now.
fn forget_peak() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn peak_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = peak
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes / 1024
}
