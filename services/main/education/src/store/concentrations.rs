//! The newest purchase of a member that left much of the total in one item.

use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use crate::domain::cards::Concentration;
use crate::error::StudyError;

impl Store {
    /// Keeps it unless a newer one is known.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn note_concentration(
        &self,
        member: MemberId,
        concentration: &Concentration,
    ) -> Result<(), StudyError> {
        sqlx::query(
            "insert into concentration as c (member_id, instrument_code, instrument_name, percent, \
             value_won, total_won, noticed_at) values ($1, $2, $3, $4, $5, $6, $7) \
             on conflict (member_id) do update set instrument_code = excluded.instrument_code, \
             instrument_name = excluded.instrument_name, percent = excluded.percent, \
             value_won = excluded.value_won, total_won = excluded.total_won, \
             noticed_at = excluded.noticed_at where c.noticed_at < excluded.noticed_at",
        )
        .bind(member.0)
        .bind(&concentration.instrument_code)
        .bind(&concentration.instrument_name)
        .bind(concentration.percent)
        .bind(concentration.value_won)
        .bind(concentration.total_won)
        .bind(concentration.noticed_at)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

pub(super) async fn newest_concentration(
    connection: &mut PgConnection,
    member: MemberId,
) -> Result<Option<Concentration>, sqlx::Error> {
    sqlx::query_as("select * from concentration where member_id = $1")
        .bind(member.0)
        .fetch_optional(connection)
        .await
}
