//! Rows of deposits and savings plans.

use std::collections::HashSet;

use kernel::AccountCode;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::SeedError;
use super::csv_file::CsvFile;
use super::reference::require_unique;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
#[serde(deny_unknown_fields)]
pub struct SavingsProduct {
    /// Our number.
    pub id: i64,
    /// The bank's product code.
    pub product_code: String,
    pub korean_name: String,
    /// `03` deposit, `04` savings plan.
    pub kind: String,
    pub bank_code: String,
    pub bank_name: String,
    /// The company's number at the financial supervisor.
    pub company_code: String,
    /// `01` simple, `02` compound.
    pub interest_type: String,
    /// `S` fixed amount, `F` free amount, empty for a deposit.
    pub reserve_type: String,
    /// Default term.
    pub term_months: i32,
    /// Yearly rate in percent for the default term.
    pub base_rate: Decimal,
    /// Yearly rate in percent with all preferential conditions.
    pub best_rate: Decimal,
    pub least_amount_won: Option<i64>,
    pub most_amount_won: Option<i64>,
    /// `lump`, `monthly`, `weekly` … .
    pub payment: String,
    /// Conditions of the best rate.
    pub conditions: String,
    /// Month of disclosure, yyyymm.
    pub disclosed_month: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
#[serde(deny_unknown_fields)]
pub struct SavingsOption {
    pub product_id: i64,
    pub term_months: i32,
    /// `S` simple, `M` compound.
    pub interest_type: String,
    /// `S` fixed amount, `F` free amount, empty for a deposit.
    pub reserve_type: String,
    /// Yearly rate in percent.
    pub rate: Option<Decimal>,
    /// Yearly rate in percent with all preferential conditions.
    pub best_rate: Option<Decimal>,
}

pub(super) fn products(csv_file: &CsvFile) -> Result<Vec<SavingsProduct>, SeedError> {
    let mut seen = HashSet::new();
    let mut products = Vec::new();
    for (location, product) in csv_file.rows::<SavingsProduct>()? {
        let kind = AccountCode::parse(&product.kind);
        let fault = if !matches!(kind, Some(AccountCode::Deposit | AccountCode::Save)) {
            Some(format!("unknown kind {:?}", product.kind))
        } else if !matches!(product.interest_type.as_str(), "01" | "02") {
            Some(format!("unknown interest_type {:?}", product.interest_type))
        } else if !matches!(product.reserve_type.as_str(), "" | "S" | "F") {
            Some(format!("unknown reserve_type {:?}", product.reserve_type))
        } else if product.term_months <= 0 {
            Some("term_months must be above zero".to_owned())
        } else if product.best_rate < product.base_rate || product.base_rate < Decimal::ZERO {
            Some("best_rate must be at least base_rate".to_owned())
        } else {
            None
        };
        if let Some(fault) = fault {
            return Err(location.fault()(fault));
        }
        require_unique(
            location,
            &mut seen,
            format!("product_code {}", product.product_code),
        )?;
        require_unique(location, &mut seen, format!("id {}", product.id))?;
        products.push(product);
    }
    Ok(products)
}

pub(super) fn options(
    csv_file: &CsvFile,
    products: &[SavingsProduct],
) -> Result<Vec<SavingsOption>, SeedError> {
    let known: HashSet<i64> = products.iter().map(|product| product.id).collect();
    let mut options = Vec::new();
    for (location, option) in csv_file.rows::<SavingsOption>()? {
        if !known.contains(&option.product_id) {
            let unknown = format!("product {} is not in the list", option.product_id);
            return Err(location.fault()(unknown));
        }
        if !matches!(option.interest_type.as_str(), "S" | "M") {
            let unknown = format!("unknown interest_type {:?}", option.interest_type);
            return Err(location.fault()(unknown));
        }
        options.push(option);
    }
    Ok(options)
}
