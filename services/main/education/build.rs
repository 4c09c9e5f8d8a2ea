//! Embeds the content, so that the program needs no files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    collect(&root, &mut paths)?;
    paths.sort();
    let mut code = String::from("&[\n");
    for path in paths {
        let name = path.strip_prefix(&root)?.to_string_lossy().into_owned();
        writeln!(code, "({name:?}, include_str!({path:?})),")?;
    }
    code.push(']');
    let folder = env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?;
    fs::write(Path::new(&folder).join("content.rs"), code)?;
    Ok(())
}

/// Every file below `folder` that holds content.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
