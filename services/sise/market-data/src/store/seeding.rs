//! Writes a seed into the tables.

use kernel::Clock;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::savings::note_rate_changes;
use crate::catalogue::Instrument;
use crate::error::MarketError;
use crate::seed::Universe;

/// A table of the seed: its key and the other columns.
struct Table {
    name: &'static str,
    key: &'static str,
    columns: &'static str,
}

const SECTOR: Table = Table {
    name: "sector",
    key: "numbering, code",
    columns: "market, korean_name",
};
const INSTRUMENT: Table = Table {
    name: "instrument",
    key: "code",
    columns: "position, korean_name, english_name, aliases, market, exchange, currency, \
        tick_class, leverage, warning_code, halted, administrative, tradable, isin, sector_code, \
        sector_name, listed_on, listed_shares, market_cap, unit, base_price, daily_volatility, \
        beta, average_daily_volume, average_daily_value_won, size_class, underlying, asset_kind",
};
const COMPANY_OUTLINE: Table = Table {
    name: "company_outline",
    key: "code",
    columns: "industry, products, representative, established_on, listed_on, settlement_month, \
        homepage, address, region, listed_shares, market_cap_eok, sales_eok, \
        operating_profit_eok, roe, per, pbr, eps, bps",
};
const MARKET_INDEX: Table = Table {
    name: "market_index",
    key: "code",
    columns: "position, korean_name, base_value, daily_volatility",
};
const FOREIGN_CURRENCY: Table = Table {
    name: "foreign_currency",
    key: "unit",
    columns: "position, korean_name, base_rate, daily_volatility",
};
const SAVINGS_PRODUCT: Table = Table {
    name: "savings_product",
    key: "id",
    columns: "product_code, korean_name, kind, bank_code, bank_name, company_code, \
        interest_type, reserve_type, term_months, base_rate, best_rate, least_amount_won, \
        most_amount_won, payment, conditions, disclosed_month",
};
const SAVINGS_OPTION: Table = Table {
    name: "savings_option",
    key: "product_id, term_months, interest_type, reserve_type",
    columns: "rate, best_rate",
};

impl Store {
    /// Upserts the rows of `universe`. Rows that the seed no longer has are kept, because members
    /// may hold them. Returns `false` if this seed was applied already.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn apply_seed(
        &self,
        universe: &Universe,
        clock: &dyn Clock,
    ) -> Result<bool, MarketError> {
        let mut transaction = self.pool.begin().await?;
        // Serialises replicas that start together.
        sqlx::query("lock table seed_state in share row exclusive mode")
            .execute(&mut *transaction)
            .await?;
        let applied: Option<String> = sqlx::query_scalar("select digest from seed_state")
            .fetch_optional(&mut *transaction)
            .await?;
        if applied.as_deref() == Some(universe.digest.as_str()) {
            return Ok(false);
        }
        let instruments = (1..)
            .zip(&universe.instruments)
            .map(instrument_row)
            .collect();
        let indices = (1..).zip(&universe.indices).map(|(position, index)| {
            json!({
                "position": position, "code": index.code, "korean_name": index.korean_name,
                "base_value": index.base_value, "daily_volatility": index.daily_volatility,
            })
        });
        let currencies = (1..).zip(&universe.currencies).map(|(position, currency)| {
            json!({
                "position": position, "unit": currency.unit, "korean_name": currency.korean_name,
                "base_rate": currency.base_rate, "daily_volatility": currency.daily_volatility,
            })
        });
        let products = rows(&universe.products)?;
        note_rate_changes(&mut transaction, products.clone(), clock.now()).await?;
        for (table, rows) in [
            (SECTOR, rows(&universe.sectors)?),
            (INSTRUMENT, instruments),
            (COMPANY_OUTLINE, rows(&universe.outlines)?),
            (MARKET_INDEX, indices.collect()),
            (FOREIGN_CURRENCY, currencies.collect()),
            (SAVINGS_PRODUCT, products),
            (SAVINGS_OPTION, rows(&universe.options)?),
        ] {
            upsert(&mut transaction, &table, rows).await?;
        }
        sqlx::query(
            "insert into seed_state (digest, applied_at) values ($1, $2) on conflict (only_row) \
             do update set digest = excluded.digest, applied_at = excluded.applied_at",
        )
        .bind(&universe.digest)
        .bind(clock.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// One statement for all rows, passed as one JSON document.
async fn upsert(
    connection: &mut PgConnection,
    table: &Table,
    rows: Vec<Value>,
) -> Result<(), sqlx::Error> {
    let Table { name, key, columns } = table;
    let excluded: Vec<String> = columns
        .split(", ")
        .map(|column| format!("excluded.{}", column.trim()))
        .collect();
    let excluded = excluded.join(", ");
    let statement = format!(
        "insert into {name} ({key}, {columns}) \
         select {key}, {columns} from jsonb_populate_recordset(null::{name}, $1) \
         on conflict ({key}) do update set ({columns}) = row({excluded})"
    );
    // The statement is built from the constants above.
    sqlx::query(AssertSqlSafe(statement))
        .bind(Value::Array(rows))
        .execute(connection)
        .await?;
    Ok(())
}

fn rows<R: Serialize>(rows: &[R]) -> Result<Vec<Value>, MarketError> {
    let rows: Result<Vec<Value>, _> = rows.iter().map(serde_json::to_value).collect();
    rows.map_err(|error| MarketError::Internal(format!("a seed row has no JSON: {error}")))
}

fn instrument_row((position, row): (i32, &Instrument)) -> Value {
    json!({
        "position": position,
        "code": row.code,
        "korean_name": row.korean_name,
        "english_name": row.english_name,
        "aliases": row.aliases,
        "market": row.market.as_str(),
        "exchange": row.exchange,
        "currency": row.currency.as_str(),
        "tick_class": row.tick_class().as_str(),
        "leverage": row.leverage,
        "warning_code": row.warning.as_str(),
        "halted": row.halted,
        "administrative": row.administrative,
        "tradable": row.tradable,
        "isin": row.isin,
        "sector_code": row.sector_code,
        "sector_name": row.sector_name,
        "listed_on": row.listed_on,
        "listed_shares": row.listed_shares,
        "market_cap": row.market_cap,
        "unit": row.unit,
        "base_price": row.base_price,
        "daily_volatility": row.dynamics.daily_volatility,
        "beta": row.dynamics.beta,
        "average_daily_volume": row.dynamics.average_daily_volume,
        "average_daily_value_won": row.dynamics.average_daily_value_won,
        "size_class": row.dynamics.size_class,
        "underlying": row.dynamics.underlying,
        "asset_kind": row.dynamics.asset_kind,
    })
}
