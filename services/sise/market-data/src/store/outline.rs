use super::Store;
use crate::error::MarketError;
use crate::seed::CompanyOutline;

impl Store {
    /// `None` when nothing is published about the company.
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
