//! The memory allocator of every process that links this crate.
//!
//! A request allocates many small buffers while it decodes items and segments. With the system's allocator,
//! requests that read many segments take about a fifth more CPU (shared/decisions/009-small-functions.md).

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
