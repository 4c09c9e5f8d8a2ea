//! Company outlines.

use super::Store;
use crate::error::MarketError;
use crate::seed::CompanyOutline;

impl Store {
    /// What is published about the company behind a share; `None` when nothing is.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn company_outline(&self, code: &str) -> Result<Option<CompanyOutline>, MarketError> {
        let outline = sqlx::query_as("select * from company_outline where code = $1")
            .bind(code)
            .fetch_optional(&self.pool)
            .await?;
        Ok(outline)
    }
}
