//! What members are told of contracts that act by themselves.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, Won};
use proto::trading::v1 as wire;

use super::contract::Contract;
use super::{MaturityAction, day_of};
use crate::domain::day::yyyymmdd;
use crate::store::lock::Accounts;

pub(super) fn account_nos(accounts: &Accounts) -> BTreeMap<AccountId, String> {
    let accounts = accounts.iter();
    accounts
        .map(|(id, locked)| (*id, locked.account.account_no.to_string()))
        .collect()
}

/// `payout` is what was paid in, with interest and without tax.
pub(super) fn matured(
    contract: &Contract,
    account_no: &str,
    payout: Won,
    is_renewed: bool,
    today: NaiveDate,
) -> wire::ContractMatured {
    let row = &contract.row;
    let outcome = match (contract.action, is_renewed) {
        (MaturityAction::Keep, _) => "KEPT",
        (_, true) => "RENEWED",
        (_, false) => "PAID_OUT",
    };
    wire::ContractMatured {
        member_id: row.member_id.0,
        account_no: account_no.to_owned(),
        name: row.product_name.clone(),
        kind: contract.wire_kind().into(),
        paid_in_won: row.paid_in_won.0,
        interest_won: payout.0.saturating_sub(row.paid_in_won.0),
        outcome: outcome.to_owned(),
        matured_on: yyyymmdd(today),
    }
}

/// Says which payment was missed, and whether it is tried again.
pub(super) fn missed(
    contract: &Contract,
    account_no: &str,
    (number, is_retried): (u32, bool),
    at: DateTime<Utc>,
) -> wire::ContractMissed {
    let row = &contract.row;
    wire::ContractMissed {
        member_id: row.member_id.0,
        account_no: account_no.to_owned(),
        name: row.product_name.clone(),
        amount_won: row.amount_won.0,
        number: i32::try_from(number).unwrap_or(i32::MAX),
        is_retried,
        missed_on: yyyymmdd(day_of(at)),
    }
}
