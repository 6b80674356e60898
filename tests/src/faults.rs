//! Fault injection: an interceptor below the AWS SDK that records every call and makes some of them fail.

mod aws_call;
mod fake_responses;
mod fault;
mod injector;
mod interceptor;
mod omission;
mod pages;
mod timer;

pub use aws_call::{AwsCall, serial_depth};
pub use fault::Fault;
pub use injector::FaultInjector;
