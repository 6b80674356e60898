//! The checker, driven by hand: the test says which event comes when, how often, and where the process dies.

mod bench;
mod crashes;
mod deadline;
mod events;
mod outcomes;
