//! The latest state of every instrument, read from the tick log.
