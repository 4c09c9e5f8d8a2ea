//! Contracts of deposits and savings plans.

use std::collections::BTreeMap;

use super::Wallet;
use crate::acts::products::{Plan, Product};
use crate::acts::{ActReply, OpenContract};

const OPEN_MOST: usize = 50;
const OPENINGS_A_DAY: usize = 100;
/// Payments into a free plan in a month.
const PAYMENTS_A_MONTH: i64 = 100;
/// An early close on the first or second day earns less than this part.
const INTEREST_PART: i64 = 10_000;

#[derive(Clone, Debug)]
pub(crate) struct Contract {
    pub(crate) product: Product,
    /// Principal, or the sum of a month.
    pub(crate) won: i64,
    pub(crate) paid_in: i64,
    pub(crate) payments: i64,
    /// What closing it paid.
    pub(crate) payout: Option<i64>,
}

pub(crate) type Contracts = BTreeMap<String, Contract>;

impl Wallet {
    fn open_contracts(&self) -> usize {
        let contracts = self.contracts.values();
        contracts.filter(|one| one.payout.is_none()).count()
    }

    pub(super) fn open(&mut self, open: &OpenContract, reply: &ActReply) -> Result<(), String> {
        let is_full = self.open_contracts() >= OPEN_MOST;
        let ActReply::Contract {
            number,
            status,
            won,
            paid_in,
            payments,
        } = reply
        else {
            return Err(format!("another reply than a contract: {reply:?}"));
        };
        let contract = Contract {
            product: open.product.clone(),
            won: open.won,
            paid_in: open.won,
            payments: 1,
            payout: None,
        };
        self.basic_won -= open.won;
        let before = self.contracts.insert(number.clone(), contract);
        let is_right = open.is_offered()
            && !is_full
            && before.is_none()
            && status == "ACTIVE"
            && (*won, *paid_in, *payments) == (open.won, open.won, 1);
        is_right
            .then_some(())
            .ok_or_else(|| format!("a contract that was not asked for: {reply:?}"))
    }

    pub(super) fn check_refused_opening(
        &self,
        open: &OpenContract,
        reason: &str,
    ) -> Result<(), String> {
        let expected = match reason {
            "PRODUCT_NOT_FOUND" => !open.is_known,
            "TERM_NOT_OFFERED" => open.is_known && open.months != open.product.months,
            "INVALID_AMOUNT" => open.is_known && !open.product.takes(open.won),
            "TOO_MANY_CONTRACTS" => open.is_offered() && self.open_contracts() >= OPEN_MOST,
            "CONTRACT_LIMIT" => open.is_offered() && self.contracts.len() >= OPENINGS_A_DAY,
            // Orders hold won of the BASIC account and spend it.
            "INSUFFICIENT_CASH" => open.is_offered(),
            _ => false,
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn pay(&mut self, number: &str, won: i64, reply: &ActReply) -> Result<(), String> {
        let fault = || format!("paid in otherwise: {reply:?}");
        let contract = self.contracts.get_mut(number).ok_or_else(fault)?;
        let is_allowed = contract.why_not(won).is_none();
        contract.paid_in += won;
        contract.payments += 1;
        self.basic_won -= won;
        let expected = (contract.paid_in, contract.payments);
        let is_right = matches!(reply, ActReply::Contract { number: paid, paid_in, payments, .. }
            if paid == number && (*paid_in, *payments) == expected);
        (is_allowed && is_right).then_some(()).ok_or_else(fault)
    }

    pub(super) fn check_refused_payment(
        &self,
        number: &str,
        won: i64,
        reason: &str,
    ) -> Result<(), String> {
        let expected = match self.contracts.get(number).map(|one| one.why_not(won)) {
            None => reason == "ACCOUNT_FORBIDDEN",
            Some(Some(why)) => reason == why,
            Some(None) => reason == "INSUFFICIENT_CASH",
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn end(
        &mut self,
        number: &str,
        shown: Option<i64>,
        reply: &ActReply,
    ) -> Result<(), String> {
        let fault = || format!("closed otherwise: {reply:?}");
        let ActReply::ContractClosed {
            number: closed,
            status,
            principal,
            interest,
            taxes: (income, local),
            payout,
            won,
        } = reply
        else {
            return Err(fault());
        };
        self.basic_won += payout;
        let contract = self.contracts.get_mut(number).ok_or_else(fault)?;
        let before = contract.payout.replace(*payout);
        let most_interest = match contract.product.plan {
            Plan::Free => contract.paid_in / INTEREST_PART,
            Plan::Deposit | Plan::Savings => 0,
        };
        // Both taxes are cut to ten won.
        let income_tax = interest * 14 / 1_000 * 10;
        let local_tax = income_tax / 100 * 10;
        let is_right = before.is_none()
            && closed == number
            && status == "EARLY_CLOSED"
            && *principal == contract.paid_in
            && (0..=most_interest).contains(interest)
            && (*income, *local) == (income_tax, local_tax)
            && *payout == principal + interest - income - local
            && shown.is_none_or(|shown| shown == *payout)
            && *won >= *payout;
        is_right.then_some(()).ok_or_else(fault)
    }

    pub(super) fn check_refused_end(
        &self,
        number: &str,
        shown: Option<i64>,
        reason: &str,
    ) -> Result<(), String> {
        let expected = match self.contracts.get(number) {
            None => reason == "ACCOUNT_FORBIDDEN",
            Some(contract) if contract.payout.is_some() => reason == "CONTRACT_CLOSED",
            // A free plan earns from day to day.
            Some(contract) => {
                let is_other = shown.is_some_and(|shown| shown != contract.paid_in);
                let is_free = contract.product.plan == Plan::Free && shown.is_some();
                reason == "PAYOUT_CHANGED" && (is_other || is_free)
            }
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }
}

impl Contract {
    /// Why it takes no such payment in its first month.
    fn why_not(&self, won: i64) -> Option<&'static str> {
        if self.payout.is_some() {
            return Some("CONTRACT_CLOSED");
        }
        match self.product.plan {
            Plan::Deposit => Some("NO_PAYMENT_DUE"),
            Plan::Savings if won != self.won => Some("INVALID_AMOUNT"),
            Plan::Savings => Some("NO_PAYMENT_DUE"),
            Plan::Free => {
                let most = self.product.most_won.unwrap_or(i64::MAX);
                if self.paid_in + won > most || self.payments >= PAYMENTS_A_MONTH {
                    Some("MONTHLY_CAP")
                } else {
                    None
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: &str = "000000004204";

    fn open(plan: Plan, won: i64) -> OpenContract {
        OpenContract {
            product: Product {
                id: 1,
                plan,
                months: 12,
                least_won: 1_000,
                most_won: Some(300_000),
            },
            months: 12,
            won,
            is_known: true,
        }
    }

    fn contract(won: i64, paid_in: i64, payments: i64) -> ActReply {
        ActReply::Contract {
            number: NUMBER.to_owned(),
            status: "ACTIVE".to_owned(),
            won,
            paid_in,
            payments,
        }
    }

    fn closed(principal: i64, interest: i64, payout: i64) -> ActReply {
        ActReply::ContractClosed {
            number: NUMBER.to_owned(),
            status: "EARLY_CLOSED".to_owned(),
            principal,
            interest,
            taxes: (0, 0),
            payout,
            won: payout,
        }
    }

    #[test]
    fn a_free_plan_takes_payments_up_to_its_cap_and_pays_them_back_once() {
        let mut wallet = Wallet::default();
        let reply = contract(100_000, 100_000, 1);
        assert_eq!(wallet.open(&open(Plan::Free, 100_000), &reply), Ok(()));
        assert_eq!(
            wallet.pay(NUMBER, 150_000, &contract(100_000, 250_000, 2)),
            Ok(())
        );
        assert_eq!(
            wallet.check_refused_payment(NUMBER, 50_001, "MONTHLY_CAP"),
            Ok(())
        );
        assert!(
            wallet
                .check_refused_payment(NUMBER, 50_000, "MONTHLY_CAP")
                .is_err()
        );
        assert!(
            wallet
                .clone()
                .pay(NUMBER, 50_001, &contract(100_000, 300_001, 3))
                .is_err()
        );
        assert!(
            wallet
                .clone()
                .end(NUMBER, None, &closed(250_000, 0, 250_001))
                .is_err()
        );
        assert!(
            wallet
                .clone()
                .end(NUMBER, Some(250_001), &closed(250_000, 0, 250_000))
                .is_err()
        );
        assert_eq!(
            wallet.end(NUMBER, Some(250_000), &closed(250_000, 0, 250_000)),
            Ok(())
        );
        assert_eq!(wallet.basic_won, 0);
        assert_eq!(
            wallet.check_refused_end(NUMBER, None, "CONTRACT_CLOSED"),
            Ok(())
        );
        assert!(
            wallet
                .end(NUMBER, None, &closed(250_000, 0, 250_000))
                .is_err()
        );
    }

    #[test]
    fn a_deposit_earns_nothing_on_its_first_days() {
        let mut wallet = Wallet::default();
        let reply = contract(200_000, 200_000, 1);
        assert_eq!(wallet.open(&open(Plan::Deposit, 200_000), &reply), Ok(()));
        assert_eq!(
            wallet.check_refused_payment(NUMBER, 1_000, "NO_PAYMENT_DUE"),
            Ok(())
        );
        assert!(
            wallet
                .check_refused_end(NUMBER, Some(200_000), "PAYOUT_CHANGED")
                .is_err()
        );
        assert_eq!(
            wallet.check_refused_end(NUMBER, Some(1), "PAYOUT_CHANGED"),
            Ok(())
        );
        assert!(
            wallet
                .end(NUMBER, None, &closed(200_000, 1, 200_001))
                .is_err()
        );
    }
}
