//! The gateway as a whole: a real server on a port of its own, with fake services behind it.
//! `BAD_INPUT.md` beside this folder says which tests cover which class of bad input.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is surprised"
)]

mod bad_input;
mod callers;
mod client_files;
mod clocks;
mod community_routes;
mod competition_routes;
mod contract_routes;
mod dividend_routes;
mod document;
mod education_routes;
mod ended_sessions;
mod equity_routes;
mod fakes;
mod file_routes;
mod first_page;
mod input_fields;
mod interest_routes;
mod live_document;
mod market_routes;
mod member_routes;
mod network;
mod newer;
mod notification_routes;
mod order_refusals;
mod order_routes;
mod outages;
mod parameters;
mod point_routes;
mod price_alert_routes;
mod product_routes;
mod profile_routes;
mod profit_routes;
mod program;
mod push_routes;
mod requests;
mod route_list;
mod season_routes;
mod session_routes;
mod sockets;
mod starvation;
mod subjects;
mod test_gateway;
mod tokens;
mod transfer_routes;
mod trend_routes;
