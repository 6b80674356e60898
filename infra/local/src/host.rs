//! Starting and stopping the host.

mod backends;
mod background;
mod builder;
mod housekeeping;
mod listener;
mod options;
mod provider;
mod queues;
mod ready;
mod running;
mod timeline;
mod wiring;

pub use builder::HostBuilder;
pub use options::Options;
pub use queues::Queues;
pub use ready::Ready;
pub use running::Host;
