//! Where the mails of a local installation go: an SMTP server that keeps every mail as a file and
//! sends none on, and a page on which they can be read. Nothing of it belongs on a public host.

pub mod config;
pub mod pages;
pub mod shelf;
pub mod smtp;
