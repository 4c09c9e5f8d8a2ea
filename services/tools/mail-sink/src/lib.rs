//! The mail server of a local installation: an SMTP server that stores every mail as a file and
//! forwards none, and a page to read them. Copies of pushes are shown beside them. Not for public
//! hosts.

pub mod config;
mod folder;
pub mod mail_store;
pub mod pages;
pub mod push_store;
pub mod smtp;
