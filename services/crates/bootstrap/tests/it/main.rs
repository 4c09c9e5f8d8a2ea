//! What every process does the same way, against real servers.

mod calls;
mod handover;
mod panics;
mod stores;
