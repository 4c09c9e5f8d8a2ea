//! From a feed's ticks to the tick log: validation, batching and publishing.
