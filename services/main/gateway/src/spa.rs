//! The built client: its files, and its index page with the configuration and first prices inlined.

pub(crate) mod files;
mod first_prices;
mod index_page;
