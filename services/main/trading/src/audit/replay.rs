//! Plays the fills and splits of every holding again and compares the result with the holding.

use futures_util::TryStreamExt;
use kernel::{Quantity, Won};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use crate::domain::holding::Holding;

/// The name of [`holdings`].
pub(super) const CHECK: &str = "a holding is what its fills made of it";

/// Everything that changed a holding, in order, and at the end what the holding says.
const HISTORY: &str = "
    select account_id, instrument_code, id, 'BUY' as kind, quantity, amount_won as won,
           round(price * quantity, 16) as quote from fill where side = 'BUY'
    union all
    select account_id, instrument_code, id, 'SELL', quantity, cost_won, cost_quote
        from fill where side = 'SELL'
    union all
    select account_id, instrument_code, id, 'SPLIT', quantity_after, cost_won, cost_quote
        from holding_split
    union all
    select account_id, instrument_code, 9223372036854775807, 'NOW', quantity, cost_won, cost_quote
        from holding
    order by account_id, instrument_code, id";

struct Line {
    account_id: i64,
    code: String,
    id: i64,
    kind: String,
    quantity: Quantity,
    won: Won,
    quote: Decimal,
}

/// Findings of a replay of all holdings.
pub(super) async fn holdings(connection: &mut PgConnection) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = Vec::new();
    let mut rows = sqlx::query(HISTORY).fetch(connection);
    let mut current: Option<(i64, String)> = None;
    let mut holding = Holding::EMPTY;
    let mut complete = true;
    while let Some(row) = rows.try_next().await? {
        let line = Line {
            account_id: row.try_get("account_id")?,
            code: row.try_get("instrument_code")?,
            id: row.try_get("id")?,
            kind: row.try_get("kind")?,
            quantity: Quantity(row.try_get("quantity")?),
            won: Won(row.try_get("won")?),
            quote: row.try_get("quote")?,
        };
        let key = (line.account_id, line.code.clone());
        if current.as_ref() != Some(&key) {
            findings.extend(missing(current.as_ref(), complete));
            current = Some(key);
            holding = Holding::EMPTY;
            complete = false;
        }
        complete |= line.kind == "NOW";
        findings.extend(play(&mut holding, &line));
    }
    findings.extend(missing(current.as_ref(), complete));
    Ok(findings)
}

fn missing(key: Option<&(i64, String)>, complete: bool) -> Option<Finding> {
    let (account_id, code) = key.filter(|_| !complete)?;
    Some(Finding {
        check: CHECK,
        row: format!("holding {account_id}/{code}"),
        detail: "has fills but no row".to_owned(),
    })
}

/// Plays one line; a finding when it contradicts what came before it.
fn play(holding: &mut Holding, line: &Line) -> Option<Finding> {
    let wrong = |row: String, detail: String| {
        Some(Finding {
            check: CHECK,
            row,
            detail,
        })
    };
    match line.kind.as_str() {
        "BUY" => {
            holding.buy(line.quantity, line.won, line.quote);
            None
        }
        "SELL" => {
            holding.held = holding.quantity;
            match holding.sell(line.quantity) {
                Ok(cost) if cost.won == line.won && cost.quote == line.quote => None,
                Ok(cost) => wrong(
                    format!("fill {}", line.id),
                    format!(
                        "cost {} of {}, replayed {}",
                        line.won, line.quantity, cost.won
                    ),
                ),
                Err(error) => wrong(format!("fill {}", line.id), error.to_string()),
            }
        }
        "SPLIT" => {
            holding.quantity = line.quantity;
            holding.cost_won.0 -= line.won.0;
            holding.cost_quote -= line.quote;
            None
        }
        _ => {
            let same = holding.quantity == line.quantity
                && holding.cost_won == line.won
                && holding.cost_quote == line.quote;
            if same {
                return None;
            }
            wrong(
                format!("holding {}/{}", line.account_id, line.code),
                format!(
                    "quantity {} cost {}, replayed {} cost {}",
                    line.quantity, line.won, holding.quantity, holding.cost_won
                ),
            )
        }
    }
}
