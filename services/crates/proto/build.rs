//! Compiles the `.proto` files of the repository. `protox` is a compiler in Rust, so no system
//! `protoc` is needed.

use std::io;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from("../../../proto");
    println!("cargo:rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    collect(&root, &mut files)?;
    // The generated code has the order of the files.
    files.sort();
    let descriptors = protox::compile(files, [&root])?;
    tonic_prost_build::configure()
        .build_transport(true)
        // Maps in order, so that a stored answer reads the same every time.
        .btree_map(".")
        .compile_fds(descriptors)?;
    Ok(())
}

/// Every `.proto` file below `folder`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "proto")
        {
            files.push(path);
        }
    }
    Ok(())
}
