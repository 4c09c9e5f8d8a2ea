//! Members of the quote service.

use kernel::{Clock, MemberId};

use super::Store;
use crate::error::MarketError;

impl Store {
    /// Notes a member of main at the first login to sise; later ones change nothing.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn register_member(
        &self,
        member: MemberId,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        sqlx::query(
            "insert into sise_member (member_id, registered_at) values ($1, $2) \
             on conflict (member_id) do nothing",
        )
        .bind(member.0)
        .bind(clock.now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
