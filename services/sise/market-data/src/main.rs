//! The market-data process.

use clap::Parser;
use market_data::config::Arguments;

fn main() {
    let _arguments = Arguments::parse();
}
