//! Writes the seeds of every target to a folder: `seeds DIR` creates `DIR/<target>/seed-<n>`.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> std::io::Result<ExitCode> {
    let Some(corpus) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Ok(ExitCode::FAILURE);
    };
    for target in fuzz_targets::TARGETS {
        let folder = corpus.join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (n, seed) in (target.seeds)().into_iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{n}")), seed)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
