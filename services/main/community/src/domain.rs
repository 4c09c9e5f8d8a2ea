//! The rules of the community, without a clock, a database or the network.

pub mod causes;
pub mod cursor;
pub mod moderation;
pub mod pictures;
pub mod post;
pub mod reports;
pub mod writing;
