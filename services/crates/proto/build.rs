//! Compiles the `.proto` files of the repository. `protox` is a compiler in Rust, so no system
//! `protoc` is needed.

use std::path::PathBuf;

const FILES: [&str; 14] = [
    "seedup/common/v1/types.proto",
    "seedup/auth/v1/service.proto",
    "seedup/auth/v1/events.proto",
    "seedup/auth/v1/members.proto",
    "seedup/auth/v1/credentials.proto",
    "seedup/market/v1/ticks.proto",
    "seedup/market/v1/service.proto",
    "seedup/market/v1/interests.proto",
    "seedup/market/v1/products.proto",
    "seedup/market/v1/trends.proto",
    "seedup/market/v1/actions.proto",
    "seedup/trading/v1/service.proto",
    "seedup/trading/v1/events.proto",
    "seedup/trading/v1/dividends.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from("../../../proto");
    println!("cargo:rerun-if-changed={}", root.display());

    let descriptors = protox::compile(FILES, [&root])?;
    tonic_prost_build::configure()
        .build_transport(true)
        // Maps in order, so that a stored answer reads the same every time.
        .btree_map(".")
        .compile_fds(descriptors)?;
    Ok(())
}
