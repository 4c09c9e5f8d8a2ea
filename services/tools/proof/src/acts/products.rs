//! Deposits and savings plans that contracts are opened for, as the product lists them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

/// Least sum where the bank names none.
const LEAST_WON: i64 = 1_000;
/// Most of a month of a free plan where the bank names none.
const FREE_CAP_WON: i64 = 3_000_000;
/// Those that ask for more are left out.
const LEAST_MOST_WON: i64 = 1_000_000;
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    Deposit,
    /// The same sum every month.
    Savings,
    /// Any sum, up to a cap in every month.
    Free,
}

#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) id: i64,
    pub(crate) plan: Plan,
    pub(crate) months: i32,
    pub(crate) least_won: i64,
    pub(crate) most_won: Option<i64>,
}

impl Product {
    pub(crate) fn takes(&self, won: i64) -> bool {
        won >= self.least_won && self.most_won.is_none_or(|most| won <= most)
    }
}

pub(crate) type Products = Arc<Vec<Product>>;

pub(crate) async fn read(origin: &str) -> anyhow::Result<Products> {
    let http = reqwest::Client::builder().timeout(TIMEOUT).build()?;
    let listed = http
        .get(format!("{origin}/api/v1/product/product"))
        .send()
        .await?
        .error_for_status()?;
    let listed: Vec<Value> = serde_json::from_slice(&listed.bytes().await?)?;
    let mut products = Vec::new();
    for row in listed {
        let product = product(&row).with_context(|| format!("product {row}"))?;
        if product.least_won <= LEAST_MOST_WON {
            products.push(product);
        }
    }
    Ok(Arc::new(products))
}

fn product(row: &Value) -> Option<Product> {
    let won = |name: &str| row.get(name).and_then(Value::as_i64);
    let plan = match (row.get("prdtTcd")?.as_str()?, row.get("rsrvType")?.as_str()) {
        ("03", _) => Plan::Deposit,
        (_, Some("F")) => Plan::Free,
        (_, _) => Plan::Savings,
    };
    let most_won = won("maxAmt").or((plan == Plan::Free).then_some(FREE_CAP_WON));
    Some(Product {
        id: won("sid")?,
        plan,
        months: i32::try_from(won("saveTrm")?).ok()?,
        least_won: won("minAmt").unwrap_or(LEAST_WON),
        most_won,
    })
}
