//! Checks of all who have an instrument, in slices that shrink where histories are long.

use super::{Tried, Work, in_time, snapshot};
use crate::audit::check::OfHolders;
use crate::audit::{AuditError, history};
use crate::store::slice::SliceSize;

impl Work<'_> {
    /// A holder who takes too long alone is named and passed over; the next audit begins with it.
    pub(super) async fn holders(
        &mut self,
        due: &impl OfHolders,
        size: &mut SliceSize,
    ) -> Result<(), AuditError> {
        let part = due.part();
        let mut from = history::checked_to(self.connection, &part).await?;
        let mut is_complete = true;
        while let Some((last, count)) =
            in_time(due.slice_after(self.connection, from, size.rows())).await?
        {
            let is_noted = is_complete && due.is_lasting();
            let checked = in_time(self.some_holders(due, (from, last), is_noted)).await;
            match self.tried(checked, count, size).await? {
                Tried::Done => from = last,
                Tried::TooMany => {}
                Tried::TooLong => {
                    self.name_unchecked(format!("account {last}, {part}"));
                    is_complete = false;
                    from = last;
                }
            }
        }
        if is_complete && due.is_settled(self.connection).await? {
            history::advance(self.connection, &part, i64::MAX, &[]).await?;
        }
        Ok(())
    }

    async fn some_holders(
        &mut self,
        due: &impl OfHolders,
        between: (i64, i64),
        is_noted: bool,
    ) -> Result<(), sqlx::Error> {
        let mut transaction = snapshot(self.connection).await?;
        let findings = due.check(&mut transaction, between).await?;
        if is_noted {
            history::advance(&mut transaction, &due.part(), between.1, &findings).await?;
        } else {
            history::keep(&mut transaction, &findings).await?;
        }
        transaction.commit().await
    }
}
