//! Writes the OpenAPI document to its file.
#![forbid(unsafe_code)]

fn main() -> std::io::Result<()> {
    std::fs::write(openapi::FILE, openapi::printed())
}
